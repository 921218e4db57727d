import type { BlockRef, MarketReader } from '@svc/chain'
import { decodeTaskText, deriveTaskPhase, type Market, marketParams, sanitizeText, type TaskPhase } from '@svc/protocol'
import type { TaskSnapshot } from '@svc/protocol/internal/records'
import { type MarketQuery, shows } from './marketQuery.ts'
import type { TaskTexts } from './taskTexts.ts'

/** A listed task. */
export interface Listed {
  task: TaskSnapshot
  phase: TaskPhase
  /** Untrusted text, sanitized; null for a private task. */
  text: ShownText | null
}

export interface MarketPage {
  block: BlockRef
  listed: readonly Listed[]
  /** Cursor of the next page; null at the end. */
  next: bigint | null
  /** How many tasks were searched. */
  looked: number
}

const pageSize = 20
/** Maximum number of tasks searched for one page. The next page continues from there. */
const maxLooked = 500
/** The maximum when each task's text has to be read. */
const maxRead = 100

/** Reads a page of a market, newest first. It may be incomplete if finding more matches would take too long. */
export async function readMarket(reader: MarketReader, texts: TaskTexts, query: MarketQuery): Promise<MarketPage> {
  const { market, show, words } = query
  const list = show === 'claimable' ? reader.listOpen : reader.listRecent
  const found: Listed[] = []
  let [before, looked] = [query.before, 0]
  for (;;) {
    const { tasks, next, block } = await list(market, { limit: 100, before })
    const fits = tasks.filter((task) => isMatch(task, query, block.timestamp))
    // Without search words, read only the texts that are shown.
    const wanted = words ? fits : fits.slice(0, pageSize - found.length)
    const texted = await texts(market, wanted)
    for (const task of wanted) {
      const text = texted.get(task.number)
      const listed = { task, phase: phaseAt(task, market, block.timestamp), text: text ? shownText(text) : null }
      if (!words || matchesWords(listed, words)) found.push(listed)
    }
    looked += tasks.length
    const last = found[pageSize - 1]
    if (last) {
      const more = found.length > pageSize || next !== null || fits.at(-1)?.number !== last.task.number
      return { block, listed: found.slice(0, pageSize), next: more ? last.task.number : null, looked }
    }
    if (next === null || looked >= (words ? maxRead : maxLooked)) return { block, listed: found, next, looked }
    before = next
  }
}

const phaseAt = (task: TaskSnapshot, market: Market, now: number) =>
  deriveTaskPhase(task, marketParams[market], now) ?? 'SETTLED'

function isMatch(task: TaskSnapshot, query: MarketQuery, now: number): boolean {
  const phases: readonly TaskPhase[] | null = shows[query.show].phases
  if (task.total < query.min) return false
  return phases === null || phases.includes(phaseAt(task, query.market, now))
}

function matchesWords({ text }: Listed, words: string): boolean {
  if (text === null) return false
  const all = [text.title, ...text.tags, text.criteria].join(' ').toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}

/** What a page shows of a published text. */
interface ShownText {
  title: string
  criteria: string
  /** Only letters, digits, hyphens and colons. */
  tags: readonly string[]
}

/** Formats the title and criteria that a poster published, each as one line of limited length, and the tags. */
function shownText(text: string): ShownText {
  const { title, criteria, tags = [] } = decodeTaskText(text)
  return { title: oneLine(title, 120) || 'Without a title', criteria: oneLine(criteria, 600), tags }
}

function oneLine(text: string, maxLength: number): string {
  // Cut by code points, so that no surrogate pair is split.
  const letters = [...sanitizeText(text.replace(/\s+/gu, ' ')).trim()]
  return letters.length > maxLength ? `${letters.slice(0, maxLength - 1).join('')}…` : letters.join('')
}
