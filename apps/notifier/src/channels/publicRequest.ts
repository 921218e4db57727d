import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { ServiceError } from '@svc/operations'
import { parseRetryAfter } from '@svc/protocol/internal/base'
import type { Address } from 'viem'
import { isPublicAddress } from './publicAddress.ts'
import { createLookupQueue, createNameResolver, type ResolveName, resolveOnMachine } from './resolveName.ts'

/** A URL that strangers gave may not be asked. The message says why, without the URL. */
export class TargetRefusedError extends Error {
  override name = 'TargetRefusedError'
}

export interface PublicRequesterOptions {
  /** Origins that are asked although they are not public https: for tests and for receivers on the operator's own machines. */
  allowedOrigins?: readonly string[]
  /** By default the resolver of `createNameResolver`, and that of the machine for allowed origins. */
  resolve?: ResolveName
  timeouts?: Partial<RequestTimeouts>
}

interface RequestTimeouts {
  /** Until the connection stands, TLS included. */
  connectMs: number
  /** From then until the status and the headers are here. */
  headersMs: number
  /** For everything together. */
  totalMs: number
}

interface TargetAnswer {
  status: number
  /** What `Retry-After` asks for. */
  retryAfterMs: number | null
}

export interface PublicRequester {
  /** Throws `TargetRefusedError` unless the form of a URL is allowed. Resolves nothing. */
  checkUrl: (text: string) => URL
  /** Throws `TargetRefusedError` unless the URL is allowed and its name resolves to public addresses only. */
  checkTarget: (text: string, wallet: Address) => Promise<void>
  /** Sends a POST request. Never follows a redirect. Throws `TargetRefusedError`, or an error that does not contain the URL. */
  post: (
    url: string,
    request: { wallet: Address; headers: Readonly<Record<string, string | number>>; body: Buffer },
    signal: AbortSignal,
  ) => Promise<TargetAnswer>
}

const maxUrlLength = 2_048
/** Enough to notice that a receiver answers; what it says is not used. */
const maxAnswerBytes = 16_384
const maxRetryAfterMs = 24 * 60 * 60 * 1_000
const defaultTimeouts: RequestTimeouts = { connectMs: 5_000, headersMs: 10_000, totalMs: 20_000 }

/**
 * Creates a sender of requests to URLs that strangers gave. Only public https is asked. A name is resolved once, every address is
 * checked, and the connection goes to a checked address, so that a name cannot resolve to something else a moment later.
 */
