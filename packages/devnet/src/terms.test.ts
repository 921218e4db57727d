import { createSigningContext } from '@svc/chain'
import {
  buildAcceptanceTypedData,
  claimPolicies,
  type Market,
  marketParams,
  markets,
  type TaskTerms,
  taskScopes,
} from '@svc/protocol'
import { agreementsAbi, taskRegistryAbi, taskScopeRegistryAbi } from '@svc/protocol/abis'
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
import { runs } from '../../../test/harness/runs.ts'
import { hashTaskText } from '../../protocol/src/tasks/taskText.ts'
import {
  buildTerms,
  formatTermsText,
  type TermsDocument,
  type TermsValues,
  toSigningContext,
  toTaskTerms,
} from '../../protocol/src/terms/terms.ts'
import { accounts } from './accounts.ts'
import { type Devnet, startDevnet } from './devnet.ts'
import { createScene } from './scene.ts'
import { getChainTime } from './time.ts'
import { sendApprovals, sendTokens, sendTopUp } from './walletSteps.ts'

const { ada, emeka, jun } = accounts
const maxUint128 = 2n ** 128n - 1n

let devnet: Devnet
/** The block time at which the registry checks the terms. */
let now: number
beforeAll(async () => {
  devnet = await startDevnet()
  const { client, deployments } = devnet
  now = (await getChainTime(client)) + 1_000
  for (const account of [ada, emeka]) {
    await sendTokens(client, deployments, account.address, { tok: parseEther('10000'), usdc: parseUnits('500', 6) })
    for (const scene of markets.map((market) => createScene(client, deployments, market))) {
      await sendApprovals(scene, account)
      await sendTopUp(scene, account, parseUnits('100', 6))
    }
  }
})
afterAll(() => devnet?.stop())

/** A draft whose claim deadline is relative to now, because the chain's clock is not known in advance. */
type Sketch = Omit<TermsValues, 'claimDeadline'> & { claimIn: number }
const makeDraft = ({ claimIn, ...draft }: Sketch): TermsValues => ({ ...draft, claimDeadline: now + claimIn })

const endsAndBetween = (min: number, max: number) => fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max }))

/** Drafts that a market accepts. Half of all numbers are at a limit. */
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
  /** The error of the registry. */
  error: string
  apply: (sketch: Sketch) => Sketch
}

/** Every way to be just outside a limit. */
function listViolations(market: Market): Record<string, Break> {
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

/** One milestone with the largest amount that the escrow can store. */
const full = { milestones: [{ title: 'All', amountTokWei: maxUint128, durationSeconds: 86_400 }] }

const drafts = runs(100)
const firstSeed = Date.now() % 2 ** 31

describe.each(markets)('what the package and the registry of the %s market say of terms', (market) => {
  const breaks = listViolations(market)
  const seed = firstSeed + markets.indexOf(market)

  test.each(Object.keys(breaks))('%s: both reject it', async (name) => {
    const broken = breaks[name]
    const [sketch] = fc.sample(goodSketch(market), { numRuns: 1, seed })
    if (!broken || !sketch) throw new Error('No sample.')
    const draft = makeDraft(broken.apply(sketch))
    expect(makeDocument(market, draft)).toBeNull()
    expect(await answer(market, draft)).toBe(broken.error)
  })

  test('the largest amount of 128 bits: both accept it', async () => {
    const [sketch] = fc.sample(goodSketch(market), { numRuns: 1, seed })
    if (!sketch) throw new Error('No sample.')
    const draft = makeDraft({ ...sketch, ...full })
    expect(makeDocument(market, draft)).not.toBeNull()
    expect(await answer(market, draft)).toBeNull()
  })

  test(`${drafts} random drafts near the limits: the same (seed ${seed})`, async () => {
    const taken = { yes: 0, no: 0 }
    const anySketch = fc
      .tuple(goodSketch(market), fc.oneof(fc.constant([]), fc.subarray(Object.values(breaks), { maxLength: 2 })))
      .map(([sketch, some]) => some.reduce((broken, { apply }) => apply(broken), sketch))
    await fc.assert(
      fc.asyncProperty(anySketch, async (sketch) => {
        const draft = makeDraft(sketch)
        const document = makeDocument(market, draft)
        const error = await answer(market, draft, document)
        expect(error === null, `the registry says ${error}`).toBe(document !== null)
        if (error !== null) expect(Object.values(breaks).map((each) => each.error)).toContain(error)
        taken[error === null ? 'yes' : 'no']++
      }),
      { numRuns: drafts, seed },
    )
    expect(Math.min(taken.yes, taken.no)).toBeGreaterThan(drafts / 10)
  })
})

/** Returns the document of a draft; null if the package rejects it. */
function makeDocument(market: Market, draft: TermsValues): TermsDocument | null {
  try {
    return buildTerms(draft, createSigningContext(devnet.deployments, market), now)
  } catch (error) {
    expect(['InvalidTermsError', '$ZodError', '$ZodEncodeError']).toContain((error as Error).name)
    return null
  }
}

/** Returns the registry's error in a simulation at `now`; null if it accepts the terms. */
async function answer(
  market: Market,
  draft: TermsValues,
  document = makeDocument(market, draft),
): Promise<string | null> {
  const { client, deployments } = devnet
  const text = document ? formatTermsText(document) : 'Any text'
  const terms = document ? toTaskTerms(document) : makeStruct(draft, text)
  const registry = {
    address: deployments.markets[market].taskRegistry,
    abi: [...taskRegistryAbi, ...agreementsAbi, ...taskScopeRegistryAbi],
  } as const
  const at = { blockOverrides: { time: BigInt(now) } } as const
  try {
    if (draft.worker) {
      const context = document ? toSigningContext(document) : createSigningContext(deployments, market)
      const worker = draft.worker
      const accept = async (party: LocalAccount) => {
        const fresh = { nonce: draft.nonce ^ 1n, expiry: BigInt(now) }
        const data = await party.signTypedData(
          buildAcceptanceTypedData(context, { terms, worker, party: party.address, ...fresh }),
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

/** Returns the struct of a draft that has no document. */
function makeStruct(draft: TermsValues, text: string): TaskTerms {
  const scope = draft.scope ?? (draft.worker ? 'PRIVATE' : 'OPEN')
  return {
    poster: draft.poster,
    amounts: draft.milestones.map(({ amountTokWei }) => amountTokWei),
    durations: draft.milestones.map(({ durationSeconds }) => BigInt(durationSeconds)),
    reviewWindow: BigInt(draft.reviewWindowSeconds ?? 0),
    maxRevisions: draft.maxRevisions ?? 0,
    arbitrator: draft.arbitrator ?? zeroAddress,
    store: draft.store ?? zeroAddress,
    criteriaHash: hashTaskText(text),
    scope: taskScopes.indexOf(scope),
    claimPolicy: claimPolicies.indexOf(draft.claimPolicy ?? 'ANYONE'),
    claimDeadline: BigInt(draft.claimDeadline),
    nonce: draft.nonce,
  }
}
