import { setTimeout as wait } from 'node:timers/promises'
import type { EventJson } from '@svc/operations'
import type { Market } from '@svc/protocol'
import type { Tally } from './tally.ts'

/** Follows a market's event stream from the first event, at whichever replica answers. */
export interface Follower {
  market: Market
  /** The events that are on the chain, in order. Events that a reorganisation removed are gone. */
  events: () => readonly EventJson[]
  stop: () => Promise<void>
}

interface StreamMessage {
  id?: string
  event?: string
  data?: string
}

/** Follows as documented: `Last-Event-ID` resumes, `reorg` removes events, `lost` starts over. */
export function startFollower(market: Market, urls: readonly string[], tally: Tally): Follower {
  const end = new AbortController()
  let events: { id: string; event: EventJson }[] = []
  let last: string | null = null

  const onMessage = ({ id, event, data = '{}' }: StreamMessage) => {
    if (event === 'lost') {
      tally.count('stream', 'lost')
      ;[events, last] = [[], null]
      return 'again'
    }
    if (event === 'reorg') {
      tally.count('stream', 'reorg')
      const { after } = JSON.parse(data) as { after: string }
      events = events.filter((each) => !isAfter(each.id, after))
    } else if (id !== undefined) {
      tally.count('stream', 'event')
      if (last !== null && !isAfter(id, last)) tally.fail(`The stream of ${market} sent ${id} after ${last}.`)
      events.push({ id, event: JSON.parse(data) })
    }
    if (id !== undefined) last = id
    return 'on'
  }
  const listen = async (url: string) => {
    const headers = { accept: 'text/event-stream', ...(last !== null && { 'last-event-id': last }) }
    const asked = `${url}/api/market/events?market=${market}${last === null ? '&cursor=0:0' : ''}`
    const response = await fetch(asked, { headers, signal: end.signal })
    if (response.status === 500) tally.fail(`The stream of ${market} was answered with 500.`)
    if (response.status !== 200 || !response.body) return
    tally.count('stream', 'connection')
    let text = ''
    for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) if (onMessage(parseMessage(part)) === 'again') return
    }
  }
  const running = (async () => {
    for (let turn = 0; !end.signal.aborted; turn++) {
      await listen(urls[turn % urls.length] ?? '').catch(() => {})
      await wait(20)
    }
  })()

  return {
    market,
    events: () => events.map(({ event }) => event),
    async stop() {
      end.abort()
      await running
    },
  }
}

function parseMessage(part: string): StreamMessage {
  const message: Record<string, string> = {}
  for (const line of part.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) message[line.slice(0, colon)] = line.slice(colon + 1).trimStart()
  }
  return message
}

function isAfter(id: string, other: string): boolean {
  const [block = 0, index = 0] = id.split(':').map(Number)
  const [otherBlock = 0, otherIndex = 0] = other.split(':').map(Number)
  return block > otherBlock || (block === otherBlock && index > otherIndex)
}
