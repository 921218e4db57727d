import { type Address, getAddress } from 'viem'
import { expect, test } from 'vitest'
import { findNextStep, listNextSteps } from '../steps/nextSteps.ts'
import type { DisputeFacts } from '../tasks/disputes.ts'
import type { TaskFacts } from '../tasks/guards.ts'
import type { TaskContext } from '../tasks/taskContext.ts'
import { type Cost, computeCost, computeWalletTok } from './cost.ts'
import { actions } from './index.ts'

const tok = (amount: number) => BigInt(amount) * 10n ** 18n
const usd = (cents: number) => BigInt(cents) * 10_000n
const at = (digit: string) => getAddress(`0x${digit.repeat(40)}`)
const [poster, worker, judge, store, court, stranger] = ['1', '2', '3', '4', '5', '6'].map(at) as [
  Address,
  Address,
  Address,
  Address,
  Address,
  Address,
]
const now = 1_000_000
const hour = 3_600
const none: Cost = {
  fee: false,
  tokWei: 0n,
  exitDepositTokWei: 0n,
  stakeTokWei: 0n,
  lostTokWei: 0n,
  usdc: 0n,
  reserveUsdc: 0n,
  penaltyUsdc: 0n,
}

const task: TaskFacts = {
  state: 'ACTIVE',
  scope: 'OPEN',
  claimPolicy: 'ANYONE',
  poster,
  worker,
  milestoneCount: 1,
  current: 0,
  maxRevisions: 1,
  revisions: 0,
  claimedAt: now - 10,
  fundedAtClaim: true,
  claimDeadline: now + 90 * hour,
  deadline: now + 90 * hour,
  reviewEnd: 0,
  reviewWindow: 24 * hour,
  store: null,
  receipted: false,
  underNotice: false,
  allowedWorker: null,
  amount: tok(300),
  total: tok(300),
  funded: tok(300),
  posterReserve: usd(1_300),
}
const dispute: DisputeFacts = {
  phase: 'EVIDENCE',
  poster,
  worker,
  openedByPoster: true,
  posterSpoke: true,
  workerSpoke: false,
  posterProposal: null,
  workerProposal: null,
  named: null,
  number: 1,
  judge,
  ruled: false,
  forWorker: false,
  offerBps: 0n,
  askBps: 10_000n,
  consentEnd: now + 10,
  evidenceEnd: now + 20,
  rulingEnd: now + 30,
  appealEnd: 0,
  courtEnd: 0,
}
const account = { deposit: usd(10_000), free: usd(9_000), tok: tok(1_000_000), credits: 0n }

function buildContext(facts: Partial<TaskFacts>, inDispute?: Partial<DisputeFacts>): TaskContext {
  return {
    taskId: { market: 'standard', number: 7n },
    task: { ...task, ...facts },
    dispute: inDispute ? { ...dispute, ...inDispute } : null,
    entriesPaused: false,
    sunsetAt: 0,
    finalCourt: court,
    account: () => account,
    canTakeCase: () => true,
  }
}

const findCost = (
  name: keyof typeof actions,
  wallet: Address,
  context: TaskContext,
  input: Record<string, unknown> = {},
): Cost | null => findNextStep(actions[name], context, wallet, now, input)?.cost ?? null

test('an entry takes the fee, an exit deposit and the reserve; a credit pays only the fee', () => {
  const cost = findCost('claim-task', stranger, buildContext({ state: 'POSTED', worker: null }))
  expect(cost).toEqual({ ...none, fee: true, exitDepositTokWei: tok(1_000), reserveUsdc: usd(1_300) })
  if (!cost) return
  expect(computeWalletTok(cost, { credits: 0n })).toBe(tok(2_000))
  expect(computeWalletTok(cost, { credits: 10n ** 18n })).toBe(tok(1_000))
})

