import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { EventEntry } from '@svc/chain'
import { formatEventCursor, parseStreamId } from '@svc/operations'
import type { Market } from '@svc/protocol'
import { z } from 'zod'
import type { Subscribe } from './reads/fanOut.ts'
import type { StreamMessage } from './reads/tail.ts'
import { formatStreamMessage, heartbeat } from './streamText.ts'

/**
 * nginx with the module nchan. It holds the connections of listeners and hands them each message, which is sent to it once. Every
 * replica has a channel of its own for each market, so replicas need not agree on anything.
 */
export interface StreamHub {
  /** The path in nginx where a listener goes on after its last message; null if the replica must serve it. */
  locate: (market: Market, lastId: string | undefined) => Promise<string | null>
  /** Whether a listener with this last message can go on in nginx. */
  has: (market: Market, lastId: string) => boolean
}

export interface StreamHubOptions {
  /** Where nginx takes messages. */
  url: string
  subscribe: Subscribe
  /** The newest events of a market, oldest first. */
  listNewest: (market: Market) => Promise<readonly EventEntry[]>
  onFault: (error: Error) => void
  stopping: AbortSignal
}

/** Fewer than nginx keeps, so that a message that is remembered here is there too. The rest is room for heartbeats. */
const maxKept = 1_000
/** nginx keeps a message for an hour. */
const maxAgeMs = 50 * 60_000
/** Messages that arrive while others are sent go out together, up to this many. */
const maxBatch = 100
const [answerMs, retryMs] = [5_000, 1_000]
const gatherMs = 20

/** What nginx answers about a channel. */
const channelState = z.object({ messages: z.number(), last_message_id: z.string() })

/** A message of a stream. One without an id is a heartbeat. */
interface Sent {
  id: string | null
  text: string
  /** Whether the ids of earlier messages may be of events that are no longer on the chain. */
  isRollback: boolean
}

const silence: Sent = { id: null, text: heartbeat, isRollback: false }
const toSent = (message: StreamMessage, market: Market): Sent => ({
  ...formatStreamMessage(message, market),
  isRollback: message.kind !== 'event',
})

export function createStreamHub(options: StreamHubOptions): StreamHub {
  const channels = new Map<Market, Channel>()
  return {
    async locate(market, lastId) {
      const channel = channels.get(market) ?? openChannel(market, options)
      channels.set(market, channel)
      return channel.locate(lastId)
    },
    has: (market, lastId) => channels.get(market)?.has(lastId) ?? false,
  }
}

interface Channel {
  locate: (lastId: string | undefined) => Promise<string | null>
  has: (lastId: string) => boolean
}

