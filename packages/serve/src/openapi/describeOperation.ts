import {
  type ErrorCode,
  errorCodes,
  gatewayErrorCodes,
  getParameterErrorCode,
  notifyErrorCodes,
  type Operation,
  type Route,
  readOptions,
  readPaths,
  sessionErrorCodes,
  statusOf,
  storeErrorCodes,
} from '@svc/operations'
import * as z from 'zod'
import { convertSchema, discriminate, findName, nameAnswer, nameCase, nameMessage, refer } from './components.ts'
import { formatCurl } from './examples.ts'
import type {
  Headers,
  JsonSchema,
  OpenapiOperation,
  OpenapiOptions,
  OpenapiParameter,
  OpenapiResponse,
} from './types.ts'

interface Fields {
  properties: Readonly<Record<string, JsonSchema>>
  required: readonly string[]
}

/** Describes one route: what it takes, what it answers, and how it fails. */
export function describeOperation(route: Route, options: OpenapiOptions): OpenapiOperation {
  const { method, path, operation, isSpecified } = route
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
  const fields = describeInput(operation)
  const names = Object.keys(fields.properties)
  const rest = names.filter((name) => !inPath.includes(name))
  const hasBody = method !== 'get' && rest.length > 0
  const parameters: OpenapiParameter[] = [
    ...names
      .filter((name) => !(hasBody && rest.includes(name)))
      .map((name) => describeParameter(route, name, inPath.includes(name) ? 'path' : 'query', fields, options)),
    ...Object.entries(operation.headers ?? {}).map(
      ([name, description]): OpenapiParameter => ({
        name,
        in: 'header',
        required: false,
        description,
        schema: { type: 'string' },
      }),
    ),
  ]
  return {
    operationId: operation.name,
    summary: operation.summary,
    description: operation.description,
    tags: [operation.tag],
    'x-specification': isSpecified,
    ...(operation.chainCost !== undefined && { 'x-chain-cost': operation.chainCost }),
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody && { requestBody: describeBody(route, rest, fields, options) }),
    'x-codeSamples': listSamples(route, options),
    responses: {
      200: describeAnswer(operation),
      ...(operation.kind === 'read' && { 304: { description: 'Not changed since the ETag in `If-None-Match`.' } }),
      ...describeErrors(route, names, hasBody, options),
    },
  }
}

function listSamples(route: Route, { listExamples, urlVariable }: OpenapiOptions): OpenapiOperation['x-codeSamples'] {
  const samples = listExamples(route).map((example) => ({
    lang: 'curl',
    label: example.summary,
    source: formatCurl(route, example, urlVariable),
  }))
  const stream = `curl -N -H 'accept: text/event-stream' "$${urlVariable}${route.path}"`
  return route.operation.stream ? [...samples, { lang: 'curl', label: 'As a stream', source: stream }] : samples
}

function describeAnswer(operation: Operation): OpenapiResponse {
  const { kind, stream, responseHeaders = {} } = operation
  const headers = { ...(kind === 'read' && readHeaders), ...describeHeaders(responseHeaders[200]) }
  return {
    description: stream ? `The answer, or a stream of it.\n\n${stream.description}` : 'The answer.',
    ...(Object.keys(headers).length > 0 && { headers }),
    content: {
      'application/json': { schema: { $ref: refer(nameAnswer(operation)) } },
      ...(stream && {
        // The whole body is an array of its messages: OpenAPI 3.2 reads the schema of a sequential media type so.
        'text/event-stream': {
          schema: {
            type: 'array',
            items: discriminate('event', Object.keys(stream.messages), (name) =>
              nameMessage(name, stream.messages[name]),
            ),
          },
        },
      }),
    },
  }
}

const readHeaders: Headers = {
  ETag: { description: 'Changes with the content, not with the block.', schema: { type: 'string' } },
  'X-Block-Number': { description: 'Block at which the answer is true.', schema: { type: 'integer' } },
  'X-Read-Path': {
    description: 'Whether the index or the chain itself was read; the same as `meta.path`.',
    schema: { type: 'string', enum: readPaths },
  },
}

const describeHeaders = (headers: Readonly<Record<string, string>> = {}): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
  )

/** The fields that an operation accepts. Every read also accepts the options of reads. */
function describeInput({ kind, input }: Operation): Fields {
  const { properties = {}, required = [] }: Partial<Fields> = convertSchema(input)
  const { properties: options }: Partial<Fields> = kind === 'read' ? convertSchema(z.object(readOptions)) : {}
  return { properties: { ...properties, ...options }, required }
}

function describeParameter(
  route: Route,
  name: string,
  place: 'path' | 'query',
  { properties, required }: Fields,
  { listExamples }: OpenapiOptions,
): OpenapiParameter {
  const { description, ...schema } = properties[name] ?? {}
  const [example] = listExamples(route).flatMap(({ input }) =>
    Object.entries(input).flatMap(([field, value]) => (field === name ? [value] : [])),
  )
  return {
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(typeof description === 'string' && { description }),
    schema,
    ...(example !== undefined && { example }),
  }
}

function describeBody(
  route: Route,
  names: readonly string[],
  { properties, required }: Fields,
  { listExamples }: OpenapiOptions,
): NonNullable<OpenapiOperation['requestBody']> {
  const { cases } = route.operation
  const own = (input: object) => Object.fromEntries(Object.entries(input).filter(([name]) => names.includes(name)))
  const schema = cases
    ? discriminate(cases.field, cases.values, nameCase)
    : { type: 'object', properties: own(properties), required: required.filter((name) => names.includes(name)) }
  const examples = listExamples(route).map(({ summary: says, input }, index) => [
    `example${index + 1}`,
    { summary: says, value: own(input) },
  ])
  return { required: true, content: { 'application/json': { schema, examples: Object.fromEntries(examples) } } }
}

function describeErrors(
  { method, operation }: Route,
  fields: readonly string[],
  hasBody: boolean,
  { commonErrors }: OpenapiOptions,
): OpenapiOperation['responses'] {
  const { kind, errors = [], errorBodies = {}, responseHeaders = {} } = operation
  const codes = new Set<ErrorCode>([
    ...commonErrors.all,
    ...(method === 'get' ? [] : commonErrors.post),
    ...fields.map(getParameterErrorCode),
    ...(hasBody ? (['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...(kind === 'read' ? (['CHAIN_UNREACHABLE', 'BLOCK_NOT_REACHED'] as const) : []),
    ...errors,
  ])
  const statuses = [...new Set([...codes].map(statusOf))].sort()
  return Object.fromEntries(
    statuses.map((status) => {
      const own = [...codes].filter((code) => statusOf(code) === status)
      const headers = {
        ...([429, 503].includes(status) && { 'Retry-After': retryAfter }),
        ...describeHeaders(responseHeaders[status]),
      }
      const body = findName(errorBodies[status]) ?? 'Error'
      const response: OpenapiResponse = {
        description: own.map((code) => `\`${code}\`: ${meanings[code].meaning}`).join('\n'),
        ...(Object.keys(headers).length > 0 && { headers }),
        content: { 'application/json': { schema: { $ref: refer(body) } } },
      }
      return [status, response]
    }),
  )
}

const retryAfter = { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer', minimum: 1 } }

const meanings = {
  ...errorCodes,
  ...gatewayErrorCodes,
  ...sessionErrorCodes,
  ...storeErrorCodes,
  ...notifyErrorCodes,
}
