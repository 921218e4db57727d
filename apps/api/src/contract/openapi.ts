import {
  type ApiErrorCode,
  disputeJson,
  errorCodes,
  errorJson,
  listMetaJson,
  metaJson,
  quotaJson,
  taskDetailJson,
  taskJson,
  walletQuotaJson,
} from '@svc/protocol/http'
import { taskListJson } from '@svc/reads'
import { codeOf, type Schema } from '@svc/serve'
import { z } from 'zod'
import { methodOf, type Route } from '../route.ts'
import { routes } from '../routes/index.ts'
import { curlOf, examplesOf } from './examples.ts'

/** Schemas with a name of their own; everything else is written where it is used. */
const named: Readonly<Record<string, Schema>> = {
  Task: taskJson,
  TaskDetail: taskDetailJson,
  TaskList: taskListJson,
  Dispute: disputeJson,
  Meta: metaJson,
  ListMeta: listMetaJson,
  Quota: quotaJson,
  WalletQuota: walletQuotaJson,
  Error: errorJson,
}

/** Errors that any route may answer with. */
const everywhere: Readonly<Record<number, readonly ApiErrorCode[]>> = {
  400: ['INVALID_REQUEST'],
  405: ['METHOD_NOT_ALLOWED'],
  414: ['INVALID_REQUEST'],
  429: ['RATE_LIMITED'],
  500: ['INTERNAL'],
  503: ['BUSY'],
}

/** A JSON Schema as the contract has it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** An operation of the contract, as far as its readers here use it. */
export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: readonly string[]
  parameters?: readonly { name: string; required: boolean; schema: JsonSchema; description?: string }[]
  'x-codeSamples': readonly { label: string; source: string }[]
  requestBody?: {
    content: { 'application/json': { schema: JsonSchema & { properties: Readonly<Record<string, JsonSchema>> } } }
  }
  responses: Readonly<Record<string, { description: string; content?: { 'application/json': { schema: JsonSchema } } }>>
}

/** The contract of the service, from its routes alone. */
export function openapiDocument() {
  const schemas = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) schemas.add(schema as never, { id })
  for (const route of routes) schemas.add(route.answer as never, { id: answerId(route) })
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of routes) paths[route.path] = { [methodOf(route)]: operation(route) }
  const { schemas: components } = z.toJSONSchema(schemas, { io: 'input', uri: reference, unrepresentable: 'any' })
  return {
    openapi: '3.1.1',
    info: {
      title: 'Task Market',
      version: '2.0.0',
      description:
        'Tasks that wallets post, claim, fund, work on and are paid for, on contracts of an EVM chain. This service shows the chain to everyone without a key, counts posts against the daily quota, and passes chat on. It cannot post, claim or pay: those are transactions of a wallet. Amounts are decimal strings in the smallest unit of their token, times unix seconds.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [],
    tags: [
      { name: 'market', description: 'One market as it stands at one block.' },
      { name: 'wallet', description: 'What concerns one wallet.' },
      { name: 'actions', description: 'What a wallet may do, and the calls to sign for it. Nothing is sent.' },
      { name: 'posting', description: 'The daily posting quota and its plans.' },
      { name: 'service', description: 'The service itself.' },
    ],
    paths,
    components: { schemas: Object.fromEntries(Object.entries(components).map(([id, schema]) => [id, bare(schema)])) },
  }
}

/** The name of a route's operation: `/api/market/open` is `marketOpen`. */
function operationId({ path }: Route): string {
  const [first = '', ...rest] = path.replace(/^\/api\//, '').split(/[/-]/)
  return first + rest.map(capital).join('')
}

/** The name of the schema of a route's answer. */
function answerId(route: Route): string {
  const [id] = Object.entries(named).find(([, schema]) => schema === route.answer) ?? []
  return id ?? `${capital(operationId(route))}Answer`
}

const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)
const reference = (id: string) => `#/components/schemas/${id}`

