import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestJson } from '@svc/protocol/http'
import type { Call } from './command.ts'
import { type Gateway, GatewayAwayError, GatewayBusyError } from './gateway.ts'
import { PrepareError } from './prepareError.ts'

/** How long one question at the gateway waits for a change. */
const waitSeconds = 25
/** How long to leave a gateway alone that does not answer. */
const awayMs = 1_000

/**
 * Waits until a request settles and tells what changes meanwhile. A gateway that goes away is asked again until the time is over.
 * Throws `timedOut` then, with how to resume; what the gateway does not know is `refused`.
 */
export async function followRequest(
  gateway: Gateway,
  requestId: string,
  { io, timeoutMs, progress }: Pick<Call, 'io' | 'timeoutMs' | 'progress'>,
): Promise<RequestJson> {
  const end = io.now() + timeoutMs
  let told = ''
  // The first look does not wait, so that where it stands is told at once.
  let wait = 0
  const tell = (words: string) => {
    if (words !== told) progress(words)
    told = words
  }
  while (true) {
    const left = end - io.now()
    if (left <= 0) throw tooLate(requestId, timeoutMs)
    try {
      const request = await gateway.look(requestId, Math.min(wait, Math.max(1, Math.floor(left / 1000))))
      if (!request) throw unknownRequest(requestId)
      if (request.settled) return request
      tell(words[request.status] ?? request.status)
      wait = waitSeconds
    } catch (error) {
      const busy = error instanceof GatewayBusyError
      if (!busy && !(error instanceof GatewayAwayError)) throw error
      tell(`${error.message} Asking again.`)
      await sleep(Math.min(busy ? error.retryAfterMs : awayMs, Math.max(0, end - io.now())))
    }
  }
}

const words: Readonly<Record<string, string>> = {
  pending: 'Waiting for a person to approve it.',
  submitted: 'Sent; waiting for the chain.',
}

/** A request that the gateway does not have. */
export const unknownRequest = (requestId: string): PrepareError =>
  new PrepareError('refused', `The gateway does not know request ${requestId}.`, {
    code: 'REQUEST_NOT_FOUND',
    hint: 'Check SVC_GATEWAY_URL and the id; if it was long ago, prepare the action again.',
  })

const tooLate = (requestId: string, timeoutMs: number) =>
  new PrepareError('timedOut', `Request ${requestId} did not settle in ${Math.round(timeoutMs / 1000)} s.`, {
    hint: `It still waits: svc-prepare status ${requestId} goes on.`,
  })
