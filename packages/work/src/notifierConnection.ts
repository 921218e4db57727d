import { createClient } from '@svc/client'
import { notifyEndpoints } from '@svc/operations/endpoints'
import { SvcError } from '@svc/protocol'
import { buildNotifyProof } from '@svc/protocol/internal/work'
import { hashStatement, parseStatementMessage } from '@svc/protocol/work'
import { privateKeyToAccount } from 'viem/accounts'
import type { DeviceKeys } from './deviceKeys.ts'
import { createRetryFetch, type Fetch } from './retryFetch.ts'
import { createNonce, createSignedFetch } from './signedFetch.ts'

export interface NotifierOptions {
  /** Where the notifier answers; its routes begin with `/notify`. */
  baseUrl: string
  /** The keys of the wallet. Without them, only what needs no session can be called. */
  keys?: DeviceKeys | undefined
  fetch?: Fetch
  /** Unix seconds. */
  now: () => number
  sleep?: (milliseconds: number) => Promise<void>
}

/** A notifier over HTTP. */
export type NotifierConnection = ReturnType<typeof connectNotifier>

/**
 * Connects to a notifier. Opens a session when one is needed, by a signature of the device key, and another when it has expired.
 *
 * @example
 * ```ts
 * const notifier = connectNotifier({ baseUrl: 'https://market.example', keys, now })
 * const { body } = await notifier.listNotifications({ show: 'unread' })
 * ```
 */
export function connectNotifier({ baseUrl, keys, now, fetch = globalThis.fetch, sleep = wait }: NotifierOptions) {
  const repeat = createRetryFetch({ fetch, sleep })
  // Only reads are repeated: another attempt of a call could send another e-mail.
  const retryFetch: Fetch = (request) => (request.method === 'GET' ? repeat(request) : fetch(request))
  const anonymous = createClient(notifyEndpoints, { baseUrl, fetch: retryFetch, timeoutMs })
  if (!keys) return anonymous
  const openSession = async ({ statement, devicePrivateKey }: DeviceKeys): Promise<string> => {
    if (!statement) throw new SvcError('NOT_SIGNED_IN', 'The wallet has not signed in on this device. Sign in first.')
    const [issuedAt, nonce] = [now(), createNonce()]
    const { domain } = parseStatementMessage(statement.message)
    const text = buildNotifyProof({ domain, statement: hashStatement(statement.message), issuedAt, nonce })
    const signature = await privateKeyToAccount(devicePrivateKey).signMessage({ message: text })
    return (await anonymous.createSession({ ...statement, proof: { issuedAt, nonce, signature } })).body.token
  }
  return createClient(notifyEndpoints, { baseUrl, fetch: createSignedFetch(retryFetch, keys, openSession), timeoutMs })
}

const timeoutMs = 30_000
const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