/** Follows a market and sends its messages to nginx until the replica stops. */
function openChannel(market: Market, { url, subscribe, listNewest, onFault, stopping }: StreamHubOptions): Channel {
  /** The last messages, for another channel if nginx has lost this one. */
  const kept: Sent[] = []
  let pending: Sent[] = []
  /** Where nginx has each message, by its position: the listener who has it goes on there. */
  const places = new Map<string, { at: string; mark: string | null; sentAt: number }>()
  let name = ''
  /** Where nginx has the newest message; null if it has no channel. */
  let newest: string | null = null
  /** The newest message that came, and the newest that nginx has. */
  let newestId: string | null = null
  let sentId: string | null = null
  const queue = createQueue()
  let isSending = false
  let look: Promise<void> | null = null

  const started = follow()
  stopping.addEventListener('abort', () => void removeChannel(), { once: true })

  return {
    async locate(lastId) {
      await started
      if (stopping.aborted) return null
      // nginx may have started again since, and then it has no channel. So this looks after the listener has come: if nginx
      // restarts later than that, the listener's connection ends too. Those who come together share one look.
      look ??= queue(() => {
        look = null
        return verify()
      })
      await look
      const at = lastId === undefined ? newest : findPlace(lastId)
      return at ? `/streams/${name}/${at}` : null
    },
    has: (lastId) => findPlace(lastId) !== null,
  }

  /** Where a listener with this last message goes on. Null too if its block was replaced: the replica finds out what was rolled back. */
  function findPlace(lastId: string): string | null {
    const position = parseStreamId(lastId)
    const place = newest && position && places.get(formatEventCursor(position))
    if (!place) return null
    return position.mark === null || place.mark === null || position.mark === place.mark ? place.at : null
  }

  /** Resolves when the channel is there, and goes on to follow the market. */
  async function follow(): Promise<void> {
    const events = await listNewest(market).catch(() => [])
    for (const event of events) keep(toSent({ kind: 'event', event }, market))
    await queue(verify)
    void run()
  }

  async function run(): Promise<void> {
    while (!stopping.aborted) {
      const from = newestId === null ? null : parseStreamId(newestId)
      try {
        for await (const message of subscribe(market, from ?? undefined, stopping)) {
          const sent = message.kind === 'quiet' ? silence : toSent(message, market)
          keep(sent)
          pending.push(sent)
          if (!isSending) void sendPending()
        }
      } catch (error) {
        if (error instanceof Error) onFault(error)
      }
      await wait(retryMs, undefined, { signal: stopping }).catch(() => {})
    }
  }

  function keep(message: Sent): void {
    if (message.id === null) return
    newestId = message.id
    if (message.isRollback) kept.length = 0
    kept.push(message)
    if (kept.length > maxKept) kept.shift()
  }

  async function sendPending(): Promise<void> {
    isSending = true
    while (pending.length > 0 && !stopping.aborted) {
      // The events of a block come together, and nginx writes each message to every listener.
      await wait(gatherMs, undefined, { signal: stopping }).catch(() => {})
      await queue(async () => {
        const batch = pending.splice(0, maxBatch)
        // Meanwhile another channel may have got them, or the replica ends and has removed its own.
        if (batch.length === 0 || stopping.aborted) return
        if (newest === null || !(await send(batch))) await renew()
      })
    }
    isSending = false
  }

  /** Looks whether nginx still has everything. Nobody else writes to this channel, so its newest message says it. */
  async function verify(): Promise<void> {
    const state = newest === null ? null : await ask('GET')
    if (!state || state.last_message_id !== newest) await renew()
  }

  /** Opens another channel, with what is remembered. */
  async function renew(): Promise<void> {
    places.clear()
    newest = sentId = null
    pending = []
    name = randomUUID()
    // What comes meanwhile is pending.
    const known = [...kept]
    if (!(await send([silence]))) return
    for (const message of known) if (!(await send([message]))) return
  }

  /** Sends messages as one. False if nginx does not answer, or has lost the channel. */
  async function send(batch: readonly Sent[]): Promise<boolean> {
    const isNew = newest === null
    const state = await ask('POST', batch.map(({ text }) => text).join(''))
    if (!state || (state.messages === 1 && !isNew)) {
      newest = null
      return false
    }
    newest = state.last_message_id
    if (batch.some(({ isRollback }) => isRollback)) places.clear()
    // Only after the last message of a batch can a listener go on. After a heartbeat, that is later than before.
    sentId = batch.findLast(({ id }) => id !== null)?.id ?? sentId
    const position = sentId && parseStreamId(sentId)
    if (position) {
      const key = formatEventCursor(position)
      places.delete(key)
      places.set(key, { at: newest, mark: position.mark, sentAt: Date.now() })
    }
    for (const [key, { sentAt }] of places) {
      if (places.size <= maxKept && sentAt > Date.now() - maxAgeMs) break
      places.delete(key)
    }
    return true
  }

  async function ask(method: 'GET' | 'POST', body?: string): Promise<z.infer<typeof channelState> | null> {
    try {
      const headers = { accept: 'application/json' }
      const signal = AbortSignal.timeout(answerMs)
      const answer = await fetch(`${url}/${name}`, { method, headers, signal, ...(body !== undefined && { body }) })
      const text = await answer.text()
      if (answer.ok) return channelState.parse(JSON.parse(text))
      if (answer.status !== 404) throw new Error(`nginx answered ${answer.status} to a message of a stream`)
    } catch (error) {
      if (error instanceof Error) onFault(error)
    }
    return null
  }

  /** Ends the streams of the channel. Listeners connect again, to another replica. */
  async function removeChannel(): Promise<void> {
    newest = null
    await fetch(`${url}/${name}`, { method: 'DELETE', signal: AbortSignal.timeout(answerMs) }).catch(() => {})
  }
}

/** Runs what it is given one after the other. */
function createQueue(): (run: () => Promise<void>) => Promise<void> {
  let last = Promise.resolve()
  return (run) => {
    last = last.then(run)
    return last
  }
}
