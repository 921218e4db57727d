import { signingContext } from '@svc/chain'
import {
  acceptanceTypedData,
  claimPolicies,
  type Market,
  marketParams,
  markets,
  type TaskTerms,
  taskScopes,
} from '@svc/protocol'
import { taskRegistryAbi, taskScopeRegistryAbi } from '@svc/protocol/abis'
import fc from 'fast-check'
import {
  BaseError,
  ContractFunctionRevertedError,
  type LocalAccount,
  maxUint256,
  parseEther,
  parseUnits,
  zeroAddress,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { criteriaHash } from '../../protocol/src/taskText.ts'
import {
  buildTerms,
  contextOf,
  type TermsDocument,
  type TermsDraft,
  termsOf,
  textOf,
} from '../../protocol/src/terms.ts'
import { accounts } from './accounts.ts'
import { type Devnet, startDevnet } from './devnet.ts'
import { createScene } from './scene.ts'
import { chainTime } from './time.ts'
import { approve, give, topUp } from './walletSteps.ts'

const { ada, emeka, jun } = accounts
const maxUint128 = 2n ** 128n - 1n

let devnet: Devnet
/** When the registry looks at the terms. */
let now: number
beforeAll(async () => {
  devnet = await startDevnet()
  const { client, deployments } = devnet
  now = (await chainTime(client)) + 1_000
  for (const account of [ada, emeka]) {
    await give(client, deployments, account.address, { tok: parseEther('10000'), usdc: parseUnits('500', 6) })
    for (const scene of markets.map((market) => createScene(client, deployments, market))) {
      await approve(scene, account)
      await topUp(scene, account, parseUnits('100', 6))
    }
  }
})
afterAll(() => devnet?.stop())

/** A draft whose claim deadline is seconds from now: the chain's clock is not known before it runs. */
type Sketch = Omit<TermsDraft, 'claimDeadline'> & { claimIn: number }
const draftOf = ({ claimIn, ...draft }: Sketch): TermsDraft => ({ ...draft, claimDeadline: now + claimIn })

const endsAndBetween = (min: number, max: number) => fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max }))

/** Sketches that a market takes, half of all numbers at a limit. */
function goodSketch(market: Market): fc.Arbitrary<Sketch> {
  const params = marketParams[market]
  const milestone = fc.record({
    title: fc.constantFrom('Part', 'Teil', '文'),
    amountTokWei: fc.oneof(fc.constantFrom(1n, maxUint128 / 16n), fc.bigInt({ min: 1n, max: maxUint128 / 16n })),
    durationSeconds: endsAndBetween(params.minDuration, params.maxDuration),
  })
  return fc.record({
    poster: fc.constant(ada.address),
    worker: fc.constantFrom(null, emeka.address),
    title: fc.constantFrom('Caption ten photos', 'Café "文"'),
    criteria: fc.constantFrom('One sentence each.', 'First\n\nSecond 😀'),
    milestones: fc.integer({ min: 0, max: 3 }).chain((pick) => {
      const count = [1, 2, 3, 16][pick] ?? 1
      return fc.array(milestone, { minLength: count, maxLength: count })
    }),
    claimIn: endsAndBetween(params.claimCutoff, params.maxClaimDeadline),
    nonce: fc.oneof(fc.constantFrom(0n, maxUint256), fc.bigInt({ min: 0n, max: maxUint256 })),
    reviewWindowSeconds: endsAndBetween(params.minReviewWindow, params.maxReviewWindow),
    maxRevisions: fc.integer({ min: 0, max: 3 }),
    arbitrator: fc.constantFrom(null, jun.address),
    claimPolicy: fc.constantFrom(...claimPolicies),
  })
}

interface Break {
  /** What the registry answers. */
  error: string
  apply: (sketch: Sketch) => Sketch
}

