import type { Args, Call } from '../facts.ts'
import { readFreeDeposit } from '../money.ts'
import type { Tables } from '../tables.ts'
import type { Task, World } from '../world.ts'
import type { Actor } from './property.ts'
import { requireTask, type Scenario, taskId } from './scenarios.ts'

type Attempt = [Actor, Call]
type Caller = 'poster' | 'worker' | 'stranger'

const anyone = ['poster', 'worker', 'stranger'] as const

const by = (callers: readonly Caller[], operation: string, ...variants: Args[]): Attempt[] =>
  callers.flatMap((caller) => variants.map((args): Attempt => [caller, { operation, caller, taskId, args }]))

const otherMilestone = ({ current }: Task): Args => ({ milestone: current === 0 ? 1 : 0 })

/** A call about a milestone: by anyone as it should be, by who may with another milestone or without a hash. */
const aboutMilestone =
  (operation: string, ...callers: Caller[]) =>
  (task: Task): Attempt[] => [
    ...by(anyone, operation, {}),
    ...by(callers, operation, otherMilestone(task), { hashGiven: false }),
  ]

/** How each operation is tried: by whom, with which arguments, right and wrong. */
const tries: Readonly<Record<string, (task: Task, scenario: Scenario) => Attempt[]>> = {
  fund: ({ total, funded }) => [
    ...by(anyone, 'fund', { amount: total - funded }),
    ...by(['poster'], 'fund', { amount: total / 2n }, { amount: total - funded + 1n }, { amount: 0n }),
  ],
  claim: () => [
    ...by(['poster', 'worker'], 'claim', { permitted: true }),
    ...by(['worker'], 'claim', {}, { permitted: true, digestMatches: false }),
  ],
  activate: () => by(anyone, 'activate', {}),
  dismiss: () => by(anyone, 'dismiss', {}),
  leaveTask: () => by(anyone, 'leaveTask', {}),
  markDelivered: aboutMilestone('markDelivered', 'worker'),
  requestRevision: aboutMilestone('requestRevision', 'poster'),
  release: (task) => [...by(anyone, 'release', {}), ...by(['poster'], 'release', otherMilestone(task))],
  releaseLapsed: (task) => by(['stranger'], 'releaseLapsed', {}, otherMilestone(task)),
  openDispute: aboutMilestone('openDispute', 'poster', 'worker'),
  complete: () => by(anyone, 'complete', {}),
  cancel: () => by(anyone, 'cancel', {}),
  expire: () => by(['stranger'], 'expire', {}),
  mutualCancel: () => [
    ...by(['stranger'], 'mutualCancel', { signed: false }),
    ...[0n, 3_333n, 10_000n, 10_001n].map(
      (workerBps): Attempt => ['both', { operation: 'mutualCancel', caller: 'stranger', taskId, args: { workerBps } }],
    ),
  ],
  settleDispute: () => by(anyone, 'settleDispute', { workerBps: 10_000n }),
  open: () => by(anyone, 'open', {}),
  concede: () => by(anyone, 'concede', {}),
  abandon: () => by(anyone, 'abandon', {}),
  propose: (task) => [
    ...by(anyone, 'propose', { arbitrator: nextArbitrators(task, 1)[0] ?? '' }),
    ...by(['poster'], 'propose', { arbitrator: 'worker' }),
  ],
  seat: (task, { panels }) => {
    const drawn = (panels[task.dispute.tier] ?? []).map((size) => ({ panel: nextArbitrators(task, size) }))
    const wrong = [{ panel: [] }, { panel: ['worker'] }, { panel: task.dispute.sat.slice(0, 1) }]
    return by(['stranger'], 'seat', { panel: null }, ...drawn, ...wrong)
  },
  submitEvidence: () => [
    ...by(anyone, 'submitEvidence', {}),
    ...by(['poster'], 'submitEvidence', { hashGiven: false }),
  ],
  resolve: ({ dispute: { bench, panelStart } }, { votes }) => {
    const panel = bench.slice(panelStart)
    const vote = (voted: boolean, ...shares: bigint[]) =>
      shares.map((workerBps): Attempt => {
        const caller = panel.find((seat) => seat.voted === voted)?.arbitrator ?? 'stranger'
        return ['arbitrator', { operation: 'resolve', caller, taskId, args: { workerBps } }]
      })
    return [...vote(false, ...votes, 10_001n), ...vote(true, 10_000n), ...by(anyone, 'resolve', { workerBps: 0n })]
  },
  escalate: () => by(anyone, 'escalate', {}),
  finalize: () => by(['stranger'], 'finalize', {}),
  resolveTimedOut: () => by(['stranger'], 'resolveTimedOut', {}),
}

/** Arbitrators differ in nothing but their names: they are seated in the order of their numbers. */
const nextArbitrators = ({ dispute: { sat } }: Task, count: number): string[] =>
  Array.from({ length: count }, (_, i) => `arbitrator${sat.length + i}`)

/**
 * All that a penniless party can still take out of its deposit. Not during a dispute: there it would only forbid an
 * appeal, which nobody has to make.
 */
function withdrawals(world: World): Attempt[] {
  if (requireTask(world).state === 'DISPUTED') return []
  return (['poster', 'worker'] as const).flatMap((caller): Attempt[] => {
    const amount = readFreeDeposit(world, caller)
    return amount > 0n ? [[caller, { operation: 'withdrawDeposit', caller, args: { amount } }]] : []
  })
}

/**
 * Everything anyone may try in a world, wrong callers and wrong arguments included. An operation without a row for the
 * state is left out: it is refused whoever calls.
 */
export function adversary(tables: Tables, scenario: Scenario): (world: World) => Attempt[] {
  const rows = [...tables.lifecycle, ...tables.disputes]
  const inState = Map.groupBy(rows, (row) => row.from as string)
  const operationsIn = (state: string) => new Set(inState.get(state)?.map((row) => row.operation))
  const ofState = new Map([...inState.keys()].map((state) => [state, [...operationsIn(state)]]))
  return (world) => {
    const task = requireTask(world)
    const operations = [...(ofState.get(task.state) ?? []), ...(ofState.get(task.dispute.phase) ?? [])]
    const attempts = operations.flatMap((operation) => tries[operation]?.(task, scenario) ?? [])
    return scenario.rich ? attempts : [...attempts, ...withdrawals(world)]
  }
}
