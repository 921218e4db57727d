import type { At, PageQuery } from '@svc/chain'
import { limits, type Market, markets, type TaskId } from '@svc/protocol'
import { withTimeout } from './withTimeout.ts'

/** What the pages of the site show of the market before they run. */
export interface SiteReader {
  /** The text of a task, null if it is private; undefined if the task does not exist. Rejects if it cannot be read in time. */
  readText: (id: TaskId) => Promise<string | null | undefined>
  /** The newest open tasks of both markets. Rejects if they cannot be read in time. */
  listOpen: () => Promise<TaskId[]>
}

/** The part of a `MarketReader` that the pages need. */
interface PageSource {
  getTaskSummary: (market: Market, number: bigint) => Promise<At<{ detail: { text: string | null } | null }>>
  listOpen: (
    market: Market,
    query: PageQuery,
  ) => Promise<At<{ tasks: readonly { number: bigint }[]; next: bigint | null }>>
}

interface SiteReaderOptions {
  /** Runs a read on the index or the chain: see `Reads`. */
  reads: { read: <T extends object>(market: Market, work: (source: PageSource) => Promise<At<T>>) => Promise<At<T>> }
  /** How long a page waits for its head, and a sitemap for its tasks. */
  pageMs?: number
  sitemapMs?: number
}

/** The most open tasks of a market that a sitemap lists. */
const maxListed = 500
/** Every answer is kept this long, also that there is none: the source is not asked again for every visitor. */
const [textLifeMs, listLifeMs] = [5_000, 300_000]
const maxKept = 1_000

/** Reads for the pages of the site. A slow source never holds a page up; its answer serves the next visitor. */
export function createSiteReader({ reads, pageMs = 250, sitemapMs = 3_000 }: SiteReaderOptions): SiteReader {
  const texts = createMemory<string | null | undefined>(textLifeMs)
  const lists = createMemory<TaskId[]>(listLifeMs)

  return {
    readText: ({ market, number }) =>
      withTimeout(
        pageMs,
        texts(`${market} ${number}`, async () => {
          const { detail } = await reads.read(market, (reader) => reader.getTaskSummary(market, number))
          return detail ? detail.text : undefined
        }),
      ),
    listOpen: () =>
      withTimeout(
        sitemapMs,
        lists('open', async () => (await Promise.all(markets.map(listMarket))).flat()),
      ),
  }

  async function listMarket(market: Market): Promise<TaskId[]> {
    const found: TaskId[] = []
    let before: bigint | undefined
    while (found.length < maxListed) {
      const limit = Math.min(limits.list.max, maxListed - found.length)
      const page = await reads.read(market, (reader) => reader.listOpen(market, { limit, before }))
      found.push(...page.tasks.map(({ number }) => ({ market, number })))
      if (page.next === null) break
      before = page.next
    }
    return found
  }
}

/** Keeps answers for a while, the newest ones. Concurrent questions share one answer; a failure is kept for a second. */
function createMemory<T>(lifeMs: number) {
  const cached = new Map<string, { answer: Promise<T>; until: number }>()
  return (key: string, read: () => Promise<T>): Promise<T> => {
    const found = cached.get(key)
    if (found && Date.now() < found.until) return found.answer
    const entry = { answer: read(), until: Date.now() + lifeMs }
    entry.answer.catch(() => {
      entry.until = Math.min(entry.until, Date.now() + 1_000)
    })
    cached.delete(key)
    cached.set(key, entry)
    const [oldest] = cached.keys()
    if (cached.size > maxKept && oldest !== undefined) cached.delete(oldest)
    return entry.answer
  }
}
