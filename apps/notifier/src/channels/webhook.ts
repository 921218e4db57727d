import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { Channel, JsonObject, OutgoingMessage } from './channel.ts'
import { describeSendError } from './describeSendError.ts'
import type { PublicRequester } from './publicRequest.ts'

export interface WebhookTarget {
  url: string
  /** As Standard Webhooks writes it: `whsec_` and base64. */
  secret: string
}

/** Standard Webhooks asks senders to stay below 20 kB. */
const maxBodyBytes = 20_000
const maxText = 4_000

/** Creates the secret of a webhook. */
export const createWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** Sends signed requests (Standard Webhooks). The id stays the same in every attempt; the timestamp is that of the attempt. */
export function createWebhookChannel({ post }: Pick<PublicRequester, 'post'>, now = Date.now): Channel<WebhookTarget> {
  return {
    name: 'webhook',
    async send({ url, secret }, message, signal) {
      const body = buildWebhookBody(message)
      const at = new Date(now())
      try {
        const { status, retryAfterMs } = await post(
          url,
          {
            wallet: message.wallet,
            body: Buffer.from(body),
            headers: {
              'content-type': 'application/json',
              'webhook-id': message.id,
              'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
              'webhook-signature': new Webhook(secret).sign(message.id, at, body),
            },
          },
          signal,
        )
        if (status >= 200 && status < 300) return { result: 'sent' }
        if (status === 410) return { result: 'gone', reason: 'The receiver answered 410 Gone.' }
        const reason =
          status >= 300 && status < 400
            ? `The receiver answered ${status}; redirects are not followed.`
            : `The receiver answered ${status}.`
        const mayWait = (status === 429 || status === 503) && retryAfterMs !== null
        return { result: 'retry', reason, ...(mayWait && { afterMs: retryAfterMs }) }
      } catch (error) {
        return describeSendError(error)
      }
    },
  }
}

/** Writes the body of a webhook. Data that is too long is left out: the receiver reads it from the API. */
function buildWebhookBody({ id, kind, createdAt, text, data, ...rest }: OutgoingMessage): string {
  const write = (content: JsonObject | null) =>
    JSON.stringify({
      type: kind,
      timestamp: new Date(createdAt * 1_000).toISOString(),
      data: { id, ...rest, text: text.slice(0, maxText).toWellFormed(), details: content },
    })
  const whole = write(data)
  return Buffer.byteLength(whole) <= maxBodyBytes ? whole : write(null)
}
