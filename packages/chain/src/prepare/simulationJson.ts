import type { PreparedJson } from '@svc/operations'
import { formatAmount } from '@svc/protocol'
import { formatUnits } from 'viem'
import type { MarketBalances, Simulation } from './simulate.ts'

type ChangeJson = Extract<PreparedJson['simulation'], { status: 'succeeds' }>['changes'][number]

/** Converts a simulation to JSON, with only the balances that change. */
export function toSimulationJson(simulation: Simulation): PreparedJson['simulation'] {
  if (simulation.status === 'unknown') return simulation
  if (simulation.status === 'refused') {
    const { name, message, wayOut } = simulation.error
    return { status: 'refused', call: simulation.call, error: { name, message, wayOut } }
  }
  const { before, after, gas } = simulation
  const changes = (Object.keys(kinds) as (keyof MarketBalances)[])
    .filter((kind) => before[kind] !== after[kind])
    .map((kind): ChangeJson => {
      const [what, words] = kinds[kind]
      const change = after[kind] - before[kind]
      const sign = change < 0n ? '-' : '+'
      return {
        what,
        before: String(before[kind]),
        after: String(after[kind]),
        change: String(change),
        words: `${sign}${words(change < 0n ? -change : change)}`,
      }
    })
  return { status: 'succeeds', gas: String(gas), changes }
}

const kinds: Readonly<Record<keyof MarketBalances, readonly [ChangeJson['what'], (amount: bigint) => string]>> = {
  tok: ['TOK in the wallet', (amount) => formatAmount(amount, 'tok')],
  usdc: ['USDC in the wallet', (amount) => formatAmount(amount, 'usdc')],
  deposit: ['deposit', (amount) => formatAmount(amount, 'usdc')],
  free: ['deposit not reserved', (amount) => formatAmount(amount, 'usdc')],
  credits: ['Action Credits', (amount) => `${formatUnits(amount, 18)} credits`],
}
