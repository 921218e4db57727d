import { bps } from '@svc/protocol/internal/money'
import type { Args, Call } from '../facts.ts'
import { readWithdrawable } from '../money.ts'
import type { Tables } from '../tables.ts'
import { finalCourt, type Task, type World } from '../world.ts'
import type { Actor } from './property.ts'
import { requireTask, type Scenario, taskId } from './scenarios.ts'

type Attempt = [Actor, Call]
type Caller = 'poster' | 'worker' | 'stranger'

const anyone = ['poster', 'worker', 'stranger'] as const

const by = (callers: readonly Caller[], operation: string, ...variants: Args[]): Attempt[] =>
  callers.flatMap((caller) => variants.map((args): Attempt => [caller, { operation, caller, taskId, args }]))

/** What a poster offers and what a worker asks for besides the extremes. */
const midOffer = 3_000n
const midAsk = 6_000n

const as = (actor: Actor, caller: string, operation: string, ...variants: Args[]): Attempt[] =>
  variants.map((args): Attempt => [actor, { operation, caller, taskId, args }])

const otherMilestone = ({ current }: Task): Args => ({ milestone: current === 0 ? 1 : 0 })

/** A call about a milestone: by anyone as it should be, by who may with another milestone or without a hash. */
const aboutMilestone =
  (operation: string, ...callers: Caller[]) =>
  (task: Task): Attempt[] => [
    ...by(anyone, operation, {}),
    ...by(callers, operation, otherMilestone(task), { hashGiven: false }),
  ]

/** How each operation is tried: by whom, with which arguments, right and wrong. */
const tries: Readonly<Record<string, (task: Task) => Attempt[]>> = {
  fund: ({ total, funded }) => [
    ...by(anyone, 'fund', { amount: total - funded }),
    ...by(['poster'], 'fund', { amount: total / 2n }, { amount: total - funded + 1n }, { amount: 0n }),
  ],
  allowWorker: () => [
    ...by(anyone, 'allowWorker', { worker: 'worker' }),
    ...by(['poster'], 'allowWorker', { worker: 'stranger' }),
  ],
  claim: () => [
    ...by(['poster', 'worker'], 'claim', { permitted: true }),
    ...by(['worker'], 'claim', {}, { permitted: true, digestMatches: false }),
  ],
  activate: () => by(anyone, 'activate', {}),
  dismiss: () => by(anyone, 'dismiss', {}),
  leaveTask: () => by(anyone, 'leaveTask', {}),
  markDelivered: (task) => [
    ...aboutMilestone('markDelivered', 'worker')(task),
    ...receipts.flatMap((receipt) => by(['worker'], 'markDelivered', { receipt })),
  ],
  requestRevision: aboutMilestone('requestRevision', 'poster'),
  release: (task) => [...by(anyone, 'release', {}), ...by(['poster'], 'release', otherMilestone(task))],
  releaseLapsed: (task) => by(['stranger'], 'releaseLapsed', {}, otherMilestone(task)),
  openDispute: (task) => [
    ...aboutMilestone('openDispute', 'poster', 'worker')(task),
    ...by(['poster'], 'openDispute', { shareBps: midOffer }, { shareBps: bps }),
    ...by(['worker'], 'openDispute', { shareBps: midAsk }, { shareBps: 0n }),
  ],
  complete: () => by(anyone, 'complete', {}),
  cancel: () => by(anyone, 'cancel', {}),
  expire: () => by(['stranger', 'worker'], 'expire', {}),
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
  propose: (task) => {
    const candidates = [...new Set([nextJudge(task), task.terms.arbitrator ?? nextJudge(task)])]
    return [
      ...by(anyone, 'propose', { arbitrator: nextJudge(task) }),
      ...by(['poster'], 'propose', { arbitrator: 'worker' }),
      ...by(['stranger'], 'propose', { arbitrator: 'stranger' }),
      ...candidates.flatMap((judge) => as('arbitrator', judge, 'propose', { arbitrator: judge })),
    ]
  },
  stepDown: ({ dispute: { judge } }) => [
    ...as('arbitrator', judge ?? 'stranger', 'stepDown', {}),
    ...by(anyone, 'stepDown', {}),
  ],
  submitEvidence: ({ dispute: { offerBps, askBps } }) => [
    ...by(['poster', 'worker', 'stranger'], 'submitEvidence', {}),
    // Half-way, all the way, and out of range.
    ...by(['poster'], 'submitEvidence', ...shares(midOffer, askBps, offerBps - 1n), { hashGiven: false }),
    ...by(['worker'], 'submitEvidence', ...shares(midAsk, offerBps, askBps + 1n)),
  ],
  resolve: ({ dispute: { judge, number } }) => [
    ...as('arbitrator', judge ?? 'stranger', 'resolve', ...rulings(number)),
    ...by(anyone, 'resolve', { forWorker: true }),
  ],
  decide: ({ dispute: { number } }) => [
    ...as('court', finalCourt, 'decide', ...rulings(number)),
    ...by(anyone, 'decide', { forWorker: true }),
  ],
  escalate: () => by(anyone, 'escalate', {}),
  finalize: () => by(['stranger'], 'finalize', {}),
  resolveTimedOut: () => by(['stranger'], 'resolveTimedOut', {}),
}

const shares = (...named: bigint[]): Args[] => named.map((shareBps) => ({ shareBps }))
const rulings = (number: number): Args[] => [
  { forWorker: true },
  { forWorker: false },
  { hashGiven: false },
  { number: number + 1 },
]
const receipts = ['valid', 'empty', 'short', 'forged'] as const

/** Arbitrators differ in nothing but their names: each dispute of the task has its own. */
export const nextJudge = ({ dispute: { number } }: Task): string => `arbitrator${number}`

/**
 * All that a penniless party can still take out of its deposit. Not during a dispute: there it would only forbid an
 * appeal, which nobody has to make.
 */
function withdrawals(world: World): Attempt[] {
  if (requireTask(world).state === 'DISPUTED') return []
  return (['poster', 'worker'] as const).flatMap((caller): Attempt[] => {
    const amount = readWithdrawable(world, caller)
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
    const attempts = operations.flatMap((operation) => tries[operation]?.(task) ?? [])
    return scenario.rich ? attempts : [...attempts, ...withdrawals(world)]
  }
}
