import type { PreparedJson } from './json/prepared.ts'

type OtherJson = Extract<PreparedJson['simulation'], { status: 'succeeds' }>['others'][number]

/** Formats whose money a simulation changes: "Escrow of the task", "Worker 0x15d3…6A65", "Judge 0x90F7…b906, deposit". */
export function formatHolderLabel({ who, address, what }: Pick<OtherJson, 'who' | 'address' | 'what'>): string {
  const name = `${who.slice(0, 1).toUpperCase()}${who.slice(1)}`
  const wallet = contracts.has(who) ? '' : ` ${address.slice(0, 6)}…${address.slice(-4)}`
  return `${name}${wallet}${what === 'deposit' ? ', deposit' : ''}`
}

/** Where the address is a contract of the market, which says nothing to a person. */
const contracts: ReadonlySet<string> = new Set<OtherJson['who']>([
  'escrow of the task',
  'exit deposits of the task',
  'payouts to withdraw',
  'Union',
  'arbitration',
])
