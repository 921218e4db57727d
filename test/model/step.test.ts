import { expect, test } from 'vitest'
import { accessFee, entryDeposit, minBond, recommendedDeposit } from '../../packages/protocol/src/amounts.ts'
import { marketParams } from '../../packages/protocol/src/params.ts'
import type { Args, Call } from './facts.ts'
import { step } from './step.ts'
import { tables } from './tables.ts'
import { newWorld, type Terms, type World, wait } from './world.ts'

const run = step(tables)
const { standard } = marketParams
const tok = 10n ** 18n
const usd = 1_000_000n
const start = 1_800_000_000
const hour = 3_600

const terms: Terms = {
  scope: 'PRIVATE',
  claimPolicy: 'ANYONE',
  amounts: [300n * tok, 1_000n * tok + 1n],
  durations: [24 * hour, 48 * hour],
  reviewWindow: 72 * hour,
  maxRevisions: 1,
  claimDeadline: start + 7 * 24 * hour,
  arbitrator: null,
}

const arbitrators = ['ann', 'bob', 'cid', 'dan']
const fresh = newWorld(standard, start, {
  poster: { tok: 10_000n * tok, deposit: recommendedDeposit },
  worker: { tok: 5_000n * tok, deposit: entryDeposit },
  ...Object.fromEntries(arbitrators.map((name) => [name, { bond: minBond }])),
})

type Line = [caller: string, operation: string, args?: Args] | number

/** Runs a script of calls on the first task; a number lets so many seconds pass. */
function play(world: World, ...lines: Line[]): World {
  return lines.reduce<World>((before, line) => {
    if (typeof line === 'number') return wait(before, line)
    const [caller, operation, args = {}] = line
    const isNew = operation === 'post' || operation === 'create'
    const outcome = run(before, { caller, operation, args, ...(isNew ? {} : { taskId: 1 }) })
    if ('error' in outcome) throw new Error(`${operation} by ${caller}: ${outcome.error}`)
    return outcome.world
  }, world)
}

const findError = (world: World, call: Call) => {
  const outcome = run(world, call)
  return 'error' in outcome ? outcome.error : null
}

const created: Line[] = [
  ['stranger', 'create', { terms, poster: 'poster', worker: 'worker' }],
  ['poster', 'fund', { amount: 1_300n * tok + 1n }],
  ['poster', 'activate'],
]

test('a private task, from two signatures to COMPLETED', () => {
  const world = play(fresh, ...created, ['worker', 'markDelivered'], 72 * hour + 1, ['stranger', 'releaseLapsed'])
  expect(world.tasks[1]).toMatchObject({ state: 'ACTIVE', current: 1, deadline: world.now + 48 * hour })
  const done = play(world, ['poster', 'release', { milestone: 1 }])
  expect(done.tasks[1]).toMatchObject({ state: 'COMPLETED', released: 1_300n * tok + 1n, refunded: 0n })
  expect(done.tok).toMatchObject({
    poster: 10_000n * tok - accessFee - 1_300n * tok - 1n,
    worker: 5_000n * tok - accessFee + 1_300n * tok + 1n,
    escrowVault: 0n,
    stakingVault: 800n * tok,
    treasury: 1_200n * tok,
  })
  expect(done.reserved).toMatchObject({ poster: 0n, worker: 0n })
  expect(done.liveClaims.worker).toBe(0)
})

test('an open task whose worker leaves in time', () => {
  const open: Terms = { ...terms, scope: 'OPEN' }
  const world = play(
    fresh,
    ['poster', 'post', { terms: open, amount: 300n * tok }],
    ['worker', 'claim'],
    ['worker', 'leaveTask'],
  )
  expect(world.tasks[1]).toMatchObject({ state: 'POSTED', worker: null, claimedAt: 0, funded: 300n * tok })
  expect(world.deposits).toMatchObject({ poster: 47_500_000n, worker: 20n * usd, treasury: 2_500_000n })
  const expired = play(world, 7 * 24 * hour, ['stranger', 'expire'])
  expect(expired.tasks[1]).toMatchObject({ state: 'EXPIRED', refunded: 300n * tok })
})

