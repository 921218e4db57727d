import { formatAmount } from '@svc/protocol'
import type { ExplainedError } from '@svc/protocol/errors'
import type { CallerAsset } from '@svc/protocol/internal/actions'
import { formatUnits } from 'viem'
import type { Holder } from './holders.ts'
import type { MarketBalances, Simulation } from './simulate.ts'

/** An amount in the smallest unit, before and after, and the signed difference also with its unit. */
interface AmountChange {
  before: string
  after: string
  change: string
  words: string
}

type HolderChange = Pick<Holder, 'who' | 'address' | 'what'> & AmountChange

/** A simulation for people and for JSON: only the amounts that change. */
export type DescribedSimulation =
  | { status: 'succeeds'; gas: string; changes: ({ what: CallerAsset } & AmountChange)[]; others: HolderChange[] }
  | { status: 'refused'; call: number; error: Pick<ExplainedError, 'name' | 'message' | 'wayOut'> }
  | { status: 'unknown' }

/** Describes what a simulation found. */
export function describeSimulation(simulation: Simulation): DescribedSimulation {
  if (simulation.status === 'unknown') return simulation
  if (simulation.status === 'refused') {
    const { name, message, wayOut } = simulation.error
    return { status: 'refused', call: simulation.call, error: { name, message, wayOut } }
  }
  const { before, after, gas } = simulation
  const changes = (Object.keys(kinds) as (keyof MarketBalances)[])
    .filter((kind) => before[kind] !== after[kind])
    .map((kind) => {
      const [what, format] = kinds[kind]
      return { what, ...formatChange(before[kind], after[kind], format) }
    })
  const others = simulation.others
    .filter((other) => other.before !== other.after)
    .map(({ who, address, what, before, after }) => {
      const format = (amount: bigint) => formatAmount(amount, what === 'TOK' ? 'tok' : 'usdc')
      return { who, address, what, ...formatChange(before, after, format) }
    })
  return { status: 'succeeds', gas: String(gas), changes, others }
}

function formatChange(before: bigint, after: bigint, format: (amount: bigint) => string): AmountChange {
  const change = after - before
  return {
    before: String(before),
    after: String(after),
    change: String(change),
    words: change < 0n ? `-${format(-change)}` : `+${format(change)}`,
  }
}

const kinds: Readonly<Record<keyof MarketBalances, readonly [CallerAsset, (amount: bigint) => string]>> = {
  tok: ['TOK in the wallet', (amount) => formatAmount(amount, 'tok')],
  usdc: ['USDC in the wallet', (amount) => formatAmount(amount, 'usdc')],
  deposit: ['deposit', (amount) => formatAmount(amount, 'usdc')],
  free: ['deposit not reserved', (amount) => formatAmount(amount, 'usdc')],
  credits: ['Action Credits', (amount) => `${formatUnits(amount, 18)} credits`],
}
