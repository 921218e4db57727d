import type { BlockRef, MarketReader } from '@svc/chain'
import { marketParams, phaseOf, type TaskPhase } from '@svc/protocol'
import type { TaskRecord } from '@svc/protocol/records'
import { shownText } from '../shownText.ts'
import { type MarketQuery, shows } from './marketQuery.ts'
import type { TaskTexts } from './taskTexts.ts'

/** A task as the page lists it. */
export interface Listed {
  task: TaskRecord
  phase: TaskPhase
  /** Of a stranger, cleaned; null for a private task. */
  text: { title: string; criteria: string } | null
}

export interface MarketPage {
  block: BlockRef
  listed: readonly Listed[]
  /** Where to go on; null at the end. */
  next: bigint | null
  /** How many tasks were looked through for these. */
  looked: number
}

const pageSize = 20
/** One page looks through so many tasks at most; the next goes on from there. */
const maxLooked = 500
/** Fewer where each text has to be read. */
const maxRead = 100

/** A page of a market, newest first: as many matches as a page has, unless it would take too long to find them. */
export async function readMarket(reader: MarketReader, texts: TaskTexts, query: MarketQuery): Promise<MarketPage> {
  const { market, show, words } = query
  const list = show === 'claimable' ? reader.listOpen : reader.listRecent
  const found: Listed[] = []
  let [before, looked] = [query.before, 0]
  for (;;) {
    const { tasks, next, block } = await list(market, { limit: 100, before })
    const fits = tasks.filter((task) => isMatch(task, query, block.timestamp))
    // Without words to look for, only what is shown is read.
    const wanted = words ? fits : fits.slice(0, pageSize - found.length)
    const texted = await texts(market, wanted)
    for (const task of wanted) {
      const text = texted.get(task.number)
      const listed = { task, phase: phaseAt(task, query, block.timestamp), text: text ? shownText(text) : null }
      if (!words || speaksOf(listed, words)) found.push(listed)
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

const phaseAt = (task: TaskRecord, { market }: MarketQuery, now: number) =>
  phaseOf(task, marketParams[market], now) ?? 'SETTLED'

function isMatch(task: TaskRecord, query: MarketQuery, now: number): boolean {
  const phases: readonly TaskPhase[] | null = shows[query.show].phases
  if (task.total < query.min) return false
  if (query.show === 'claimable' && task.scope !== 'OPEN') return false
  return phases === null || phases.includes(phaseAt(task, query, now))
}

function speaksOf({ text }: Listed, words: string): boolean {
  const all = `${text?.title} ${text?.criteria}`.toLowerCase()
  return text !== null && all.includes(words.toLowerCase())
}