test('leaving and removing a worker spend the exit deposit; an open task locks a new one', () => {
  const claimed = { state: 'CLAIMED' } as const
  const exit = { ...none, lostTokWei: tok(1_000) }
  expect(findCost('leave-task', worker, buildContext({}))).toEqual(exit)
  expect(findCost('dismiss-worker', poster, buildContext({}))).toEqual(exit)
  expect(findCost('dismiss-worker', poster, buildContext({ ...claimed, scope: 'PRIVATE' }))).toEqual(exit)
  expect(findCost('dismiss-worker', poster, buildContext(claimed))).toEqual({
    ...exit,
    exitDepositTokWei: tok(1_000),
  })
})

test('a missed duty costs whoever missed it, not a stranger who calls it', () => {
  const overdue = buildContext({ deadline: now - 1 })
  expect(findCost('expire-task', worker, overdue)).toEqual({ ...none, lostTokWei: tok(1_000), penaltyUsdc: usd(250) })
  expect(findCost('expire-task', stranger, overdue)).toEqual(none)
})

test('a poster opens a dispute with a stake and a whole reserve', () => {
  const inReview = buildContext({ reviewEnd: now + hour, posterReserve: usd(1_050) })
  expect(findCost('open-dispute', poster, inReview)).toEqual({ ...none, stakeTokWei: tok(30), reserveUsdc: usd(250) })
  expect(findCost('open-dispute', worker, inReview)).toBeNull()
})

test('a worker without a receipt opens a dispute after the review, without a stake', () => {
  const lapsed = buildContext({ reviewEnd: now - 1, store })
  expect(findCost('open-dispute', worker, lapsed)).toEqual(none)
  expect(findCost('open-dispute', poster, lapsed)).toBeNull()
  expect(findCost('release-lapsed', stranger, lapsed)).toBeNull()
  expect(findNextStep(actions['submit-proof'], lapsed, worker, now)?.required).toEqual(['proofHash', 'receipt'])
  const receipted = buildContext({ reviewEnd: now - 1, store, receipted: true })
  expect(findCost('open-dispute', worker, receipted)).toBeNull()
  expect(findCost('submit-proof', worker, receipted)).toBeNull()
  expect(findCost('release-lapsed', stranger, receipted)).toEqual(none)
})

test('the share that a party names decides what speaking costs', () => {
  const disputed = buildContext({ state: 'DISPUTED', reviewEnd: now + hour }, {})
  expect(findCost('submit-evidence', worker, disputed)).toEqual(none)
  const givesUp = { ...none, lostTokWei: tok(1_000), penaltyUsdc: usd(500) }
  expect(findCost('submit-evidence', worker, disputed, { shareBps: 0n })).toEqual(givesUp)
  const concedes = { ...none, lostTokWei: tok(3), penaltyUsdc: usd(500) }
  expect(findCost('accept-milestone', poster, disputed)).toEqual(concedes)
  // By words it ends the whole task, as a notice does.
  const byWords = { ...concedes, lostTokWei: tok(1_003) }
  expect(findCost('submit-evidence', poster, disputed, { shareBps: 10_000n })).toEqual(byWords)
  const met = buildContext({ state: 'DISPUTED', reviewEnd: now + hour }, { offerBps: 4_000n })
  expect(findCost('submit-evidence', worker, met, { shareBps: 4_000n })).toEqual({ ...none, penaltyUsdc: usd(250) })
  expect(findCost('submit-evidence', worker, met, { shareBps: 3_999n })).toBeNull()
  const unseated = buildContext({ state: 'DISPUTED', reviewEnd: now + hour }, { phase: 'OPEN', judge: null })
  expect(findCost('accept-milestone', poster, unseated)).toEqual({ ...none, lostTokWei: tok(3) })
  const court = buildContext({ state: 'DISPUTED', reviewEnd: now + hour }, { phase: 'COURT', judge: null })
  expect(findCost('accept-milestone', poster, court)).toEqual(concedes)
  // When nothing more can be said, giving in costs what losing costs.
  const late = buildContext({ state: 'DISPUTED' }, { phase: 'COURT', judge: null, evidenceEnd: now - 1 })
  expect(findCost('accept-milestone', poster, late)).toEqual({ ...none, lostTokWei: tok(30), penaltyUsdc: usd(1_300) })
})