/** Every way to be just beyond a limit. */
function breaksOf(market: Market): Record<string, Break> {
  const params = marketParams[market]
  const change = (error: string, changes: Partial<Sketch>): Break => ({
    error,
    apply: (sketch) => ({ ...sketch, ...changes }),
  })
  const lastMilestone = (error: string, changes: Partial<Sketch['milestones'][number]>): Break => ({
    error,
    apply: (sketch) => ({
      ...sketch,
      milestones: sketch.milestones.map((each, index, all) =>
        index === all.length - 1 ? { ...each, ...changes } : each,
      ),
    }),
  })
  const milestone = { title: 'One', amountTokWei: 1n, durationSeconds: params.minDuration }
  const paying = (...amounts: bigint[]) => ({
    milestones: amounts.map((amountTokWei) => ({ ...milestone, amountTokWei })),
  })
  return {
    'no milestone': change('MilestoneCountOutOfRange', { milestones: [] }),
    '17 milestones': change('MilestoneCountOutOfRange', { milestones: Array(17).fill(milestone) }),
    'no pay': lastMilestone('AmountOutOfRange', { amountTokWei: 0n }),
    'an amount past 128 bits': lastMilestone('AmountOutOfRange', { amountTokWei: maxUint128 + 1n }),
    'a sum past 128 bits': change('AmountOutOfRange', paying(maxUint128, 1n)),
    'too short': lastMilestone('DurationOutOfRange', { durationSeconds: params.minDuration - 1 }),
    'no time at all': lastMilestone('DurationOutOfRange', { durationSeconds: 0 }),
    'too long': lastMilestone('DurationOutOfRange', { durationSeconds: params.maxDuration + 1 }),
    'past 32 bits of time': lastMilestone('DurationOutOfRange', { durationSeconds: 2 ** 32 + params.minDuration }),
    'review too short': change('ReviewWindowOutOfRange', { reviewWindowSeconds: params.minReviewWindow - 1 }),
    'review too long': change('ReviewWindowOutOfRange', { reviewWindowSeconds: params.maxReviewWindow + 1 }),
    '4 revisions': change('TooManyRevisions', { maxRevisions: 4 }),
    'claims closed already': change('ClaimDeadlineOutOfRange', { claimIn: params.claimCutoff - 1 }),
    'claims open too long': change('ClaimDeadlineOutOfRange', { claimIn: params.maxClaimDeadline + 1 }),
    'private without a worker': change('WrongScope', { scope: 'PRIVATE', worker: null }),
    'open with a worker': change('WrongScope', { scope: 'OPEN', worker: emeka.address }),
    'the poster as worker': change('WorkerIsPoster', { scope: 'PRIVATE', worker: ada.address }),
  }
}

/** One milestone that pays the most the escrow can count. */
const full = { milestones: [{ title: 'All', amountTokWei: maxUint128, durationSeconds: 86_400 }] }

const runs = 100
const firstSeed = Date.now() % 2 ** 31

describe.each(markets)('what the package and the registry of the %s market say of terms', (market) => {
  const breaks = breaksOf(market)
  const seed = firstSeed + markets.indexOf(market)

  test.each(Object.keys(breaks))('%s: both refuse', async (name) => {
    const broken = breaks[name]
    const [sketch] = fc.sample(goodSketch(market), { numRuns: 1, seed })
    if (!broken || !sketch) throw new Error('No sample.')
    const draft = draftOf(broken.apply(sketch))
    expect(documentOf(market, draft)).toBeNull()
    expect(await answer(market, draft)).toBe(broken.error)
  })

  test('all that 128 bits hold: both take it', async () => {
    const [sketch] = fc.sample(goodSketch(market), { numRuns: 1, seed })
    if (!sketch) throw new Error('No sample.')
    const draft = draftOf({ ...sketch, ...full })
    expect(documentOf(market, draft)).not.toBeNull()
    expect(await answer(market, draft)).toBeNull()
  })

  test(`${runs} random drafts near the limits: the same (seed ${seed})`, async () => {
    const taken = { yes: 0, no: 0 }
    const anySketch = fc
      .tuple(goodSketch(market), fc.oneof(fc.constant([]), fc.subarray(Object.values(breaks), { maxLength: 2 })))
      .map(([sketch, some]) => some.reduce((broken, { apply }) => apply(broken), sketch))
    await fc.assert(
      fc.asyncProperty(anySketch, async (sketch) => {
        const draft = draftOf(sketch)
        const document = documentOf(market, draft)
        const error = await answer(market, draft, document)
        expect(error === null, `the registry says ${error}`).toBe(document !== null)
        if (error !== null) expect(Object.values(breaks).map((each) => each.error)).toContain(error)
        taken[error === null ? 'yes' : 'no']++
      }),
      { numRuns: runs, seed },
    )
    expect(Math.min(taken.yes, taken.no)).toBeGreaterThan(runs / 10)
  })
})

