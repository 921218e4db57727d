import { type Route, type Schema, streamId } from '@svc/operations'
import * as z from 'zod'
import type { JsonSchema, OpenapiOptions } from './types.ts'

/** Builds the named schemas of a document: the answers, the inputs of actions, and the messages of streams. */
export function buildComponents({ routes, named }: Pick<OpenapiOptions, 'routes' | 'named'>) {
  const registry = z.registry<{ id: string }>()
  const messages: Record<string, JsonSchema> = {}
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  for (const route of routes) {
    const { output, cases, stream } = route.operation
    registry.add(output, { id: nameAnswer(route, named) })
    for (const [value, { whole, input }] of cases?.values.map((each) => [each, cases.describe(each)] as const) ?? []) {
      registry.add(whole, { id: nameCase(value) })
      registry.add(input, { id: `${toPascalCase(value)}Input` })
    }
    for (const [name, data] of Object.entries(stream?.messages ?? {})) {
      const id = findName(data, named) ?? `${toPascalCase(name)}Data`
      registry.add(data, { id })
      messages[nameMessage(name, data, named)] = describeMessage(name, id)
    }
  }
  const { schemas } = z.toJSONSchema(registry, { io: 'input', uri: refer, unrepresentable: 'any' })
  const answers = new Map(
    routes.map((route) => [nameAnswer(route, named), `The answer of \`${route.operation.name}\`.`]),
  )
  const own = Object.entries(schemas).map(([id, schema]) => [id, { description: answers.get(id), ...dropIds(schema) }])
  return { ...Object.fromEntries(own), ...messages }
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

export const findName = (schema: Schema | undefined, named: OpenapiOptions['named']): string | undefined =>
  Object.entries(named).find(([, each]) => each === schema)?.[0]

/** The schema name of a route's answer. */
export const nameAnswer = ({ operation: { name, output } }: Route, named: OpenapiOptions['named']): string =>
  findName(output, named) ?? `${toPascalCase(name)}Answer`

/** The schema name of an input with one value of its deciding field: `claim-task` has `PrepareClaimTask`. */
export const nameCase = (value: string) => `Prepare${toPascalCase(value)}`

/** The schema name of a message of a stream: after its data if that has a name, otherwise after the message. */
export const nameMessage = (name: string, data: Schema | undefined, named: OpenapiOptions['named']): string =>
  `${findName(data, named) ?? toPascalCase(name)}Message`

const toPascalCase = (name: string) => name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())

export const refer = (name: string) => `#/components/schemas/${name}`

export const convertSchema = (schema: Schema): JsonSchema =>
  dropIds(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))

function dropIds({ $schema, $id, ...schema }: Record<string, unknown>): JsonSchema {
  return schema
}
