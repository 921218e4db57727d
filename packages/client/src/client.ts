import { type Error as ErrorBody, type Operations, operations } from './contract.ts'
import { held } from './held.ts'

export interface ClientOptions {
  /** Where the API is, without a path. */
  baseUrl: string
  fetch?: (request: Request) => Response | Promise<Response>
  timeoutMs?: number
}

/** An answer, and what its headers say. */
export interface Answer<T> {
  body: T
  /** Null where the answer is about no block. */
  blockNumber: bigint | null
  etag: string | null
  path: 'index' | 'direct' | null
}

/** One function for each operation of the contract. */
export type Client = {
  [Name in keyof Operations]: (input: Operations[Name]['input']) => Promise<Answer<Operations[Name]['answer']>>
}

/** A client of the API at `baseUrl`. An answer that is no success is thrown as an `ApiError`. */
export function createClient({ baseUrl, fetch = globalThis.fetch, timeoutMs = 10_000 }: ClientOptions): Client {
  const call = async (name: keyof Operations, input: Record<string, unknown>) => {
    const { method, path } = operations[name]
    const url = new URL(path, baseUrl)
    const given = Object.entries(input).filter(([, value]) => value !== undefined)
    if (method === 'get') for (const [field, value] of given) url.searchParams.set(field, String(value))
    const request = new Request(url, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      ...(method !== 'get' && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(Object.fromEntries(given)),
      }),
    })
    held.add(request)
    try {
      return await answerOf(await fetch(request))
    } finally {
      held.delete(request)
    }
  }
  return Object.fromEntries(
    (Object.keys(operations) as (keyof Operations)[]).map((name) => [
      name,
      (input: Record<string, unknown>) => call(name, input),
    ]),
  ) as unknown as Client
}

async function answerOf(response: Response): Promise<Answer<unknown>> {
  if (!response.ok) throw await refusalOf(response)
  const body: unknown = await response.json()
  const block = response.headers.get('x-block-number')
  return {
    body,
    blockNumber: block === null ? null : BigInt(block),
    etag: response.headers.get('etag'),
    path: response.headers.get('x-read-path') as Answer<unknown>['path'],
  }
}

/** An answer that is no success, as what is thrown of it. */
export async function refusalOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null)
  return new ApiError(response.status, body as Partial<ErrorBody> | null, response.headers)
}

/** What the API refused, in its own words. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: ErrorBody['code'] | null
  readonly hint: string | null
  readonly quota: ErrorBody['quota']
  /** Seconds after which asking again makes sense. */
  readonly retryAfter: number | null

  constructor(status: number, body: Partial<ErrorBody> | null, headers: Headers) {
    super(body?.error ?? `The API answered with status ${status}.`)
    this.status = status
    this.code = body?.code ?? null
    this.hint = body?.hint ?? null
    this.quota = body?.quota
    const after = headers.get('retry-after')
    this.retryAfter = after === null ? null : Number(after)
  }
}