/** The document of a draft, or null when the package refuses it. */
function documentOf(market: Market, draft: TermsDraft): TermsDocument | null {
  try {
    return buildTerms(draft, signingContext(devnet.deployments, market), now)
  } catch (error) {
    expect(['InvalidTermsError', '$ZodError', '$ZodEncodeError']).toContain((error as Error).name)
    return null
  }
}

/** The error with which the registry answers a dry run at `now`, or null when it takes the terms. */
async function answer(market: Market, draft: TermsDraft, document = documentOf(market, draft)): Promise<string | null> {
  const { client, deployments } = devnet
  const text = document ? textOf(document) : 'Any text'
  const terms = document ? termsOf(document) : structOf(draft, text)
  const registry = {
    address: deployments.markets[market].taskRegistry,
    abi: [...taskRegistryAbi, ...taskScopeRegistryAbi],
  } as const
  const at = { blockOverrides: { time: BigInt(now) } } as const
  try {
    if (draft.worker) {
      const context = document ? contextOf(document) : signingContext(deployments, market)
      const worker = draft.worker
      const accept = async (party: LocalAccount) => {
        const fresh = { nonce: draft.nonce ^ 1n, expiry: BigInt(now) }
        const data = await party.signTypedData(
          acceptanceTypedData(context, { terms, worker, party: party.address, ...fresh }),
        )
        return { ...fresh, data }
      }
      const args = [terms, worker, await accept(ada), await accept(emeka)] as const
      await client.simulateContract({ ...registry, ...at, account: emeka.address, functionName: 'create', args })
    } else {
      await client.simulateContract({
        ...registry,
        ...at,
        account: ada.address,
        functionName: 'post',
        args: [terms, text, 0n],
      })
    }
    return null
  } catch (error) {
    const reverted = error instanceof BaseError && error.walk((cause) => cause instanceof ContractFunctionRevertedError)
    if (!(reverted instanceof ContractFunctionRevertedError) || !reverted.data) throw error
    return reverted.data.errorName
  }
}

/** The struct of a draft that has no document. */
function structOf(draft: TermsDraft, text: string): TaskTerms {
  const scope = draft.scope ?? (draft.worker ? 'PRIVATE' : 'OPEN')
  return {
    poster: draft.poster,
    amounts: draft.milestones.map(({ amountTokWei }) => amountTokWei),
    durations: draft.milestones.map(({ durationSeconds }) => BigInt(durationSeconds)),
    reviewWindow: BigInt(draft.reviewWindowSeconds ?? 0),
    maxRevisions: draft.maxRevisions ?? 0,
    arbitrator: draft.arbitrator ?? zeroAddress,
    criteriaHash: criteriaHash(text),
    scope: taskScopes.indexOf(scope),
    claimPolicy: claimPolicies.indexOf(draft.claimPolicy ?? 'ANYONE'),
    claimDeadline: BigInt(draft.claimDeadline),
    nonce: draft.nonce,
  }
}
