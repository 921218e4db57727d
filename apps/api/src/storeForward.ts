import { ServiceError } from '@svc/operations'
import { buildCommonHeaders, open, type RequestContext, toRepresentativeAddress } from '@svc/serve'
import type { Address } from 'viem'

/** The store of delivered work behind this service. */
export interface ForwardedStore {
  /** Its URL, as this service reaches it. */
  url: string
  /** The wallet that signs its receipts. */
  address: Address
}

/** Where the store is on this origin. A page may only connect to its own origin. */
export const storePath = '/store'

/** Time for a part to arrive on a slow line: 4 MiB at about 0.3 Mbit/s, as at the store itself. */
export const storeRequestMs = 120_000

/** Time for a request and its answer. */
const forwardMs = 300_000

const requestHeaders = ['accept', 'authorization', 'content-length', 'content-type', 'if-none-match', 'range']
const hopHeaders = ['connection', 'date', 'keep-alive', 'transfer-encoding']

/**
 * Creates a function that passes requests below {@link storePath} on to the store, and its answers back, as streams. In
 * production, a proxy does this instead. The store checks sizes, sessions and bytes; nothing is decided here.
 */
export function createStoreForward({ url: baseUrl }: ForwardedStore) {
  const base = baseUrl.replace(/\/+$/, '')
  return async (request: Request, context: RequestContext): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    // The path is normalized here, so it cannot leave the store's public routes.
    if (!pathname.startsWith(`${storePath}/v1/`)) {
      throw new ServiceError('NOT_FOUND', 'There is nothing at this path.', { hint: 'See /docs.' })
    }
    const headers = new Headers({
      'x-forwarded-for': toRepresentativeAddress(context.client),
      'x-request-id': context.id,
    })
    for (const name of requestHeaders) {
      const value = request.headers.get(name)
      if (value !== null) headers.set(name, value)
    }
    // Otherwise `fetch` asks for compression and unpacks the answer.
    headers.set('accept-encoding', 'identity')
    const response = await fetch(`${base}${pathname.slice(storePath.length)}${search}`, {
      method: request.method,
      headers,
      body: request.body,
      duplex: 'half',
      redirect: 'error',
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(forwardMs)]),
    }).catch((cause: unknown) => {
      throw new ServiceError('STORE_UNREACHABLE', 'The store of delivered work does not answer now.', {
        hint: 'Try again in a moment. Everything else works without it.',
        headers: open,
        cause,
      })
    })
    const answered = new Headers({ ...buildCommonHeaders(context), ...Object.fromEntries(response.headers) })
    for (const name of hopHeaders) answered.delete(name)
    return new Response(response.body, { status: response.status, headers: answered })
  }
}
