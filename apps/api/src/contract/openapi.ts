import {
  apiRoutes,
  describePrepareInput,
  disputeJson,
  type ErrorCode,
  errorCodes,
  errorJson,
  gatewayErrorCodes,
  getParameterErrorCode,
  listMetaJson,
  metaJson,
  operations,
  quotaJson,
  type Route,
  readOptions,
  readPaths,
  type Schema,
  statusOf,
  taskDetailJson,
  taskJson,
  taskListJson,
  walletQuotaJson,
} from '@svc/operations'
import { type ActionName, actions } from '@svc/protocol/actions'
import * as z from 'zod'
import { formatCurl, listExamples } from './examples.ts'

/** Named schemas; all others are inlined. */
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

/** Errors that any route may return. */
const everywhere: readonly ErrorCode[] = [
  'INVALID_REQUEST',
  'METHOD_NOT_ALLOWED',
  'URL_TOO_LONG',
  'RATE_LIMITED',
  'INTERNAL',
  'BUSY',
]

/** A JSON Schema as the contract has it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** An operation of the contract, with the fields that this app reads. */
export interface OpenapiOperation {
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

/** Builds the contract of the service from its routes. */
export function openapiDocument() {
  const schemas = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) schemas.add(schema, { id })
  for (const route of apiRoutes) schemas.add(route.operation.output, { id: answerId(route) })
  for (const name of actionNames) schemas.add(describePrepareInput(name), { id: actionInputId(name) })
  const paths: Record<string, Record<string, OpenapiOperation>> = {}
  for (const route of apiRoutes) paths[route.path] = { [route.method]: describeOperation(route) }
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

/** The operation id of a route: `/api/market/open` is `marketOpen`. */
function operationId({ path }: Route): string {
  const [first = '', ...rest] = path.replace(/^\/api\//, '').split(/[/-]/)
  return first + rest.map(capital).join('')
}

/** The schema name of a route's response. */
function answerId(route: Route): string {
  const [id] = Object.entries(named).find(([, schema]) => schema === route.operation.output) ?? []
  return id ?? `${capital(operationId(route))}Answer`
}

const actionNames = Object.keys(actions) as ActionName[]

/** The schema name of an action's input: `claim-task` has `ClaimTaskInput`. */
const actionInputId = (name: ActionName) => `${name.split('-').map(capital).join('')}Input`

/** The request body that prepares one action: its name and its input. */
const actionBody = (name: ActionName): JsonSchema => ({
  title: name,
  properties: { action: { const: name }, input: { $ref: reference(actionInputId(name)) } },
})

const capital = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)
const reference = (id: string) => `#/components/schemas/${id}`

function describeOperation(route: Route) {
  const { kind, summary, description, tag } = route.operation
  const { properties, required } = describeInput(route)
  return {
    operationId: operationId(route),
    summary,
    ...(description && { description }),
    tags: [tag],
    ...(route.method === 'get'
      ? { parameters: Object.entries(properties).map(([name, schema]) => parameter(route, name, schema, required)) }
      : { requestBody: requestBody(route, properties, required) }),
    'x-codeSamples': listExamples(route).map((example) => ({
      lang: 'curl',
      label: example.says,
      source: formatCurl(route, example),
    })),
    responses: {
      200: {
        description: 'The answer.',
        ...(kind === 'read' && { headers: readHeaders }),
        content: { 'application/json': { schema: { $ref: reference(answerId(route)) } } },
      },
      ...(kind === 'read' && { 304: { description: 'Not changed since the ETag that was sent along.' } }),
      ...errorResponses(route, Object.keys(properties)),
    },
  }
}

const readHeaders = {
  ETag: { description: 'Changes with the content, not with the block.', schema: { type: 'string' } },
  'X-Block-Number': { description: 'The block the answer is true at.', schema: { type: 'integer' } },
  'X-Read-Path': {
    description: 'Whether the index or the chain itself was read; the same as `meta.path`.',
    schema: { enum: readPaths },
  },
}

type Properties = Readonly<Record<string, JsonSchema>>

/** The fields that a route accepts, as JSON Schema. Every read also accepts `minBlock` and `path`. */
function describeInput({ operation: { kind, input } }: Route): { properties: Properties; required: readonly string[] } {
  const { properties = {}, required = [] } = bare(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })) as {
    properties?: Properties
    required?: readonly string[]
  }
  if (kind === 'call') return { properties, required }
  const { properties: options } = z.toJSONSchema(z.object(readOptions), { io: 'input' })
  return { properties: { ...properties, ...(options as Properties) }, required }
}

/** The value of a parameter in the examples of a route. */
const exampleValue = (route: Route, name: string): unknown =>
  listExamples(route)
    .flatMap(({ input }) => Object.entries(input))
    .find(([field]) => field === name)?.[1]

function parameter(route: Route, name: string, { description, ...schema }: JsonSchema, required: readonly string[]) {
  const example = exampleValue(route, name)
  return {
    name,
    in: 'query',
    required: required.includes(name),
    ...(typeof description === 'string' && { description }),
    schema,
    ...(example !== undefined && { example }),
  }
}

function requestBody(route: Route, properties: Properties, required: readonly string[]) {
  const examples = Object.fromEntries(
    listExamples(route).map(({ says: summary, input: value }, index) => [`example${index + 1}`, { summary, value }]),
  )
  const isPrepare = route.operation === operations.prepareAction
  const schema = { type: 'object', properties, required, ...(isPrepare && { oneOf: actionNames.map(actionBody) }) }
  const content = { schema, examples }
  return { required: true, content: { 'application/json': content } }
}

function bare({ $schema, $id, ...schema }: Record<string, unknown>): Record<string, unknown> {
  return schema
}

function errorResponses({ method, operation: { kind, errors = [] } }: Route, fields: readonly string[]) {
  const all = new Set<ErrorCode>([
    ...everywhere,
    ...fields.map(getParameterErrorCode),
    ...(method === 'post' ? (['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(kind === 'read' ? (['CHAIN_UNREACHABLE', 'BLOCK_NOT_REACHED'] as const) : []),
    ...errors,
  ])
  const statuses = [...new Set([...all].map(statusOf))].sort()
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = [...all].filter((code) => statusOf(code) === status)
      const description = codes.map((code) => `\`${code}\`: ${meanings[code].meaning}`).join('\n')
      return [status, { description, content: { 'application/json': { schema: { $ref: reference('Error') } } } }]
    }),
  )
}

const meanings = { ...errorCodes, ...gatewayErrorCodes }
