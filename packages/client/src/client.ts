import type { ErrorJson, InputJson, OperationName, OutputJson, operations, ReadPath } from '@svc/operations'
import type { Endpoint } from '@svc/operations/endpoints'
import { parseRetryAfter } from '@svc/protocol/internal/base'
import { activeRequests } from './activeRequests.ts'

export interface ClientOptions {
  /** Base URL of the service. A path before its routes, such as that of a proxy, is kept. */
  baseUrl: string
  fetch?: (request: Request) => Response | Promise<Response>
  timeoutMs?: number
}

/** A response body, and the values of its headers. */
export interface Answer<T> {
  body: T
  /** Null if the response does not depend on a block. */
  blockNumber: bigint | null
  etag: string | null
  /** Whether the index or the chain was read; null if the response does not depend on a block. */
  path: ReadPath | null
}

/** What a caller sends. A read can also wait for a block, such as that of the caller's own transaction, or skip the index. */
export type ClientInput<Name extends OperationName> = InputJson<Name> &
  ((typeof operations)[Name]['kind'] extends 'read' ? { minBlock?: number; path?: 'chain' } : object)

/** One function for each operation of a table of endpoints. */
export type Client<Table> = {
  [Name in keyof Table & OperationName]: (input: ClientInput<Name>) => Promise<Answer<OutputJson<Name>>>
}

/**
 * Creates a client for the operations in a table of endpoints. Types are inferred from the operations; nothing is
 * generated, and no schema is loaded. An error response is thrown as an {@link ApiError}.
 *
 * @example
 * ```ts
 * const api = createClient(apiEndpoints, { baseUrl: 'https://market.example' })
 * const { body, blockNumber } = await api.listOpenTasks({ market: 'micro', limit: 5 })
 * ```
 */
export function createClient<const Table extends Readonly<Partial<Record<OperationName, Endpoint>>>>(
  endpoints: Table,
  { baseUrl, fetch = globalThis.fetch, timeoutMs = 10_000 }: ClientOptions,
): Client<Table> {
  const call = async (endpoint: Endpoint, input: object) => {
    const request = buildRequest(endpoint, input, baseUrl, AbortSignal.timeout(timeoutMs))
    activeRequests.add(request)
    try {
      return await readAnswer(await fetch(request))
    } finally {
      activeRequests.delete(request)
    }
  }
  // The keys are those of the table, which `Object.fromEntries` cannot express: its general form is untyped.
  const functions = Object.entries<Endpoint>(endpoints).map(([name, endpoint]): readonly unknown[] => [
    name,
    (input: object) => call(endpoint, input),
  ])
  return Object.fromEntries(functions)
}

function buildRequest(endpoint: Endpoint, input: object, baseUrl: string, signal: AbortSignal): Request {
  const [method = 'GET', template = ''] = endpoint.split(' ')
  const fields = new Map(Object.entries(input).filter(([, value]) => value !== undefined))
  const path = template.replace(/:(\w+)/g, (_, name: string) => {
    const value = encodeURIComponent(String(fields.get(name)))
    fields.delete(name)
    return value
  })
  const url = joinUrl(baseUrl, path)
  if (method === 'GET') {
    for (const [name, value] of fields) url.searchParams.set(name, String(value))
    return new Request(url, { signal })
  }
  const body = JSON.stringify(Object.fromEntries(fields))
  return new Request(url, { method, signal, headers: { 'content-type': 'application/json' }, body })
}

/**
 * Joins a path of a service to its base URL. `new URL(path, base)` would drop the path of the base.
 *
 * @example
 * ```ts
 * joinUrl('https://market.example/store', '/v1/store') // https://market.example/store/v1/store
 * ```
 */
export function joinUrl(baseUrl: string, path: string): URL {
  return new URL(baseUrl.replace(/\/+$/, '') + path)
}

async function readAnswer(response: Response): Promise<Answer<unknown>> {
  if (!response.ok) throw await readError(response)
  const body: unknown = await response.json()
  const block = response.headers.get('x-block-number')
  const path = response.headers.get('x-read-path')
  return {
    body,
    blockNumber: block === null ? null : BigInt(block),
    etag: response.headers.get('etag'),
    path: path === 'index' || path === 'chain' ? path : null,
  }
}

/** Reads an error response as the error to throw. */
export async function readError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  return new ApiError(response.status, body as Partial<ErrorJson> | null, response.headers)
}

/** An error response of the service, with its code and message. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: ErrorJson['code'] | null
  readonly hint: string | null
  readonly quota: ErrorJson['quota']
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | null

  constructor(status: number, body: Partial<ErrorJson> | null, headers: Headers) {
    super(body?.error ?? `The API answered with status ${status}.`)
    this.status = status
    this.code = body?.code ?? null
    this.hint = body?.hint ?? null
    this.quota = body?.quota
    const retryAfterMs = parseRetryAfter(headers.get('retry-after'), Date.now())
    this.retryAfter = retryAfterMs === null ? null : Math.ceil(retryAfterMs / 1_000)
  }
}
