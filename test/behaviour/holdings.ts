import { findLine } from './expected.ts'
import type { MarketFacts } from './facts.ts'

/** What the vaults of a market hold: deposits, lowest first, and tasks, most first. */
export function describeHoldings(of: MarketFacts) {
  const agents = of.agents
    .filter(({ deposit }) => deposit > 0n)
    .toSorted((a, b) => Number(a.deposit - b.deposit) || (a.address < b.address ? -1 : 1))
    .map(({ address, deposit, reserved, free }) => ({
      address,
      depositUsdc: deposit,
      reservedUsdc: reserved,
      freeUsdc: free,
      line: findLine(deposit),
    }))
  const tasks = of.tasks
    .map(({ id, number, funded, released, refunded }) => ({ id, number, held: funded - released - refunded }))
    .filter(({ held }) => held > 0n)
    .toSorted((a, b) => (a.held === b.held ? Number(b.number - a.number) : a.held > b.held ? -1 : 1))
  return { agents, tasks }
}
