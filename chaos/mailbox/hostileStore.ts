import { sealMail } from '@svc/protocol/talk'
import type { Random } from '@svc/simulation/random'

/** What a hostile store, or somebody in between, does to the answers of a mailbox. */
export const mailFaults = [
  'forged',
  'replayed',
  'reordered',
  'withheld',
  'duplicated',
  'damaged',
  'relabelled',
] as const
export type MailFault = (typeof mailFaults)[number]

interface Item {
  number: number
  from: string
  id: string
  postedAt: number
  sealed: string
}

interface Page {
  items: Item[]
  cursor: string | null
  hasMore: boolean
  restarted: boolean
}

export interface HostileStore {
  fetch: (request: Request) => Promise<Response>
  /** From now on, answers are passed on as they are. */
  stop: () => void
}

export interface HostileOptions {
  random: Random
  counts: Record<MailFault, number>
  /** Lines that somebody else signed, or nobody: what a forger can write. */
  forge: () => Promise<string>
  /** The reading key of the victim. */
  readingKey: () => string
  /** Sealed items of other conversations, to be replayed here. */
  strangers: Item[]
}

/** Wraps `fetch` of one client: every answer of its mailbox is tampered with at random. Posts are sent twice at times. */
export function createHostileStore({ random, counts, forge, readingKey, strangers }: HostileOptions): HostileStore {
  let isHostile = true
  const seen: Item[] = []
  const draw = (fault: MailFault) => {
    const hit = isHostile && random.below(4) === 0
    if (hit) counts[fault]++
    return hit
  }
  const tamper = async (page: Page): Promise<Page> => {
    let items = page.items.map((item) => ({ ...item }))
    seen.push(...page.items)
    strangers.push(...page.items)
    if (strangers.length > 500) strangers.splice(0, 250)
    if (items.length > 0 && draw('withheld')) items.splice(random.below(items.length), 1)
    if (items.length > 0 && draw('damaged')) {
      const item = items[random.below(items.length)]
      if (item) item.sealed = flip(item.sealed, random)
    }
    if (items.length > 0 && draw('relabelled')) {
      const item = items[random.below(items.length)]
      if (item) item.from = `0x${'5e'.repeat(20)}`
    }
    if (draw('forged')) {
      const sealed = await sealMail(await forge(), [readingKey()])
      const last = items.at(-1)
      items.push({
        number: last?.number ?? 1,
        from: last?.from ?? `0x${'5e'.repeat(20)}`,
        id: `0x${'ee'.repeat(32)}`,
        postedAt: 1,
        sealed: Buffer.from(sealed).toString('base64'),
      })
    }
    const old = seen[random.below(seen.length + 1)]
    if (old && draw('duplicated')) items.push(old)
    const foreign = strangers[random.below(strangers.length + 1)]
    if (foreign && draw('replayed')) items.push(foreign)
    if (items.length > 1 && draw('reordered')) items = items.toReversed()
    return { ...page, items }
  }
  return {
    async fetch(request) {
      const isMail = new URL(request.url).pathname === '/v1/mail'
      const copy = request.clone()
      const response = await fetch(request)
      if (!isMail || !isHostile || !response.ok) return response
      if (request.method === 'POST') {
        if (random.below(4) > 0) return response
        counts.duplicated++
        return fetch(copy)
      }
      return Response.json(await tamper((await response.json()) as Page), { status: response.status })
    },
    stop: () => {
      isHostile = false
    },
  }
}

/** Changes one character of base64 text. */
function flip(text: string, random: Random): string {
  const at = random.below(text.length - 4)
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
}