test('after a ruling nobody concedes or cancels; the loser alone can appeal', () => {
  const ruled = buildContext(
    { state: 'DISPUTED', reviewEnd: now + hour },
    { phase: 'RULED', ruled: true, forWorker: true, appealEnd: now + hour },
  )
  const names = (wallet: Address) => listNextSteps(ruled, wallet, now).map(({ action }) => action.name)
  expect(names(poster)).toEqual(['escalate'])
  expect(names(worker)).toEqual([])
  expect(findCost('escalate', poster, ruled)).toEqual({ ...none, reserveUsdc: usd(800) })
  const appealed = buildContext({ state: 'DISPUTED' }, { phase: 'COURT', ruled: true, forWorker: true })
  expect(findCost('mutual-cancel', poster, appealed)).toBeNull()
})

test('a party proposes somebody; a named arbitrator proposes itself', () => {
  const open = buildContext({ state: 'DISPUTED' }, { phase: 'OPEN', judge: null, named: judge })
  const proposal = actions['propose-arbitrator']
  expect(findNextStep(proposal, open, worker, now)).toMatchObject({ required: ['arbitrator'], row: { to: 'OPEN' } })
  const accepted = findNextStep(proposal, open, judge, now)
  expect(accepted).toMatchObject({ required: [], derived: { arbitrator: judge }, row: { to: 'EVIDENCE' } })
  expect(findNextStep(proposal, open, stranger, now)).toBeNull()
  const proposed = buildContext({ state: 'DISPUTED' }, { phase: 'OPEN', judge: null, posterProposal: judge })
  expect(findNextStep(proposal, proposed, worker, now)).toMatchObject({ required: [], derived: { arbitrator: judge } })
  expect(findNextStep(proposal, proposed, judge, now)).toBeNull()
})

test('a judge rules after the evidence, if both spoke, and may give the case back before', () => {
  const names = (facts: Partial<DisputeFacts>, time: number) =>
    listNextSteps(buildContext({ state: 'DISPUTED' }, facts), judge, time).map(({ action }) => action.name)
  expect(names({ workerSpoke: true }, now)).toEqual(['mutual-cancel', 'step-down'])
  expect(names({ workerSpoke: true }, now + 21)).toEqual(['mutual-cancel', 'step-down', 'resolve-dispute'])
  expect(names({}, now + 21)).toEqual(['mutual-cancel', 'step-down', 'resolve-timed-out'])
  expect(names({ workerSpoke: true }, now + 31)).toEqual(['mutual-cancel', 'resolve-timed-out'])
})

test('only the final court decides, and it never enters a task', () => {
  const called = buildContext({ state: 'DISPUTED' }, { phase: 'COURT', judge: null, courtEnd: now + hour })
  const decided = findNextStep(actions['decide-dispute'], called, court, now + 21)
  expect(decided).toMatchObject({ required: ['forWorker', 'reasonHash'], derived: { round: 1n } })
  expect(findNextStep(actions['decide-dispute'], called, court, now)).toBeNull()
  expect(findNextStep(actions['decide-dispute'], called, judge, now + 21)).toBeNull()
  expect(findCost('claim-task', court, buildContext({ state: 'POSTED', worker: null }))).toBeNull()
})

test('without a task, the cost is the most that the operation takes', () => {
  const input = { taskId: { market: 'standard', number: 7n } } as const
  expect(computeCost(actions['dismiss-worker'], input, { from: poster })).toEqual({
    ...none,
    exitDepositTokWei: tok(1_000),
    lostTokWei: tok(1_000),
  })
})
