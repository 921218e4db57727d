import * as z from 'zod'
import { ServiceError } from './errors.ts'
import type { Operation } from './operation.ts'
import { readOptions } from './params.ts'

/** The fields of an input, each as JSON Schema. */
export function describeInputFields({
  input,
}: Pick<Operation, 'input'>): Readonly<Record<string, z.core.JSONSchema.BaseSchema>> {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, typeof schema === 'object' ? schema : {}]),
  )
}

/**
 * Parses a query as JSON, for the input of one operation: digits become a number where the input takes an integer. An
 * operation refuses parameters that it does not take, and those that its path already sets, but ignores names that start with
 * `_`: clients add them to get past a cache. A page has no `kind` and ignores all others: a link to it may carry more.
 */
export function createQueryParser(
  { input, kind }: Pick<Operation, 'input'> & Partial<Pick<Operation, 'kind'>>,
  inPath: readonly string[] = [],
): QueryParser {
  const fields = {
    ...describeInputFields({ input }),
    ...(kind === 'read' && describeInputFields({ input: z.object(readOptions) })),
  }
  const integers = new Set(Object.entries(fields).flatMap(([name, { type }]) => (type === 'integer' ? [name] : [])))
  const allowed = Object.keys(fields).filter((name) => !inPath.includes(name))
  return (params) => {
    const given: Record<string, unknown> = Object.create(null)
    for (const [name, text] of params) {
      if (kind && name.startsWith('_')) continue
      if (kind && !allowed.includes(name)) throw createUnknownParameterError(name, allowed)
      // One of the two would be ignored.
      if (name in given) throw new ServiceError('INVALID_REQUEST', `${name.slice(0, 40)} is given twice.`)
      given[name] = integers.has(name) && /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text
    }
    return given
  }
}

/** Parameter names are repeated only if they are plain words. */
export function createUnknownParameterError(name: string, allowed: readonly string[]): ServiceError {
  const shown = /^\w{1,40}$/.test(name) ? ` ${name}` : ''
  return new ServiceError('INVALID_REQUEST', `Unknown parameter${shown}. Allowed: ${allowed.join(', ') || 'none'}.`)
}

export type QueryParser = (params: URLSearchParams) => Record<string, unknown>
