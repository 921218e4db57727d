import { createECDH, createHash } from 'node:crypto'
import webPush from 'web-push'
import type { Channel, OutgoingMessage } from './channel.ts'
import { describeSendError } from './describeSendError.ts'
import type { PublicRequester } from './publicRequest.ts'

/** A browser's `PushSubscription`, as it writes itself. */
export interface PushTarget {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

export interface PushOptions {
  /** Who sends: a `mailto:` or https URL for the operators of push services. */
  subject: string
  /** Private key on P-256, base64url. */
  privateKey: string
}

const daySeconds = 24 * 60 * 60
const maxTtl = 28 * daySeconds
/** RFC 8291 limits the encrypted body to 4,096 bytes. */
const maxPayloadBytes = 3_000

/** Returns the public key that browsers subscribe with. */
export function getPushPublicKey(privateKey: string): string {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(privateKey, 'base64url')
  return ecdh.getPublicKey('base64url')
}

/** Sends encrypted messages to browsers through their push services (RFC 8030, 8291 and 8292). */
export function createPushChannel(
  { subject, privateKey }: PushOptions,
  { post }: Pick<PublicRequester, 'post'>,
  now = Date.now,
): Channel<PushTarget> {
  const vapidDetails = { subject, privateKey, publicKey: getPushPublicKey(privateKey) }
  return {
    name: 'push',
    async send(target, message, signal) {
      try {
        const { headers, body } = webPush.generateRequestDetails(target, buildPushPayload(message), {
          vapidDetails,
          contentEncoding: 'aes128gcm',
          ...choosePushOptions(message, Math.floor(now() / 1_000)),
        })
        const { status, retryAfterMs } = await post(
          target.endpoint,
          { wallet: message.wallet, headers: readHeaders(headers), body },
          signal,
        )
        if (status >= 200 && status < 300) return { result: 'sent' }
        if (status === 404 || status === 410) {
          return { result: 'gone', reason: `The push service answered ${status}: the browser no longer subscribes.` }
        }
        const afterMs = status === 429 || status === 503 ? retryAfterMs : null
        return { result: 'retry', reason: `The push service answered ${status}.`, ...(afterMs !== null && { afterMs }) }
      } catch (error) {
        return describeSendError(error)
      }
    },
  }
}

/**
 * How long the push service keeps a message, how hard it tries, and which one it replaces. A device that was off for a day gets the
 * newest message of a task, not all of them.
 */
function choosePushOptions(
  { taskId, id, deadline }: Pick<OutgoingMessage, 'taskId' | 'id' | 'deadline'>,
  now: number,
): { TTL: number; urgency: 'high' | 'normal'; topic: string } {
  const left = deadline === null ? null : deadline - now
  return {
    TTL: left === null ? 3 * daySeconds : Math.min(Math.max(left, 60), maxTtl),
    urgency: left !== null && left <= daySeconds ? 'high' : 'normal',
    topic: createHash('sha256')
      .update(taskId ?? id)
      .digest('base64url')
      .slice(0, 32),
  }
}

/** Writes what the service worker shows. Cuts the text to what fits. */
function buildPushPayload({ id, kind, taskId, title, text, url }: OutgoingMessage): string {
  const write = (length: number) =>
    JSON.stringify({ id, kind, taskId, title: title.slice(0, 150), text: text.slice(0, length).toWellFormed(), url })
  const full = write(400)
  return Buffer.byteLength(full) <= maxPayloadBytes ? full : write(0)
}

const readHeaders = (headers: object): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(headers).filter(
      (entry): entry is [string, string | number] => typeof entry[1] === 'string' || typeof entry[1] === 'number',
    ),
  )
