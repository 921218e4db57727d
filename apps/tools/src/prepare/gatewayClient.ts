import { readBoundedJson } from '@svc/client/node'
import { quotaJson, type RequestJson, receiptAnswerJson, requestJson } from '@svc/operations'
import * as z from 'zod/mini'
import { PrepareError } from './prepareError.ts'

/** A response of the gateway. */
interface Reply {
  status: number
  body: unknown
  /** How long to wait before the next request. */
  retryAfterMs: number
}

/** A client of the local gateway. Every call throws `GatewayUnreachableError` if there is no response. */
export interface GatewayClient {
  url: string
  /** Creates a request that a person can approve. */
  createRequest: (wanted: { action: string; input: unknown; from: string; asker?: string }) => Promise<RequestJson>
  /** Gets a request, after a change or after the wait; null if the gateway does not know it. */
  getRequest: (requestId: string, waitSeconds: number) => Promise<RequestJson | null>
  /** Gets a readiness receipt. */
  getReceipt: (wanted: { taskId: string; address: string }) => Promise<ReceiptJson>
  /** Checks that the gateway responds. */
  ping: () => Promise<void>
}

type ReceiptJson = z.infer<typeof receiptAnswerJson>

const errorBody = z.object({
  error: z.string(),
  code: z.optional(z.string()),
  hint: z.optional(z.string()),
  checks: z.optional(z.array(z.looseObject({}))),
  quota: z.optional(quotaJson),
  plansUrl: z.optional(z.string()),
})

/** Creates a client of the gateway at a URL. */
export function createGatewayClient(url: string): GatewayClient {
  const base = url.replace(/\/+$/, '')
  const ask = async (path: string, timeoutMs: number, body?: unknown): Promise<Reply> => {
    try {
      const response = await fetch(`${base}${path}`, {
        ...(body !== undefined && {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      const seconds = Number(response.headers.get('retry-after') ?? 2)
      return {
        status: response.status,
        body: await readBoundedJson(response),
        retryAfterMs: 1000 * (seconds >= 0 && seconds <= 60 ? seconds : 2),
      }
    } catch (cause) {
      throw new GatewayUnreachableError(base, cause)
    }
  }
  return {
    url: base,
    async createRequest(wanted) {
      return parseRequest(await ask('/v1/requests', 30_000, wanted))
    },
    async getRequest(requestId, waitSeconds) {
      const path = `/v1/requests/${encodeURIComponent(requestId)}${waitSeconds > 0 ? `?wait=${waitSeconds}` : ''}`
      const reply = await ask(path, (waitSeconds + 10) * 1000)
      return reply.status === 404 ? null : parseRequest(reply)
    },
    async getReceipt(wanted) {
      const reply = await ask('/v1/payment-receipt', 30_000, wanted)
      const { success, data } = receiptAnswerJson.safeParse(reply.body)
      if (reply.status === 200 && success) return data
      throw toPrepareError(reply)
    },
    async ping() {
      const reply = await ask('/v1/fees', 5_000)
      if (reply.status !== 200) throw toPrepareError(reply)
    },
  }
}

function parseRequest(reply: Reply): RequestJson {
  const { success, data } = requestJson.safeParse(reply.body)
  if (reply.status < 300 && success) return data
  throw toPrepareError(reply)
}

/** Converts an error response: the state does not allow it, the input is invalid, or the gateway is busy. */
function toPrepareError({ status, body, retryAfterMs }: Reply): PrepareError {
  const { success, data } = errorBody.safeParse(body)
  // Another service of the market has no such route.
  if (!success || data.code === 'NOT_FOUND' || data.code === 'METHOD_NOT_ALLOWED') {
    return new PrepareError('unreachable', `The server at SVC_GATEWAY_URL is not a gateway (status ${status}).`, {
      code: 'GATEWAY_UNREADABLE',
      hint: 'Check SVC_GATEWAY_URL.',
    })
  }
  const details = {
    ...(data.code && { code: data.code }),
    ...(data.hint && { hint: data.hint }),
    ...(data.checks && { checks: data.checks }),
    ...(data.quota && { quota: data.quota }),
    ...(data.plansUrl && { plansUrl: data.plansUrl }),
  }
  if (data.code === 'QUOTA_REACHED') return new PrepareError('refused', data.error, details)
  if (status === 429 || status >= 500) return new GatewayBusyError(data.error, details, retryAfterMs)
  return new PrepareError(status === 400 ? 'usage' : 'refused', data.error, details)
}

/** Thrown if the gateway does not respond. `isDown`: no connection, so it cannot have received the request. */
export class GatewayUnreachableError extends PrepareError {
  readonly isDown: boolean

  constructor(url: string, cause: unknown) {
    const isDown = connectErrors.has(String((cause as { cause?: { code?: unknown } }).cause?.code))
    super(
      'unreachable',
      isDown ? `No gateway is running at ${url}.` : `The gateway at ${url} did not send a complete response.`,
      {
        code: 'GATEWAY_UNREACHABLE',
        hint: isDown
          ? startGatewayHint
          : 'It may have received the request. Check the gateway before you prepare it again.',
      },
    )
    this.isDown = isDown
    this.cause = cause
  }
}

const connectErrors: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** Thrown if the gateway is busy. */
export class GatewayBusyError extends PrepareError {
  readonly retryAfterMs: number

  constructor(message: string, details: PrepareError['details'], retryAfterMs: number) {
    super('unreachable', message, details)
    this.retryAfterMs = retryAfterMs
  }
}

/** How to continue without a gateway. */
export const startGatewayHint =
  'Start one with `node apps/gateway/src/main.ts` (SVC_GATEWAY_URL is its address) and run this again to approve it in a browser, or send the calls with any wallet that supports EIP-5792.'