function operation(route: Route) {
  const { summary, description, tag, errors = {} } = route
  const input = route.kind === 'read' ? route.query : route.input
  return {
    operationId: operationId(route),
    summary,
    ...(description && { description }),
    tags: [tag],
    ...(methodOf(route) === 'get'
      ? { parameters: Object.entries(input).map(([name, schema]) => parameter(name, schema, exampleOf(route, name))) }
      : { requestBody: requestBody(route, input) }),
    'x-codeSamples': examplesOf(route).map((example) => ({
      lang: 'curl',
      label: example.says,
      source: curlOf(route, example),
    })),
    responses: {
      200: {
        description: 'The answer.',
        ...(route.kind === 'read' && { headers: readHeaders }),
        content: { 'application/json': { schema: { $ref: reference(answerId(route)) } } },
      },
      ...(route.kind === 'read' && { 304: { description: 'Not changed since the ETag that was sent along.' } }),
      ...errorResponses(route, errors),
    },
  }
}

const readHeaders = {
  ETag: { description: 'Changes with the content, not with the block.', schema: { type: 'string' } },
  'X-Block-Number': { description: 'The block the answer is true at.', schema: { type: 'integer' } },
  'X-Read-Path': {
    description: 'Whether the index or the chain itself was read.',
    schema: { enum: ['index', 'direct'] },
  },
}

/** The value that the route's examples have for a parameter. */
const exampleOf = (route: Route, name: string): unknown =>
  examplesOf(route).find(({ input }) => name in input)?.input[name]

function parameter(name: string, schema: Schema, example: unknown) {
  const { description, ...rest } = described(schema)
  return {
    name,
    in: 'query',
    required: isRequired(schema),
    ...(description && { description }),
    schema: rest,
    ...(example !== undefined && { example }),
  }
}

function requestBody(route: Route, input: Readonly<Record<string, Schema>>) {
  const properties = Object.fromEntries(Object.entries(input).map(([name, schema]) => [name, described(schema)]))
  const required = Object.keys(input).filter((name) => isRequired(input[name] as Schema))
  const examples = Object.fromEntries(
    examplesOf(route).map(({ says: summary, input: value }, index) => [`example${index + 1}`, { summary, value }]),
  )
  const content = { schema: { type: 'object', properties, required }, examples }
  return { required: true, content: { 'application/json': content } }
}

const isRequired = (schema: Schema) => !z.safeParse(schema, undefined).success

/** What a client writes: of a number in a query, the number, not its digits. */
function described(schema: Schema): Record<string, unknown> & { description?: string } {
  const [inside, outside] = (['output', 'input'] as const).map((io) =>
    bare(z.toJSONSchema(schema as never, { io, unrepresentable: 'any' })),
  )
  return inside?.type ? inside : (outside ?? {})
}

function bare({ $schema, $id, ...schema }: Record<string, unknown>): Record<string, unknown> {
  return schema
}

function errorResponses(route: Route, own: NonNullable<Route['errors']>) {
  const input = Object.keys(route.kind === 'read' ? route.query : route.input)
  const common: Partial<Record<number, readonly ApiErrorCode[]>> = {
    400: input.map(codeOf),
    ...(methodOf(route) === 'post' && { 413: ['BODY_TOO_LARGE'], 415: ['UNSUPPORTED_MEDIA_TYPE'] }),
    ...(route.kind === 'read' && { 503: ['CHAIN_UNREACHABLE', 'BLOCK_NOT_REACHED'] }),
  }
  const statuses = new Set([everywhere, common, own].flatMap((each) => Object.keys(each).map(Number)))
  return Object.fromEntries(
    [...statuses].sort().map((status) => {
      const codes = [...new Set([everywhere, common, own].flatMap((each) => each[status] ?? []))]
      const description = codes.map((code) => `\`${code}\`: ${errorCodes[code]}`).join('\n')
      return [status, { description, content: { 'application/json': { schema: { $ref: reference('Error') } } } }]
    }),
  )
}
