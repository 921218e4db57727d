import { exitDeposit, taskReserve, terminalStates } from '@svc/protocol'
import { step } from '../step.ts'
import { tables } from '../tables.ts'
import { amountOf, finalCourt, heldOf, type Task, type World } from '../world.ts'
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
      after.tok.escrowVault !== sum(tasks.map((task) => heldOf(task) + total(task.exitDeposits))) &&
        'the escrow vault is not the sum of what tasks hold',
      // A book that is the same object has not changed.
      ...(after.tok === before.tok ? [] : tokBook(before, after)),
      ...(after.tok === before.tok && after.arbitrators === before.arbitrators ? [] : bondBook(after, tasks)),
      ...(after.deposits === before.deposits && after.reserved === before.reserved ? [] : depositBook(after, tasks)),
    ]
  },
}

const tokBook = (before: World, after: World): Findings => [
  total(before.tok) !== total(after.tok) && 'the sum of all TOK changed',
  Object.values(after.tok).some((amount) => amount < 0n) && 'a wallet has less than nothing',
]

const bondBook = ({ arbitrators, tok }: World, tasks: readonly Task[]): Findings => [
  tok.arbitration !==
    sum(Object.values(arbitrators).map(({ bond }) => bond)) + sum(tasks.map(({ dispute }) => dispute.stake)) &&
    'bonds and stakes do not add up',
  Object.values(arbitrators).some(({ bond, locked }) => locked < 0n || locked > bond) && 'more is locked than bonded',
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
      total(task.exitDeposits) !== 0n && 'an exit deposit is still locked',
      hasOpenCase(task) && 'its case is still open',
      task.dispute.stake !== 0n && "the opener's stake is still there",
      Object.values(world.arbitrators).some(({ locked }) => locked !== 0n) && 'a judge is still bound',
    ]
  },
}

