import { namedSchemas, type Operation, type Schema, streamId } from '@svc/operations'
import * as z from 'zod'
import type { JsonSchema, OpenapiOptions, Schemas } from './types.ts'

/** Builds the schemas of a document: the named ones, the answers, the inputs of actions, and the messages of streams. */
export function buildSchemas({ routes, error }: Pick<OpenapiOptions, 'routes' | 'error'>): Schemas {
  const registry = z.registry<{ id: string }>()
  const descriptions = new Map<string, string | undefined>()
  const messages: Record<string, JsonSchema> = {}
  for (const [id, { schema, description }] of Object.entries(namedSchemas)) {
    registry.add(schema, { id })
    descriptions.set(id, description)
  }
  registry.add(error, { id: 'Error' })
  for (const { operation } of routes) {
    const { name, output, cases, stream } = operation
    registry.add(output, { id: nameAnswer(operation) })
    if (!findName(output)) descriptions.set(nameAnswer(operation), `The answer of \`${name}\`.`)
    for (const [value, { whole, input }] of cases?.values.map((each) => [each, cases.describe(each)] as const) ?? []) {
      registry.add(whole, { id: nameCase(value) })
      registry.add(input, { id: `${toPascalCase(value)}Input` })
    }
    for (const [name, data] of Object.entries(stream?.messages ?? {})) {
      const id = findName(data) ?? `${toPascalCase(name)}Data`
      registry.add(data, { id })
      messages[nameMessage(name, data)] = describeMessage(name, id)
    }
  }
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri: refer, unrepresentable: 'any' })
  const own = Object.entries(schemas).map(([id, schema]) => [
    id,
    { description: descriptions.get(id), ...dropIds(schema) },
  ])
  return { ...Object.fromEntries(own), ...messages }
}

/** Returns the schemas that a part of a document refers to, directly or through others. */
export function keepUsed(schemas: Schemas, part: unknown): Schemas {
  const used = new Set<string>()
  const visit = (node: unknown) => {
    for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      visit(schemas[name])
    }
  }
  visit(part)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}

/** Describes one message of a stream. Its data is text, as server-sent events have it. */
function describeMessage(name: string, data: string): JsonSchema {
  return {
    type: 'object',
    description: `A message named \`${name}\`.`,
    properties: {
      event: { type: 'string', const: name, description: 'Name of the message.' },
      id: { ...convertSchema(streamId), description: 'Position of the message: the stream can be continued after it.' },
      data: {
        type: 'string',
        contentMediaType: 'application/json',
        contentSchema: { $ref: refer(data) },
        description: 'Data of the message, as JSON.',
      },
    },
    required: ['event', 'id', 'data'],
  }
}

/** One of several named schemas, chosen by the value of a field. */
export function discriminate(field: string, values: readonly string[], nameOf: (value: string) => string): JsonSchema {
  const references = values.map((value) => [value, refer(nameOf(value))] as const)
  return {
    type: 'object',
    oneOf: references.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: field, mapping: Object.fromEntries(references) },
  }
}

export const findName = (schema: Schema | undefined): string | undefined =>
  Object.entries(namedSchemas).find(([, named]) => named.schema === schema)?.[0]

/** The schema name of the answer of an operation. */
export const nameAnswer = ({ name, output }: Operation): string => findName(output) ?? `${toPascalCase(name)}Answer`

/** The schema name of an input with one value of its deciding field: `claim-task` has `PrepareClaimTask`. */
export const nameCase = (value: string) => `Prepare${toPascalCase(value)}`

/** The schema name of a message of a stream: after its data if that has a name, otherwise after the message. */
export const nameMessage = (name: string, data: Schema | undefined): string =>
  `${findName(data) ?? toPascalCase(name)}Message`

export const toPascalCase = (name: string) =>
  name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())

export const refer = (name: string) => `#/components/schemas/${name}`

export const convertSchema = (schema: Schema): JsonSchema =>
  dropIds(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))

function dropIds({ $schema, $id, ...schema }: Record<string, unknown>): JsonSchema {
  return schema
}
