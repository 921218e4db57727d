import { type MarketReader, taskTextOf } from '@svc/chain'
import type { Market } from '@svc/protocol'
import { ledgerOf, reputationScore, type TaskRecord } from '@svc/protocol/records'
import type { Simulation } from '../sim/simulation.ts'

/** Where the index says something that was not true at its block. */
export interface Falsehood {
  market: Market
  block: number
  what: string
  said: unknown
  truth: unknown
}

/**
 * Compares all that the index says of a market with what is true at the block it names. Null where that block is not on the
 * chain any more: then nothing can be said. `found` counts rows.
 */
export async function findFalsehood(
  { chain, oracle, places, wallets: everybody }: Simulation,
  reader: MarketReader,
  market: Market,
  wallets = everybody,
): Promise<{ falsehood: Falsehood | null; rows: number } | null> {
  const tasks: TaskRecord[] = []
  const texts: string[] = []
  let [before, hash, number]: [bigint | undefined, string | undefined, number] = [undefined, undefined, 0]
  for (;;) {
    const page = await reader.listRecent(market, { limit: 100, before })
    // The index moved on between two pages: they are of different blocks.
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
  if (chain.blockAt(number)?.hash !== hash) return null
  const truth = oracle.marketAt(number, market)
  const newest = truth.tasks.toSorted((a, b) => (a.number < b.number ? 1 : -1))
  const registry = places.markets[market].taskRegistry
  const claims: [what: string, said: unknown, truth: unknown][] = [
    ['the tasks', tasks, newest],
    ['the tasks as text', texts.join(), newest.map((task) => taskTextOf(task, market, registry).text).join()],
  ]
  const arbitrators = await reader.listArbitrators(market, 1_000)
  const agents = await reader.listAgents(market, 1_000)
  const ledgers = await Promise.all(wallets.map(({ address }) => reader.getLedger(market, address)))
  const each = await Promise.all(wallets.map(({ address }) => reader.getAgent(market, address)))
  const details = await Promise.all(truth.disputes.slice(-20).map((dispute) => reader.getTask(market, dispute.number)))
  const answers = [arbitrators, agents, ...ledgers, ...each, ...details]
  if (answers.some(({ block }) => block.hash !== hash)) return null
  const byAddress = (a: { address: string }, b: { address: string }) =>
    a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1
  claims.push(['the arbitrators', arbitrators.arbitrators.toSorted(byAddress), truth.arbitrators.toSorted(byAddress)])
  for (const [index, { address }] of wallets.entries()) {
    claims.push([`the ledger of ${address}`, ledgers[index]?.ledger, ledgerOf(address, truth.tasks)])
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
  const scores = agents.agents.map(reputationScore)
  claims.push(['the order of the agents', scores, scores.toSorted((a, b) => b - a)])
  for (const [what, said, true_] of claims) {
    if (text(said) !== text(true_))
      return { falsehood: { market, block: number, what, ...firstOf(said, true_) }, rows: tasks.length }
  }
  return { falsehood: null, rows: tasks.length + wallets.length * 2 + truth.arbitrators.length }
}

/** Of two lists the first members that differ; of anything else all of it. */
function firstOf(said: unknown, truth: unknown): { said: unknown; truth: unknown } {
  if (!Array.isArray(said) || !Array.isArray(truth)) return { said, truth }
  const index = said.findIndex((each, at) => text(each) !== text(truth[at]))
  return index < 0 ? { said: said.length, truth: truth.length } : { said: said[index], truth: truth[index] }
}

/** Fields in one order, bigints as text. */
export function text(value: unknown): string {
  return JSON.stringify(value, (_, each) => {
    if (typeof each === 'bigint') return `${each}n`
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each
    return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
