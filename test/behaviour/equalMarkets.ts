import type { Mutation, MutationKind } from './mutations.ts'

/** The mutations that change nothing where both markets, wallets or tasks have the same value. All others change every answer. */
const swaps: ReadonlySet<MutationKind> = new Set([
  'other market',
  'other wallet',
  'other task',
  'part of the input',
  'field of the other market',
])

export const isSwap = ({ kind }: Pick<Mutation, 'kind'>): boolean => swaps.has(kind)

interface SharedValue {
  /** The route, if only one has it. */
  to?: string
  /** The field or parameter. */
  what: RegExp
  why: string
}

/** What both markets share, or the chain alone decides, so that no world of these checks can make it differ. */
const sharedValues: readonly SharedValue[] = [
  {
    what: /^body\.(?:meta|block|chain(?:Id|Name)|startBlock|head)\b(?!\.(?:market|nextCursor))/,
    why: 'both markets are on one chain, and every answer is read at one block',
  },
  {
    what: /contracts\.(?:tokToken|timelock|usdOracle|pricingPolicy|usdc|treasury|finalCourt)$|^body\.asset$/,
    why: 'both markets share this contract',
  },
  {
    what: /^body\.(?:rpcUrl|postingPlans|store|notifier|formula)\b/,
    why: 'about the service and not about a market',
  },
  { to: 'GET /api/posting/tok-preview', what: /./, why: 'one oracle and one price list for both markets' },
  {
    to: 'GET /api/price/tok',
    what: /^body\.(?:usdPerTok|updatedAt|missing)$/,
    why: 'one oracle for both markets',
  },
  {
    to: 'POST /v1/requests/:id/submitted',
    what: /^(?:account$|transactionHashes)/,
    why: 'only the chain decides whether a transaction belongs to a request: test/gateway/proofs.test.ts',
  },
]

/** Why a value is the same in both markets; null if nothing says that it must be. */
export function explainShared({ to, what }: Pick<Mutation, 'to' | 'what'>): string | null {
  return sharedValues.find((value) => (value.to === undefined || value.to === to) && value.what.test(what))?.why ?? null
}
