import { accessFee, entryDeposit, exitDeposit, marketParams, recommendedDeposit } from '@svc/protocol'
import { minBond } from '@svc/protocol/internal/money'
import { expect, test } from 'vitest'
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
  store: null,
}

const arbitrators = ['ann', 'bob']
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
  expect(done.tasks[1]?.exitDeposits).toEqual({ poster: 0n, worker: 0n })
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
  expect(world.deposits.worker).toBe(entryDeposit)
  expect(world.tok).toMatchObject({ worker: 5_000n * tok - accessFee - exitDeposit, treasury: 1_800n * tok })
  expect(world.tasks[1]?.exitDeposits).toEqual({ poster: exitDeposit, worker: 0n })
  const expired = play(world, 7 * 24 * hour, ['stranger', 'expire'])
  expect(expired.tasks[1]).toMatchObject({ state: 'EXPIRED', refunded: 300n * tok })
})

const disputed: Line[] = [...created, ['worker', 'markDelivered'], ['poster', 'openDispute', { shareBps: 2_000n }]]
const ruled: Line[] = [
  ...disputed,
  ['poster', 'propose', { arbitrator: 'ann' }],
  ['worker', 'propose', { arbitrator: 'ann' }],
  ['ann', 'propose', { arbitrator: 'ann' }],
  ['worker', 'submitEvidence', { shareBps: 8_000n }],
  standard.evidenceWindow + 1,
  ['ann', 'resolve', { forWorker: true }],
]

test('a ruling that stands: the loser pays, the judge and the winner are paid', () => {
  const world = play(fresh, ...ruled, standard.appealWindow + 1, ['stranger', 'finalize'])
  expect(world.tasks[1]).toMatchObject({ state: 'RESOLVED', workerBps: 8_000n, ruled: true })
  expect(world.tasks[1]?.dispute).toMatchObject({ phase: 'CLOSED', ending: 'RULED', workerBps: 8_000n, stake: 0n })
  // The gap is 180 TOK: 10 % of it go from the poster's stake to the worker.
  expect(world.tok).toMatchObject({
    worker: 5_000n * tok - accessFee + 240n * tok + 18n * tok,
    arbitration: 2n * minBond,
    escrowVault: 0n,
  })
  expect(world.tok.ann ?? 0n).toBe(0n)
  expect(world.deposits).toMatchObject({ poster: recommendedDeposit - 13n * usd, ann: 5n * usd, worker: 33n * usd })
  expect(world.tasks[1]?.exitDeposits).toEqual({ poster: 0n, worker: 0n })
  expect(world.arbitrators.ann).toMatchObject({ bond: minBond, locked: 0n, openCases: 0, resolved: 1 })
  expect(world.reserved).toMatchObject({ poster: 0n, worker: 0n })
})

test('an overturned ruling: what the judge loses is burnt, the appellant and the final court are paid', () => {
  const decided: Line[] = [...ruled, ['poster', 'escalate'], ['finalCourt', 'decide', { forWorker: false }]]
  const world = play(fresh, ...decided)
  expect(world.tasks[1]?.dispute).toMatchObject({ ending: 'DECIDED', workerBps: 2_000n, appealed: true })
  expect(world.arbitrators.ann).toMatchObject({ bond: 8_000n * tok, overturned: 1, slashed: 2_000n * tok })
  expect(world.deposits).toMatchObject({
    poster: recommendedDeposit - 8n * usd + 13n * usd,
    worker: entryDeposit - 13n * usd,
    finalCourt: 8n * usd,
  })
  expect(world.tok).toMatchObject({ burnt: 2_000n * tok, finalCourt: (18n * tok) / 10n })
})

test('without a judge the final court decides, and the loser forfeits its exit deposit', () => {
  const lost: Line[] = [
    ...created,
    ['worker', 'markDelivered'],
    ['poster', 'openDispute'],
    standard.evidenceWindow + 1,
    ['stranger', 'resolveTimedOut'],
    ['finalCourt', 'decide', { forWorker: false }],
  ]
  const world = play(fresh, ...lost)
  expect(world.deposits).toMatchObject({ worker: 12n * usd, finalCourt: 5n * usd, poster: 53n * usd })
  expect(world.tok.worker).toBe(5_000n * tok - accessFee - exitDeposit)
  expect(world.tasks[1]).toMatchObject({ state: 'RESOLVED', released: 3n * tok, refunded: 1_297n * tok + 1n })
})

test('a delivery without the receipt of its store is not paid by silence, and can be cured', () => {
  const stored: Terms = { ...terms, store: 'store' }
  const delivered = play(
    fresh,
    ['stranger', 'create', { terms: stored, poster: 'poster', worker: 'worker' }],
    ['poster', 'fund', { amount: 1_300n * tok + 1n }],
    ['poster', 'activate'],
    ['worker', 'markDelivered'],
    72 * hour + 1,
  )
  const lapse: Call = { operation: 'releaseLapsed', caller: 'stranger', taskId: 1 }
  expect(findError(delivered, lapse)).toBe('ReceiptMissing')
  const cure: Line = ['worker', 'markDelivered', { receipt: 'valid' }]
  const cured = play(delivered, cure, 72 * hour + 1, ['stranger', 'releaseLapsed'])
  expect(cured.tasks[1]).toMatchObject({ current: 1, receipted: false })
  const forfeited = play(delivered, 72 * hour, ['stranger', 'expire'])
  expect(forfeited.deposits).toMatchObject({ worker: 22_500_000n, treasury: 2_500_000n })
})

test('a notice: the worker goes free of charge, or what it delivers is the last milestone', () => {
  const told = play(fresh, ...created, ['poster', 'dismiss'])
  expect(told.tasks[1]).toMatchObject({ state: 'ACTIVE', underNotice: true, deadline: start + 24 * hour })
  const gone = play(told, ['worker', 'expire'])
  expect(gone.deposits.worker).toBe(entryDeposit)
  expect(gone.tok).toMatchObject({ worker: 5_000n * tok - accessFee, poster: 8_000n * tok })
  const paid = play(told, ['worker', 'markDelivered'], ['poster', 'release'])
  expect(paid.tasks[1]).toMatchObject({ state: 'COMPLETED', released: 300n * tok, refunded: 1_000n * tok + 1n })
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
    'while anything is reserved, all of the entry deposit stays',
    'InsufficientDeposit',
    { operation: 'withdrawDeposit', caller: 'worker', args: { amount: 1n } },
  ],
  ['the final court does not judge', 'CourtCannotJudge', { operation: 'register', caller: 'finalCourt' }],
])('%s: %s', (_, error, call) => {
  expect(findError(play(fresh, ...created), call)).toBe(error)
})

test('bonds: cooldown, open cases, and money back', () => {
  const leaving = play(fresh, ['ann', 'requestUnbond'])
  expect(findError(fresh, { operation: 'unbond', caller: 'ann' })).toBe('NotUnbonding')
  expect(findError(leaving, { operation: 'unbond', caller: 'ann' })).toBe('UnbondCooldown')
  expect(play(leaving, 7 * 24 * hour, ['ann', 'unbond']).tok).toMatchObject({ ann: minBond, arbitration: minBond })
  expect(play(leaving, ['ann', 'register', { amount: 0n }]).arbitrators.ann?.unbondAt).toBe(0)
})

test('a step leaves the world it was given as it was', () => {
  const world = play(fresh, ...created, ['worker', 'markDelivered'])
  const copy = structuredClone(world)
  play(world, ['poster', 'openDispute'], ['worker', 'submitEvidence'], ['poster', 'release'])
  expect(world).toEqual(copy)
})
