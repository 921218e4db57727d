import { accessFee, taskReserve } from '../../../packages/protocol/src/amounts.ts'
import { terminalStates } from '../../../packages/protocol/src/states.ts'
import { amountOf, heldOf, type Task, type World } from '../world.ts'
import { type Edge, type Findings, hasOpenCase, type Property, sum } from './property.ts'
import { requireTask } from './scenarios.ts'

const isOver = ({ state }: Task): boolean => terminalStates.some((terminal) => terminal === state)
const isAtWork = ({ state }: Task): boolean => state === 'ACTIVE' || state === 'DISPUTED'
const total = (book: Record<string, bigint>): bigint => sum(Object.values(book))

const conservation: Property = {
  name: '1 what is held is what was funded and neither released nor refunded',
  edge: ({ before, after }) => {
    const tasks = after.tasks.filter((task) => task !== null)
    return [
      tasks.some((task) => heldOf(task) < 0n) && 'a task holds less than nothing',
      after.tok.escrowVault !== sum(tasks.map(heldOf)) && 'the escrow vault is not the sum of what tasks hold',
      // A book that is the same object has not changed.
      ...(after.tok === before.tok ? [] : tokBook(before, after)),
      ...(after.arbitrators === before.arbitrators ? [] : bondBook(after)),
      ...(after.deposits === before.deposits && after.reserved === before.reserved ? [] : depositBook(after, tasks)),
    ]
  },
}

const tokBook = (before: World, after: World): Findings => [
  total(before.tok) !== total(after.tok) && 'the sum of all TOK changed',
  Object.values(after.tok).some((amount) => amount < 0n) && 'a wallet has less than nothing',
]

const bondBook = ({ arbitrators, withdrawable, tok }: World): Findings => [
  tok.arbitration !== sum(Object.values(arbitrators).map(({ bond }) => bond)) + total(withdrawable) &&
    'bonds and shares of slashed bonds do not add up',
]

const depositBook = ({ deposits, reserved, usdc }: World, tasks: readonly Task[]): Findings => [
  usdc.depositVault !== total(deposits) && 'the deposits do not add up',
  Object.entries(reserved).some(
    ([wallet, amount]) => amount !== sum(tasks.map((task) => task.reserves[wallet] ?? 0n)),
  ) && 'a reserve belongs to no task',
  Object.entries(reserved).some(([wallet, amount]) => amount < 0n || amount > (deposits[wallet] ?? 0n)) &&
    'more is reserved than deposited',
]

const terminalEmpty: Property = {
  name: '2 a terminal task holds nothing',
  world: (world) => {
    const task = requireTask(world)
    if (!isOver(task)) return []
    return [
      heldOf(task) !== 0n && `the escrow still holds ${heldOf(task)}`,
      total(task.reserves) !== 0n && 'a deposit is still reserved',
      (world.liveClaims.worker ?? 0) !== 0 && 'the worker still has a slot taken',
      hasOpenCase(task) && 'its case is still open',
    ]
  },
}

const completedPaid: Property = {
  name: '3 COMPLETED means fully paid',
  world: (world) => {
    const task = requireTask(world)
    return [
      task.state === 'COMPLETED' && task.released !== task.total && 'completed, but not all was paid',
      isAtWork(task) &&
        heldOf(task) < sum(task.terms.amounts.slice(task.current)) &&
        'work goes on that is not covered',
    ]
  },
}

const startsWhole: Property = {
  name: '3 COMPLETED means fully paid',
  edge: ({ before: was, after: is }) => {
    const [before, after] = [requireTask(was), requireTask(is)]
    if (before.state !== 'CLAIMED' || after.state !== 'ACTIVE') return []
    const short = [after.poster, after.worker ?? ''].some((party) => (after.reserves[party] ?? 0n) < taskReserve)
    return [short && 'work starts while a reserve is not whole']
  },
}

