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

/** Where the notifier is on this origin, and at the notifier itself. */
export const notifyPath = '/notify'

/** Time for a part to arrive on a slow line: 4 MiB at about 0.3 Mbit/s, as at the store itself. */
export const storeRequestMs = 120_000

/** Time for a request and its answer. */
const forwardMs = 300_000

const requestHeaders = ['accept', 'authorization', 'content-length', 'content-type', 'if-none-match', 'range']
const hopHeaders = ['connection', 'date', 'keep-alive', 'transfer-encoding']

/** A service behind this one. */
interface ForwardOptions {
  /** Its URL, as this service reaches it. */
  url: string
  /** Requests below it are passed on. */
  path: string
  /** The beginning of the path that the service itself does not have. */
  strip: string
  /** The error if it does not answer. */
  unreachable: { code: 'STORE_UNREACHABLE' | 'NOTIFIER_UNREACHABLE'; message: string }
  /** Sends the request. */
  send: typeof fetch
}

/** Passes requests below {@link storePath} on to the store. */
export const createStoreForward = ({ url }: ForwardedStore, send: typeof fetch = fetch) =>
  createForward({
    url,
    send,
    path: `${storePath}/v1/`,
    strip: storePath,
    unreachable: { code: 'STORE_UNREACHABLE', message: 'The store of delivered work does not answer now.' },
  })

/** Passes requests below {@link notifyPath} on to the notifier. */
export const createNotifyForward = (url: string, send: typeof fetch = fetch) =>
  createForward({
    url,
    send,
    path: `${notifyPath}/v1/`,
    strip: '',
    unreachable: { code: 'NOTIFIER_UNREACHABLE', message: 'The notifier does not answer now.' },
  })

/**
 * Creates a function that passes requests below a path on to another service, and its answers back, as streams. In production, a
 * proxy does this instead. The service checks sizes, sessions and bytes; nothing is decided here.
 */
function createForward({ url: baseUrl, path, strip, unreachable, send }: ForwardOptions) {
  const base = baseUrl.replace(/\/+$/, '')
  return async (request: Request, context: RequestContext): Promise<Response> => {
    const { pathname, search } = new URL(request.url)
    // The path is normalized here, so it cannot leave the service's public routes.
    if (!pathname.startsWith(path)) {
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
    const response = await send(`${base}${pathname.slice(strip.length)}${search}`, {
      method: request.method,
      headers,
      body: request.body,
      duplex: 'half',
      redirect: 'error',
      signal: AbortSignal.any([request.signal, AbortSignal.timeout(forwardMs)]),
    }).catch((cause: unknown) => {
      throw new ServiceError(unreachable.code, unreachable.message, {
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
