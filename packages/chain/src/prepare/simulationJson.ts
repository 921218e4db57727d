import type { PreparedJson } from '@svc/operations'
import { formatAmount } from '@svc/protocol'
import { formatUnits } from 'viem'
import type { MarketBalances, Simulation } from './simulate.ts'

type Succeeds = Extract<PreparedJson['simulation'], { status: 'succeeds' }>
type ChangeJson = Succeeds['changes'][number]
type OtherJson = Succeeds['others'][number]

/** Converts a simulation to JSON, with only the amounts that change. */
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
      const [what, format] = kinds[kind]
      return { what, ...formatChange(before[kind], after[kind], format) }
    })
  const others = simulation.others
    .filter((other) => other.before !== other.after)
    .map(({ who, address, what, before, after }): OtherJson => {
      const format = (amount: bigint) => formatAmount(amount, what === 'TOK' ? 'tok' : 'usdc')
      return { who, address, what, ...formatChange(before, after, format) }
    })
  return { status: 'succeeds', gas: String(gas), changes, others }
}

function formatChange(before: bigint, after: bigint, format: (amount: bigint) => string) {
  const change = after - before
  return {
    before: String(before),
    after: String(after),
    change: String(change),
    words: change < 0n ? `-${format(-change)}` : `+${format(change)}`,
  }
}

const kinds: Readonly<Record<keyof MarketBalances, readonly [ChangeJson['what'], (amount: bigint) => string]>> = {
  tok: ['TOK in the wallet', (amount) => formatAmount(amount, 'tok')],
  usdc: ['USDC in the wallet', (amount) => formatAmount(amount, 'usdc')],
  deposit: ['deposit', (amount) => formatAmount(amount, 'usdc')],
  free: ['deposit not reserved', (amount) => formatAmount(amount, 'usdc')],
  credits: ['Action Credits', (amount) => `${formatUnits(amount, 18)} credits`],
}
