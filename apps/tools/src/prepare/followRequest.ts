import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestJson } from '@svc/operations'
import type { Call } from './command.ts'
import { GatewayBusyError, type GatewayClient, GatewayUnreachableError } from './gatewayClient.ts'
import { PrepareError } from './prepareError.ts'

/** How long one request to the gateway waits for a change. */
const waitSeconds = 25
/** How long to wait before retrying an unreachable gateway. */
const retryMs = 1_000

/**
 * Waits until a request is settled and reports its progress. Retries while the gateway is unreachable. Throws `timedOut` after the
 * timeout, with how to resume, and `refused` if the gateway does not know the request.
 */
export async function followRequest(
  gateway: GatewayClient,
  requestId: string,
  { io, timeoutMs, progress }: Pick<Call, 'io' | 'timeoutMs' | 'progress'>,
): Promise<RequestJson> {
  const end = io.now() + timeoutMs
  let lastMessage = ''
  // The first request does not wait, so that the status is reported immediately.
  let wait = 0
  const report = (message: string) => {
    if (message !== lastMessage) progress(message)
    lastMessage = message
  }
  while (true) {
    const left = end - io.now()
    if (left <= 0) throw createTimeoutError(requestId, timeoutMs)
    try {
      const request = await gateway.getRequest(requestId, Math.min(wait, Math.max(1, Math.floor(left / 1000))))
      if (!request) throw createUnknownRequestError(requestId)
      if (request.settled) return request
      report(statusMessages[request.status] ?? request.status)
      wait = waitSeconds
    } catch (error) {
      const busy = error instanceof GatewayBusyError
      if (!busy && !(error instanceof GatewayUnreachableError)) throw error
      report(`${error.message} Retrying.`)
      await sleep(Math.min(busy ? error.retryAfterMs : retryMs, Math.max(0, end - io.now())))
    }
  }
}

const statusMessages: Readonly<Record<string, string>> = {
  pending: 'Waiting for approval.',
  submitted: 'Sent. Waiting for confirmation.',
}

/** Creates the error for a request that the gateway does not have. */
export const createUnknownRequestError = (requestId: string): PrepareError =>
  new PrepareError('refused', `The gateway does not know request ${requestId}.`, {
    code: 'REQUEST_NOT_FOUND',
    hint: 'Check SVC_GATEWAY_URL and the id. If the request is old, prepare the action again.',
  })

const createTimeoutError = (requestId: string, timeoutMs: number) =>
  new PrepareError('timedOut', `Request ${requestId} was not settled within ${Math.round(timeoutMs / 1000)} s.`, {
    hint: `It is still open. Run svc-prepare status ${requestId} --no-wait --json to see it, or without --no-wait to keep waiting.`,
  })
