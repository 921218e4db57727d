import type { IndexReader } from '@svc/index'
import { serializeTaskPage } from '@svc/operations/taskText'
import type { Market } from '@svc/protocol'
import { computeLedger } from '@svc/protocol/internal/money'
import type { TaskSnapshot } from '@svc/protocol/internal/records'
import { computeReputationScore } from '@svc/protocol/records'
import type { Simulation } from '@svc/simulation/chain'

/** A value of the index that was wrong at its block. */
export interface Mismatch {
  market: Market
  block: number
  what: string
  actual: unknown
  expected: unknown
}

/**
 * Compares everything the index returns about a market with the simulation at the same block. Returns null if that block was
 * reorganised out, because nothing can be compared then. `rows` counts the compared rows.
 */
export async function findMismatch(
  { chain, oracle, places, wallets: everybody }: Simulation,
  reader: IndexReader,
  market: Market,
  wallets = everybody,
): Promise<{ mismatch: Mismatch | null; rows: number } | null> {
  const tasks: TaskSnapshot[] = []
  const texts: string[] = []
  let [before, hash, number]: [bigint | undefined, string | undefined, number] = [undefined, undefined, 0]
  for (;;) {
    const page = await reader.listRecent(market, { limit: 100, before })
    // The index moved between two pages, so they belong to different blocks.
    if (hash !== undefined && hash !== page.block.hash) return null
    hash = page.block.hash
    number = Number(page.block.number)
    tasks.push(...page.tasks)
    const written = await reader.listAsText(market, { of: 'recent' }, { limit: 100, before })
    if (written.block.hash !== hash) return null
    if (written.text) texts.push(written.text)
    if (page.next === null) break
    before = page.next
  }
  const timestamp = chain.blockAt(number)?.timestamp ?? 0
  if (chain.blockAt(number)?.hash !== hash) return null
  const expected = oracle.marketAt(number, market)
  const newest = expected.tasks.toSorted((a, b) => (a.number < b.number ? 1 : -1))
  const registry = places.markets[market].taskRegistry
  const expectedText = serializeTaskPage(newest, market, registry, timestamp).text
  const open = await reader.listOpen(market, { limit: 100 })
  if (open.block.hash !== hash) return null
  const claims: [what: string, actual: unknown, expected: unknown][] = [
    ['the tasks', tasks, newest],
    ['the tasks as text', texts.join(), expectedText],
    ['the open tasks', open.tasks, newest.filter(({ claimableUntil }) => claimableUntil > 0).slice(0, 100)],
  ]
  const arbitrators = await reader.listArbitrators(market, 1_000)
  const agents = await reader.listAgents(market, 1_000)
  const ledgers = await Promise.all(wallets.map(({ address }) => reader.getLedger(market, address)))
  const each = await Promise.all(wallets.map(({ address }) => reader.getAgent(market, address)))
  const details = await Promise.all(
    expected.disputes.slice(-20).map((dispute) => reader.getTask(market, dispute.number)),
  )
  const answers = [arbitrators, agents, ...ledgers, ...each, ...details]
  if (answers.some(({ block }) => block.hash !== hash)) return null
  const byAddress = (a: { address: string }, b: { address: string }) =>
    a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1
  claims.push([
    'the arbitrators',
    arbitrators.arbitrators.toSorted(byAddress),
    expected.arbitrators.toSorted(byAddress),
  ])
  for (const [index, { address }] of wallets.entries()) {
    claims.push([`the ledger of ${address}`, ledgers[index]?.ledger, computeLedger(address, expected.tasks)])
    claims.push([`the wallet ${address}`, each[index]?.agent, oracle.agentAt(number, market, address)])
  }
  for (const { detail } of details) {
    if (detail)
      claims.push([
        `the dispute of ${detail.task.number}`,
        detail.dispute,
        oracle.disputeAt(number, market, detail.task.number),
      ])
  }
  const scores = agents.agents.map(computeReputationScore)
  claims.push(['the order of the agents', scores, scores.toSorted((a, b) => b - a)])
  for (const [what, actual, expected] of claims) {
    if (canonicalJson(actual) !== canonicalJson(expected))
      return { mismatch: { market, block: number, what, ...firstDifference(actual, expected) }, rows: tasks.length }
  }
  return { mismatch: null, rows: tasks.length + wallets.length * 2 + expected.arbitrators.length }
}

/** The first items that differ, if both values are lists; otherwise both values. */
function firstDifference(actual: unknown, expected: unknown): { actual: unknown; expected: unknown } {
  if (!Array.isArray(actual) || !Array.isArray(expected)) return { actual, expected }
  const index = actual.findIndex((each, at) => canonicalJson(each) !== canonicalJson(expected[at]))
  return index < 0
    ? { actual: actual.length, expected: expected.length }
    : { actual: actual[index], expected: expected[index] }
}

/** JSON with sorted keys, and bigints as text. */
export function canonicalJson(value: unknown): string {
  const json: string | undefined = JSON.stringify(value, (_, each) => {
    if (typeof each === 'bigint') return `${each}n`
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
  return json ?? 'undefined'
}
