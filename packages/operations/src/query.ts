import * as z from 'zod'
import { ServiceError } from './errors.ts'
import type { Operation } from './operation.ts'

/** The fields of an input, each as JSON Schema. */
export function describeInputFields({
  input,
}: Pick<Operation, 'input'>): Readonly<Record<string, z.core.JSONSchema.BaseSchema>> {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, typeof schema === 'object' ? schema : {}]),
  )
}

/** Parses a query as JSON, for the input of one operation: digits become a number where the input takes an integer. */
export function createQueryParser({ input }: Pick<Operation, 'input'>): QueryParser {
  const integers = new Set(
    Object.entries(describeInputFields({ input })).flatMap(([name, { type }]) => (type === 'integer' ? [name] : [])),
  ).add('minBlock')
  return (params) => {
    const given: Record<string, unknown> = Object.create(null)
    for (const [name, text] of params) {
      // One of the two would be ignored.
      if (name in given) throw new ServiceError('INVALID_REQUEST', `${name.slice(0, 40)} is given twice.`)
      given[name] = integers.has(name) && /^\d{1,15}$/.test(text) ? Number(text) : text
    }
    return given
  }
}

export type QueryParser = (params: URLSearchParams) => Record<string, unknown>
