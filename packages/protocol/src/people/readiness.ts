import { accessFee, actionCredit, entryDeposit, exitDeposit, recommendedDeposit } from '../money/amounts.ts'
import type { Token } from '../money/units.ts'

/** What a wallet has in a market. What is null is not known, and not checked. */
export interface ReadinessFacts {
  /** The chain that the wallet or its provider is on. */
  chainId: number
  /** In wei. */
  eth: bigint | null
  gasPrice: bigint | null
  tok: bigint
  /** What the payment gateway may take of it. */
  tokAllowance: bigint | null
  /** Action Credits, with 18 decimals. */
  credits: bigint
  deposit: bigint
  /** The part of the deposit that live tasks reserve. It does not count for another one. */
  reserved: bigint
  /** TOK that the entry pays into escrow at once. */
  budget?: bigint
}

export type ReadinessItem = 'chain' | 'gas' | 'tok' | 'tok-allowance' | 'deposit' | 'recommended-deposit'

/** One requirement for posting and claiming, and how far a wallet meets it. */
export interface Requirement {
  item: ReadinessItem
  /** What it is counted in; null for the chain. */
  token: Token | 'eth' | null
  /** Whether posting and claiming fail without it. */
  required: boolean
  have: bigint
  need: bigint
  /** Zero if it is met. */
  missing: bigint
  ok: boolean
}

interface Row extends Pick<Requirement, 'item' | 'token' | 'required'> {
  have: (facts: ReadinessFacts) => bigint | null
  need: (facts: ReadinessFacts) => bigint
}

/** Enough gas for everything that one party does in a task. */
const lifeGas = 3_000_000n

// The price of an entry, which a test compares with the table: the table brings every action with it, and the first page has none.
const payEntry = ({ credits, budget = 0n }: ReadinessFacts) =>
  (credits >= actionCredit ? 0n : accessFee) + exitDeposit + budget
const freeDeposit = ({ deposit, reserved }: ReadinessFacts) => deposit - reserved

/** What posting and claiming need, in the order in which a newcomer meets it. */
const table: readonly Row[] = [
  {
    item: 'gas',
    token: 'eth',
    required: true,
    have: ({ eth, gasPrice }) => (gasPrice === null ? null : eth),
    need: ({ gasPrice }) => (gasPrice ?? 0n) * lifeGas,
  },
  { item: 'tok', token: 'tok', required: true, have: ({ tok }) => tok, need: payEntry },
  { item: 'tok-allowance', token: 'tok', required: false, have: ({ tokAllowance }) => tokAllowance, need: payEntry },
  { item: 'deposit', token: 'usdc', required: true, have: freeDeposit, need: () => entryDeposit },
  { item: 'recommended-deposit', token: 'usdc', required: false, have: freeDeposit, need: () => recommendedDeposit },
]

/**
 * Compares a wallet with what posting and claiming need. Requirements whose facts are not known are left out.
 *
 * @example
 * ```ts
 * listRequirements(facts, chainId).every(({ ok, required }) => ok || !required) // can post and claim
 * ```
 */
export function listRequirements(facts: ReadinessFacts, chainId: number): Requirement[] {
  const chain: Requirement = {
    item: 'chain',
    token: null,
    required: true,
    have: BigInt(facts.chainId),
    need: BigInt(chainId),
    missing: 0n,
    ok: facts.chainId === chainId,
  }
  const others = table.flatMap(({ item, token, required, ...row }): Requirement[] => {
    const have = row.have(facts)
    if (have === null) return []
    const need = row.need(facts)
    const missing = need > have ? need - have : 0n
    return [{ item, token, required, have, need, missing, ok: missing === 0n }]
  })
  return [chain, ...others]
}