export function createPublicRequester({
  allowedOrigins = [],
  resolve,
  timeouts,
}: PublicRequesterOptions = {}): PublicRequester {
  const { connectMs, headersMs, totalMs } = { ...defaultTimeouts, ...timeouts }
  const lookUp = createLookupQueue()
  const resolvePublic = createNameResolver()
  const isAllowed = (url: URL) => allowedOrigins.includes(url.origin)

  const checkUrl = (text: string): URL => {
    const url = text.length <= maxUrlLength ? URL.parse(text) : null
    if (!url) throw new TargetRefusedError('The URL is not valid.')
    if (url.username || url.password) throw new TargetRefusedError('The URL contains a user name or a password.')
    if (url.protocol !== 'https:' && !isAllowed(url)) throw new TargetRefusedError('The URL is not https.')
    const host = getHost(url)
    const isPrivate = isIP(host) ? !isPublicAddress(host) : /(?:^|\.)localhost\.?$/.test(host)
    if (isPrivate && !isAllowed(url)) throw notPublic()
    return url
  }

  /** Returns an address to connect to. All must be public: which of them is asked must not matter. */
  const findAddress = async (url: URL, wallet: Address, signal: AbortSignal): Promise<string> => {
    const host = getHost(url)
    const addresses = isIP(host)
      ? [host]
      : await lookUp({
          client: wallet,
          cost: 1,
          run: () => (resolve ?? (isAllowed(url) ? resolveOnMachine : resolvePublic))(host, signal),
          signal,
        }).catch((error: unknown) => {
          if (error instanceof ServiceError) throw error
          throw new Error('The name does not resolve.')
        })
    const [first] = addresses
    if (first === undefined) throw new Error('The name does not resolve.')
    if (!isAllowed(url) && !addresses.every(isPublicAddress)) throw notPublic()
    return first
  }

  return {
    checkUrl,
    async checkTarget(text, wallet) {
      const deadline = AbortSignal.timeout(totalMs)
      await withDeadline(findAddress(checkUrl(text), wallet, deadline), deadline)
    },
    async post(text, { wallet, headers, body }, signal) {
      const url = checkUrl(text)
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(totalMs)])
      const address = await withDeadline(findAddress(url, wallet, deadline), deadline)
      const connecting = new AbortController()
      const timer = setTimeout(() => connecting.abort(new Error('No connection in time.')), connectMs)
      try {
        return await send(url, address, AbortSignal.any([deadline, connecting.signal]), () => clearTimeout(timer))
      } finally {
        clearTimeout(timer)
      }

      function send(target: URL, address: string, ended: AbortSignal, onConnect: () => void): Promise<TargetAnswer> {
        const { promise, resolve: succeed, reject } = Promise.withResolvers<TargetAnswer>()
        const host = getHost(target)
        const isTls = target.protocol === 'https:'
        const request = (isTls ? requestHttps : requestHttp)({
          // The checked address, never the name: nothing is resolved again. The certificate is checked against the name.
          host: address,
          ...(isTls && !isIP(host) && { servername: host }),
          port: target.port || (isTls ? 443 : 80),
          path: `${target.pathname}${target.search}`,
          method: 'POST',
          headers: {
            ...headers,
            host: target.host,
            'content-length': body.length,
            'user-agent': 'task-market-notifier',
          },
          agent: false,
          signal: ended,
          maxHeaderSize: 16_384,
        })
        let headerTimer: NodeJS.Timeout | undefined
        request.on('socket', (socket) => {
          socket.once(isTls ? 'secureConnect' : 'connect', () => {
            onConnect()
            headerTimer = setTimeout(() => request.destroy(new Error('No answer in time.')), headersMs)
          })
        })
        request.on('response', (response) => {
          clearTimeout(headerTimer)
          // The status counts, even if the rest never ends.
          ended.addEventListener('abort', () => succeed(readAnswer(response)), { once: true })
          drain(response).then(() => succeed(readAnswer(response)))
        })
        request.on('error', (error) => {
          clearTimeout(headerTimer)
          reject(describeFailure(error, ended))
        })
        request.end(body)
        return promise
      }
    },
  }
}

/** Reads at most a few bytes of an answer, then drops the connection. */
async function drain(response: IncomingMessage): Promise<void> {
  let size = 0
  try {
    for await (const chunk of response) {
      size += (chunk as Buffer).length
      if (size > maxAnswerBytes) break
    }
  } catch {
    // The status is here; the rest of the answer is not used.
  }
  response.destroy()
}

function readAnswer({ statusCode = 0, headers }: IncomingMessage): TargetAnswer {
  const asked = parseRetryAfter(headers['retry-after'], Date.now())
  return { status: statusCode, retryAfterMs: asked === null ? null : Math.min(asked, maxRetryAfterMs) }
}

const getHost = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')

const notPublic = () => new TargetRefusedError('The URL leads to an address that is not public.')

/** The machine's own resolver cannot be cancelled, but nobody has to wait for it. */
function withDeadline<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(describeFailure(signal.reason, signal))
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', stop))
}

/** Errors of sockets contain names and addresses, which are contact data: only their code is kept. */
function describeFailure(error: unknown, ended: AbortSignal): Error {
  if (ended.aborted) {
    const { name, message } = ended.reason as Error
    return new Error(name === 'Error' ? message : 'No answer in time.')
  }
  const { code, message } = error as NodeJS.ErrnoException
  return new Error(code ? `The connection failed (${code}).` : message)
}
