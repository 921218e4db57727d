import { type RequestJson, receiptAnswerJson, requestJson } from '@svc/protocol/http'
import * as z from 'zod/mini'
import { PrepareError } from './prepareError.ts'
import { readBody } from './readBody.ts'

/** What the gateway said, where it said anything. */
interface Reply {
  status: number
  body: unknown
  /** How long it asks to be left alone. */
  retryAfterMs: number
}

/** The local gateway as the command uses it. Every call throws `GatewayAwayError` where nobody answers. */
export interface Gateway {
  url: string
  /** Puts an action before a person. */
  create: (wanted: { action: string; input: unknown; from: string }) => Promise<RequestJson>
  /** The request as it stands, or once it changed, or after the wait; null for one that the gateway does not know. */
  look: (requestId: string, waitSeconds: number) => Promise<RequestJson | null>
  /** Asks for a readiness receipt. */
  receipt: (wanted: { taskId: string; address: string }) => Promise<ReceiptJson>
  /** Whether it is there. */
  ping: () => Promise<void>
}

type ReceiptJson = z.infer<typeof receiptAnswerJson>

const errorBody = z.object({
  error: z.string(),
  code: z.optional(z.string()),
  hint: z.optional(z.string()),
  checks: z.optional(z.array(z.looseObject({}))),
})

/** Speaks to the gateway at a URL. */
export function createGateway(url: string): Gateway {
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
        body: await readBody(response),
        retryAfterMs: 1000 * (seconds >= 0 && seconds <= 60 ? seconds : 2),
      }
    } catch (cause) {
      throw new GatewayAwayError(base, cause)
    }
  }
  return {
    url: base,
    async create(wanted) {
      return requestOf(await ask('/v1/requests', 30_000, wanted))
    },
    async look(requestId, waitSeconds) {
      const path = `/v1/requests/${encodeURIComponent(requestId)}${waitSeconds > 0 ? `?wait=${waitSeconds}` : ''}`
      const reply = await ask(path, (waitSeconds + 10) * 1000)
      return reply.status === 404 ? null : requestOf(reply)
    },
    async receipt(wanted) {
      const reply = await ask('/v1/payment-receipt', 30_000, wanted)
      const { success, data } = receiptAnswerJson.safeParse(reply.body)
      if (reply.status === 200 && success) return data
      throw refusalOf(reply)
    },
    async ping() {
      const reply = await ask('/v1/fees', 5_000)
      if (reply.status !== 200) throw refusalOf(reply)
    },
  }
}

function requestOf(reply: Reply): RequestJson {
  const { success, data } = requestJson.safeParse(reply.body)
  if (reply.status < 300 && success) return data
  throw refusalOf(reply)
}

/** What an answer that is not the one asked for means: the state refuses, the input is wrong, or the gateway cannot now. */
function refusalOf({ status, body, retryAfterMs }: Reply): PrepareError {
  const { success, data } = errorBody.safeParse(body)
  // Another server of ours says that it has no such route.
  if (!success || data.code === 'NOT_FOUND' || data.code === 'METHOD_NOT_ALLOWED') {
    return new PrepareError('unreachable', `What answers at the gateway's address is no gateway (status ${status}).`, {
      code: 'GATEWAY_UNREADABLE',
      hint: 'Check SVC_GATEWAY_URL.',
    })
  }
  const details = {
    ...(data.code && { code: data.code }),
    ...(data.hint && { hint: data.hint }),
    ...(data.checks && { checks: data.checks }),
  }
  if (status === 429 || status >= 500) return new GatewayBusyError(data.error, details, retryAfterMs)
  return new PrepareError(status === 400 ? 'usage' : 'refused', data.error, details)
}

/** The gateway does not answer; `nobody`: there is none, so it has not heard either. */
export class GatewayAwayError extends PrepareError {
  readonly nobody: boolean

  constructor(url: string, cause: unknown) {
    const nobody = unheard.has(String((cause as { cause?: { code?: unknown } }).cause?.code))
    super(
      'unreachable',
      nobody ? `No gateway answers at ${url}.` : `The gateway at ${url} did not finish its answer.`,
      {
        code: 'GATEWAY_UNREACHABLE',
        hint: nobody ? howToStart : 'It may have the request all the same: look there before you prepare it again.',
      },
    )
    this.nobody = nobody
    this.cause = cause
  }
}

const unheard: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/** The gateway answers, but not now. */
export class GatewayBusyError extends PrepareError {
  readonly retryAfterMs: number

  constructor(message: string, details: PrepareError['details'], retryAfterMs: number) {
    super('unreachable', message, details)
    this.retryAfterMs = retryAfterMs
  }
}

/** What to do without a gateway. */
export const howToStart =
  'Start one with `node apps/gateway/src/main.ts` (SVC_GATEWAY_URL says where it is) and run this again to approve it in a browser, or send the calls with any wallet tool that takes EIP-5792 calls.'