const settledOnce: Property = {
  name: '8 each milestone is settled once',
  world: (world) => {
    const task = requireTask(world)
    const paid = sum(task.terms.amounts.slice(0, task.current))
    return [
      !isOver(task) && task.released !== paid && `${task.released} released for milestones worth ${paid}`,
      !isOver(task) && task.refunded !== 0n && 'refunded before the end',
      task.released + task.refunded > task.total && 'more was paid out than the task is worth',
    ]
  },
  edge: ({ before: was, after: is, call }) => {
    const [before, after] = [requireTask(was), requireTask(is)]
    const paid = after.released - before.released
    const isShare = ['mutualCancel', 'finalize', 'resolveTimedOut'].includes(call.operation)
    return [
      isOver(before) && before !== after && 'a task that was over changed',
      after.current < before.current && 'a paid milestone is in work again',
      paid > 0n &&
        !isShare &&
        paid !== amountOf(before, before.current) &&
        paid !== heldOf(before) &&
        `${paid} was paid, which is neither the milestone in work nor all that is left`,
    ]
  },
}

/** Who a step may make richer: the parties, the bench, the treasury and the Union; the vaults keep for others. */
const mayGain = (wallet: string, { poster, worker, dispute }: Task): boolean =>
  [poster, worker, 'treasury', 'stakingVault', 'escrowVault', 'arbitration'].includes(wallet) ||
  dispute.bench.some((seat) => seat.arbitrator === wallet)

const nobodyElseGains: Property = {
  name: '9 no one but the parties, the arbitrators and the treasury gains',
  edge: ({ before, after, call }) => {
    if (call.operation === 'withdrawDeposit') return []
    const entitled = (wallet: string) => mayGain(wallet, requireTask(before)) || mayGain(wallet, requireTask(after))
    const gains = (was: Record<string, bigint>, is: Record<string, bigint>) =>
      was !== is && Object.entries(is).some(([wallet, amount]) => amount > (was[wallet] ?? 0n) && !entitled(wallet))
    return [
      gains(before.tok, after.tok) && 'somebody else gained TOK',
      gains(before.deposits, after.deposits) && 'somebody else gained a deposit',
      gains(before.withdrawable, after.withdrawable) && 'somebody else gained a share of a bond',
    ]
  },
}

/** The poster's own generosity, or both parties' will. */
const givenAway = ({ call }: Edge): boolean => ['release', 'complete', 'mutualCancel'].includes(call.operation)

const madeWhole: Property = {
  name: '6 nothing delivered means the poster is made whole',
  edge: (edge) => {
    const [before, after] = [requireTask(edge.before), requireTask(edge.after)]
    if (before.reviewEnd !== 0 || before.state === 'DISPUTED' || givenAway(edge)) return []
    const back = (edge.after.tok.poster ?? 0n) - (edge.before.tok.poster ?? 0n)
    const due = isOver(after) && !isOver(before) ? heldOf(before) : 0n
    const spent = after.funded - before.funded + (edge.call.operation === 'dismiss' ? accessFee : 0n)
    return [
      after.released !== before.released && 'the worker was paid for nothing',
      back !== due - spent && `the poster got ${back} instead of ${due - spent}`,
      edge.actor !== 'poster' &&
        before.state === 'ACTIVE' &&
        (edge.after.deposits.poster ?? 0n) < (edge.before.deposits.poster ?? 0n) &&
        'the poster paid for what the worker did not do',
    ]
  },
}

/** The deposit of a poster who is not there: what is at risk of it can only become less. */
const silentPoster: Property = {
  name: '6 nothing delivered means the poster is made whole',
  edge: ({ before: was, after: is, actor, call }) => {
    const [before, after] = [requireTask(was), requireTask(is)]
    if (actor === 'poster' || isAtWork(before) || before.funded === before.total) return []
    const [risked, risks] = [before, after].map((task) => task.reserves[task.poster] ?? 0n) as [bigint, bigint]
    return [risks > risked && `${call.operation} put more of a silent poster's deposit at risk`]
  },
}

const laterMilestones: Property = {
  name: '6 nothing delivered means the poster is made whole',
  edge: (edge) => {
    const [before, after] = [requireTask(edge.before), requireTask(edge.after)]
    if (before.state !== 'DISPUTED' || after.state !== 'RESOLVED' || givenAway(edge)) return []
    const later = heldOf(before) - amountOf(before, before.current)
    return [after.refunded < later && `of later milestones ${later} were to go back, ${after.refunded} did`]
  },
}

/** What the check asks of money. */
export const moneyProperties = [
  conservation,
  terminalEmpty,
  completedPaid,
  startsWhole,
  madeWhole,
  silentPoster,
  laterMilestones,
  settledOnce,
  nobodyElseGains,
] as const