test('a dispute with an appeal: fees, bonds and a silent member', () => {
  const ruled = play(
    fresh,
    ...created,
    ['worker', 'markDelivered'],
    ['poster', 'openDispute'],
    standard.consentWindow + 1,
    ['stranger', 'seat', { panel: ['ann'] }],
    ['worker', 'submitEvidence'],
    ['ann', 'resolve', { workerBps: 10_000n }],
    ['poster', 'escalate'],
    ['stranger', 'seat', { panel: ['bob', 'cid', 'dan'] }],
    standard.evidenceWindow + 1,
    ['bob', 'resolve', { workerBps: 9_000n }],
    ['cid', 'resolve', { workerBps: 10_000n }],
    standard.rulingWindow,
    ['stranger', 'resolveTimedOut'],
  )
  expect(ruled.tasks[1]?.dispute).toMatchObject({ phase: 'RULED', tier: 1, workerBps: 9_500n })
  expect(ruled.tasks[1]?.dispute.bench.map(({ arbitrator }) => arbitrator)).toEqual(['ann', 'bob', 'cid'])
  expect(ruled.arbitrators.dan).toMatchObject({ bond: 9_000n * tok, timedOut: 1, openCases: 0 })
  expect(ruled.withdrawable).toEqual({ poster: 500n * tok, worker: 500n * tok })
  expect(ruled.reserved.poster).toBe(18n * usd)

  const paid = play(ruled, standard.appealWindow + 1, ['stranger', 'finalize'])
  expect(paid.tasks[1]).toMatchObject({
    state: 'RESOLVED',
    workerBps: 9_500n,
    ruled: true,
    released: 285n * tok,
    refunded: 1_015n * tok + 1n,
  })
  // The appeal won something, so its bond stays; a split ruling halves the fee, and a third of that does not divide.
  const third = 833_333n
  expect(paid.deposits).toMatchObject({
    poster: recommendedDeposit - 3n * third,
    worker: entryDeposit - 3n * third,
    ann: 2n * third,
    bob: 2n * third,
    cid: 2n * third,
  })
  expect(paid.reserved).toMatchObject({ poster: 0n, worker: 0n })
})

test.each<[string, string, Call]>([
  ['no such task', 'TaskNotFound', { operation: 'expire', caller: 'stranger', taskId: 9 }],
  ['no such dispute', 'WrongPhase', { operation: 'finalize', caller: 'stranger', taskId: 9 }],
  ['state before caller', 'WrongState', { operation: 'cancel', caller: 'stranger', taskId: 1 }],
  [
    'caller before arguments',
    'NotWorker',
    { operation: 'markDelivered', caller: 'poster', taskId: 1, args: { milestone: 7 } },
  ],
  [
    'milestone before hash',
    'NotCurrentMilestone',
    { operation: 'markDelivered', caller: 'worker', taskId: 1, args: { milestone: 1, hashGiven: false } },
  ],
  ['only arbitration settles', 'WrongState', { operation: 'settleDispute', caller: 'stranger', taskId: 1 }],
  [
    'what is reserved stays',
    'InsufficientDeposit',
    { operation: 'withdrawDeposit', caller: 'worker', args: { amount: 18n * usd } },
  ],
])('%s: %s', (_, error, call) => {
  expect(findError(play(fresh, ...created), call)).toBe(error)
})

test('bonds: cooldown, open cases, and money back', () => {
  const leaving = play(fresh, ['ann', 'requestUnbond'])
  expect(findError(fresh, { operation: 'unbond', caller: 'ann' })).toBe('NotUnbonding')
  expect(findError(leaving, { operation: 'unbond', caller: 'ann' })).toBe('UnbondCooldown')
  expect(play(leaving, 7 * 24 * hour, ['ann', 'unbond']).tok).toMatchObject({ ann: minBond, arbitration: 3n * minBond })
  expect(play(leaving, ['ann', 'register', { amount: 0n }]).arbitrators.ann?.unbondAt).toBe(0)
})

test('a step leaves the world it was given as it was', () => {
  const world = play(fresh, ...created, ['worker', 'markDelivered'])
  const copy = structuredClone(world)
  play(world, ['poster', 'openDispute'], ['worker', 'submitEvidence'], ['poster', 'release'])
  expect(world).toEqual(copy)
})
