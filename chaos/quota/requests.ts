import type { Random } from '@svc/simulation/random'
import type { Address, Hex } from 'viem'
import type { RecordBody, UpgradeBody } from '../../test/harness/posters.ts'

/** A request, and the answer that it must finally get. */
export interface QuotaRequest {
  path: '/api/posting/record' | '/api/posting/upgrade'
  body: object
  expected: { status: number; code?: string; field?: string }
}

interface Others {
  addresses: readonly Address[]
  /** A transaction that proves something else. */
  txHash: Hex
}

/** Creates records of three posts, repeated and forged in every field, in random order. */
export function createRecordRequests(
  random: Random,
  count: number,
  posts: readonly RecordBody[],
  others: Others,
): QuotaRequest[] {
  const contradicted = (field: string) => ({ status: 422, code: 'TX_CONTRADICTS', field })
  const forge = (post: RecordBody): [Partial<RecordBody>, QuotaRequest['expected']] => {
    const [, otherTask] = post.taskId === posts[0]?.taskId ? posts : [null, posts[0]]
    return random.pick<[Partial<RecordBody>, QuotaRequest['expected']]>([
      [{ txHash: `0x${random.word()}` }, { status: 409, code: 'TX_NOT_FOUND' }],
      [{ txHash: others.txHash }, contradicted('txHash')],
      [{ taskId: otherTask?.taskId ?? '' }, contradicted('taskId')],
      [{ address: random.pick(others.addresses) }, contradicted('address')],
      [{ taskAmountTok: String(1 + random.below(1_000)) }, contradicted('taskAmountTok')],
      [{ market: post.market === 'micro' ? 'standard' : 'micro' }, { status: 400, code: 'INVALID_MARKET' }],
    ])
  }
  const requests = Array.from({ length: count }, (_, index) => {
    // Every valid post at least once; the rest at random.
    const post = posts[index] ?? random.pick(posts)
    const [change, expected] = index >= posts.length && random.chance(0.5) ? forge(post) : [{}, { status: 200 }]
    return { path: '/api/posting/record' as const, body: { ...post, ...change }, expected }
  })
  return requests
    .map((request) => ({ request, place: random.below(2 ** 31) }))
    .sort((a, b) => a.place - b.place)
    .map(({ request }) => request)
}

/** Creates upgrades for one payment: valid ones, and with another wallet, tier, token, market or transaction. */
export function createUpgradeRequests(
  random: Random,
  count: number,
  payment: UpgradeBody,
  others: Others,
): QuotaRequest[] {
  const contradicted = (field: string) => ({ status: 422, code: 'TX_CONTRADICTS', field })
  const otherMarket = payment.market === 'micro' ? ('standard' as const) : ('micro' as const)
  return Array.from({ length: count }, (_, index) => {
    const [change, expected] = random.pick<[Partial<UpgradeBody>, QuotaRequest['expected']]>([
      [{}, { status: 200 }],
      [{ address: random.pick(others.addresses) }, { status: 409, code: 'PAYMENT_TAKEN' }],
      [{ tier: payment.tier === 'pro' ? 'basic' : 'pro' }, contradicted('tier')],
      [{ payWith: payment.payWith === 'tok' ? 'usdc' : 'tok' }, contradicted('payWith')],
      [{ market: otherMarket }, contradicted('txHash')],
      [{ txHash: `0x${random.word()}` }, { status: 409, code: 'TX_NOT_FOUND' }],
    ])
    const body = index === 0 ? payment : { ...payment, ...change }
    return { path: '/api/posting/upgrade' as const, body, expected: index === 0 ? { status: 200 } : expected }
  })
}
