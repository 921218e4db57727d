import type { Sql } from 'postgres'
import { getAddress } from 'viem'
import type { ChannelName, JsonObject, OutgoingMessage, SendResult } from './channels/channel.ts'
import { scheduleLane } from './records/deliveries.ts'
import { type NotificationRow, notificationColumns, toContent } from './records/notificationRow.ts'

/** A subscription as far as sending needs it. The target is encrypted. */
interface DeliveryTarget {
  id: string
  wallet: string
  channel: ChannelName
  target: string
}

export interface DeliverOptions {
  sql: Sql
  send: (to: DeliveryTarget, message: OutgoingMessage, signal: AbortSignal) => Promise<SendResult>
  onAttempt?: (channel: ChannelName, result: SendResult['result'] | 'expired') => void
  /** How long a message is tried before it is reported as failed. */
  maxAgeMs?: number
  firstDelayMs?: number
  maxDelayMs?: number
  sendMs?: number
}

interface Pending extends NotificationRow {
  seq: string
  attempts: number
  age_ms: string
  wallet: string
  data: JsonObject
  channel: ChannelName
  target: string
}

const day = 24 * 3_600_000

/**
 * Creates the job that sends what is pending in a lane, in order: a message goes out only when the one before it was sent or has
 * failed for good. An attempt is recorded before it is made, so that a crash leads to a repeat, never to a loss.
 */
export function createDeliver({
  sql,
  send,
  onAttempt = () => {},
  maxAgeMs = 26 * 3_600_000,
  firstDelayMs = 5_000,
  maxDelayMs = day / 24,
  sendMs = 15_000,
}: DeliverOptions): (lane: { subscription: string; lane: string }, stopping: AbortSignal) => Promise<void> {
  const end = (seq: string, status: 'sent' | 'failed', error: string | null) => sql`
    update notify.delivery set status = ${status}, error = ${error}, ended_at = now() where seq = ${seq}::bigint`

  return async ({ subscription, lane }, stopping) => {
    while (!stopping.aborted) {
      const [next] = await sql<Pending[]>`
        with head as (
          update notify.delivery set attempts = attempts + 1, first_at = coalesce(first_at, now())
          where status = 'pending' and seq = (select min(seq) from notify.delivery
            where subscription = ${subscription} and lane = ${lane} and status = 'pending')
          returning seq, notification, subscription, attempts, first_at)
        select h.seq, h.attempts, extract(epoch from now() - h.first_at) * 1000 as age_ms, ${sql.unsafe(notificationColumns)},
          n.wallet, n.data, s.channel, s.target
        from head h join notify.notification n on n.seq = h.notification join notify.subscription s on s.id = h.subscription`
      if (!next) return
      const { seq, channel, wallet, target } = next
      const result = await trySend(next, { id: subscription, wallet, channel, target }, stopping)
      if (result.result === 'sent') {
        onAttempt(channel, 'sent')
        await end(seq, 'sent', null)
      } else if (result.result === 'gone') {
        onAttempt(channel, 'gone')
        await endSubscription(subscription, result.reason)
        return
      } else if (Number(next.age_ms) >= maxAgeMs) {
        onAttempt(channel, 'expired')
        await end(seq, 'failed', result.reason)
        await sql`update notify.subscription set last_error = ${result.reason} where id = ${subscription}`
      } else {
        onAttempt(channel, 'retry')
        await sql`update notify.delivery set error = ${result.reason} where seq = ${seq}::bigint`
        const delay = Math.min(maxDelayMs, result.afterMs ?? firstDelayMs * 2 ** Math.min(20, next.attempts - 1))
        await scheduleLane(sql, subscription, lane, delay)
        return
      }
    }
    await scheduleLane(sql, subscription, lane, 0)
  }

  async function trySend(row: Pending, to: DeliveryTarget, stopping: AbortSignal): Promise<SendResult> {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(sendMs)])
    try {
      return await send(to, toMessage(row), signal)
    } catch {
      // The error may contain the target.
      return { result: 'retry', reason: signal.aborted ? 'No answer in time.' : 'The message could not be sent.' }
    }
  }

  /** The target is gone for good: nothing else is sent there, and what was pending is reported as failed. */
  async function endSubscription(subscription: string, reason: string): Promise<void> {
    await sql.begin(async (step) => {
      await step`update notify.subscription set gone = ${reason}, last_error = ${reason} where id = ${subscription}`
      await step`update notify.delivery set status = 'failed', error = ${reason}, ended_at = now()
        where subscription = ${subscription} and status = 'pending'`
    })
  }
}

function toMessage(row: Pending): OutgoingMessage {
  const { wallet, data, corrects } = row
  return {
    ...toContent(row),
    wallet: getAddress(wallet),
    data: corrects === null ? data : { ...data, corrects },
  }
}