const completedPaid: Property = {
  name: '3 COMPLETED means fully paid',
  world: (world) => {
    const task = requireTask(world)
    // After a notice the milestone in work is the last one.
    const due = task.underNotice ? sum(task.terms.amounts.slice(0, task.current)) : task.total
    return [
      task.state === 'COMPLETED' && task.released !== due && 'completed, but not all was paid',
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
    const isShare = ['mutualCancel', 'submitEvidence', 'decide', 'finalize', 'resolveTimedOut'].includes(call.operation)
    return [
      isOver(before) && before !== after && 'a task that was over changed',
      after.current < before.current && 'a paid milestone is in work again',
      paid > 0n &&
        !isShare &&
        paid !== amountOf(before, before.current) &&
        paid !== heldOf(before) &&
        `${paid} was paid, which is neither the milestone in work nor all that is left`,
      isShare &&
        call.operation !== 'mutualCancel' &&
        paid > amountOf(before, before.current) &&
        `a dispute paid ${paid}, more than the milestone`,
    ]
  },
}

/** Who a step may make richer: the parties, whoever rules, the treasury and the Union; the vaults keep for others. */
const mayGain = (wallet: string, { poster, worker, dispute }: Task): boolean =>
  [poster, worker, dispute.judge, finalCourt, 'treasury', 'stakingVault', ...keepers].includes(wallet)

const keepers = ['escrowVault', 'arbitration', 'burnt']

const gainers = (was: Record<string, bigint>, is: Record<string, bigint>): string[] =>
  was === is ? [] : Object.keys(is).filter((wallet) => (is[wallet] ?? 0n) > (was[wallet] ?? 0n))

const nobodyElseGains: Property = {
  name: '9 no one but the parties, whoever rules, the Union and the treasury gains',
  edge: ({ before, after, call }) => {
    if (call.operation === 'withdrawDeposit') return []
    const entitled = (wallet: string) => mayGain(wallet, requireTask(before)) || mayGain(wallet, requireTask(after))
    return [
      gainers(before.tok, after.tok).some((wallet) => !entitled(wallet)) && 'somebody else gained TOK',
      gainers(before.deposits, after.deposits).some((wallet) => !entitled(wallet)) && 'somebody else gained a deposit',
    ]
  },
}

/** Only a ruling or a settlement moves money between deposits: nobody can live from provoking penalties. */
const penaltiesToTreasury: Property = {
  name: nobodyElseGains.name,
  edge: ({ before, after }) => {
    const { ending } = requireTask(after).dispute
    const unheard = requireTask(before).state === 'DISPUTED' && ending === 'TIMED_OUT'
    if (requireTask(before).state === 'DISPUTED' && !unheard) return []
    const others = gainers(before.deposits, after.deposits).filter((wallet) => wallet !== 'treasury')
    return [
      others.length > 0 && `without a ruling or a settlement ${others.join()} gained a deposit`,
      unheard && before.deposits !== after.deposits && 'nobody ruled, and yet somebody paid',
    ]
  },
}

const isSlashed = (before: World, after: World): boolean =>
  Object.entries(after.arbitrators).some(([judge, { bond }]) => bond < (before.arbitrators[judge]?.bond ?? 0n))

/** The market in which a judge at fault loses nothing. */
const runUnslashed = step({
  ...tables,
  disputeMoves: { ...tables.disputeMoves, 'slash silent judge': () => {}, 'slash overturned judge': () => {} },
})

const faultsAreBurnt: Property = {
  name: '18 nobody gains from the fault of a judge',
  edge: ({ before, after, call }) => {
    if (after.arbitrators === before.arbitrators || !isSlashed(before, after)) return []
    const outcome = runUnslashed(before, call)
    if ('error' in outcome) return ['only a fault made the step possible']
    const { tok, deposits } = outcome.world
    const gained = [...gainers(tok, after.tok), ...gainers(deposits, after.deposits)]
    return gained.filter((wallet) => wallet !== 'burnt').map((wallet) => `${wallet} gained from a fault`)
  },
}

/** The poster's own generosity, or both parties' will. */
const givenAway = ({ call }: Edge): boolean => ['release', 'complete', 'mutualCancel'].includes(call.operation)

/** A claim that was not funded when it was made ran out: the poster had promised. */
const missesDuty = ({ before, call }: Edge): boolean => {
  const task = requireTask(before)
  return call.operation === 'expire' && task.state === 'CLAIMED' && !task.fundedAtClaim
}

const madeWhole: Property = {
  name: '6 nothing delivered means the poster is made whole',
  edge: (edge) => {
    const [before, after] = [requireTask(edge.before), requireTask(edge.after)]
    if (before.reviewEnd !== 0 || before.state === 'DISPUTED' || givenAway(edge)) return []
    // An exit deposit is the poster's own until it is spent.
    const own = (world: World, { exitDeposits }: Task) => (world.tok.poster ?? 0n) + (exitDeposits.poster ?? 0n)
    const back = own(edge.after, after) - own(edge.before, before)
    const due = isOver(after) && !isOver(before) ? heldOf(before) : 0n
    const atFault = edge.call.operation === 'dismiss' || missesDuty(edge)
    const spent = after.funded - before.funded + (atFault ? exitDeposit : 0n)
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

/** A poster who is not there misses its duty once, not with every worker that comes along. */
const silentPoster: Property = {
  name: '6 nothing delivered means the poster is made whole',
  edge: (edge) => {
    const [was, is] = [edge.before.deposits.poster ?? 0n, edge.after.deposits.poster ?? 0n]
    const { state } = requireTask(edge.before)
    if (edge.actor === 'poster' || is >= was || state === 'DISPUTED' || edge.call.operation === 'withdrawDeposit')
      return []
    return [
      !missesDuty(edge) && `${edge.call.operation} took from the deposit of a poster who did nothing`,
      !isOver(requireTask(edge.after)) && 'an offer that was not kept is open again',
    ]
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
  penaltiesToTreasury,
  faultsAreBurnt,
] as const
