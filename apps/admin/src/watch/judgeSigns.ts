import { formatAmount, formatDuration, formatTaskId, type Market, markets } from '@svc/protocol'
import { oracleMaxAge } from '@svc/protocol/internal/money'
import { courtUrgency } from '@svc/protocol/internal/steps'
import { isAddressEqual } from 'viem'
import type { Plan } from '../plan/planFile.ts'
import type { Signs } from './readSigns.ts'

/** What the watcher looks for in each market, and whether it should wake somebody or be seen within a day. */
const marketAlarms = {
  paused: 'page',
  sunset: 'ticket',
  guardian: 'page',
  owner: 'page',
  'pending owner': 'page',
  escrow: 'page',
  deposits: 'page',
  staking: 'page',
  judges: 'ticket',
  court: 'page',
  overdue: 'ticket',
} as const

/** What it looks for in what both markets share. */
const sharedAlarms = { timelock: 'page', roles: 'page', oracle: 'page', 'oracle age': 'ticket' } as const

/** Something that should wake somebody, or be seen within a day. */
export interface Alarm {
  level: 'page' | 'ticket'
  name: keyof typeof marketAlarms | keyof typeof sharedAlarms
  /** What it is about, such as a market or an operation of the timelock. With the name it is one alarm, logged once until it ends. */
  subject: string
  message: string
}

/** Every alarm that can be found, except that operations of the timelock, changes of roles and cases are named one by one. */
export const knownAlarms: readonly Omit<Alarm, 'message'>[] = [
  ...markets.flatMap((subject) =>
    listNames(marketAlarms).map((name) => ({ level: marketAlarms[name], name, subject })),
  ),
  ...listNames(sharedAlarms).map((name) => ({ level: sharedAlarms[name], name, subject: 'shared' })),
]

function listNames<Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] {
  const names: Name[] = []
  for (const name in table) names.push(name)
  return names
}

/** What the watcher compares with. */
export interface Expected extends Pick<Plan, 'guardian'> {
  timelock: `0x${string}`
  /** Fewer free judges than this in a market is an alarm. */
  minJudges: number
  /** A call that anyone may make and that has been due for longer, in seconds, is an alarm. */
  overdueSeconds: number
  /** A case before the final court that moves less TOK wei wakes nobody: it is seen within a day. */
  courtGap: bigint
}

/** Finds what should page somebody. */
export function judgeSigns(
  signs: Signs,
  { guardian, timelock, minJudges, overdueSeconds, courtGap }: Expected,
): Alarm[] {
  const alarms: Alarm[] = []
  const raise = (name: keyof typeof sharedAlarms, subject: string, message: string) =>
    alarms.push({ level: sharedAlarms[name], name, subject, message })
  const judgeMarket = (market: Market) => {
    const state = signs.markets[market]
    const raise = (
      name: keyof typeof marketAlarms,
      message: string,
      subject: string = market,
      level: Alarm['level'] = marketAlarms[name],
    ) => alarms.push({ level, name, subject, message })
    if (state.paused) raise('paused', `New tasks and claims are paused in ${market}.`)
    if (state.sunsetAt > 0) raise('sunset', `Entries of ${market} end at ${formatTime(state.sunsetAt)}.`)
    if (!isAddressEqual(state.guardian as `0x${string}`, guardian))
      raise('guardian', `The guardian of ${market} is ${state.guardian}.`)
    if (!isAddressEqual(state.owner as `0x${string}`, timelock))
      raise('owner', `The owner of ${market} is ${state.owner}, not the timelock.`)
    if (!/^0x0+$/.test(state.pendingOwner))
      raise('pending owner', `${state.pendingOwner} can become the owner of ${market}.`)
    if (state.escrowSurplus < 0n)
      raise('escrow', `The escrow vault of ${market} owes ${-state.escrowSurplus} TOK wei more than it has.`)
    if (state.depositSurplus < 0n)
      raise('deposits', `The deposit vault of ${market} owes ${-state.depositSurplus} USDC units more than it has.`)
    if (state.stakingSurplus < 0n)
      raise('staking', `The Union of ${market} owes ${-state.stakingSurplus} TOK wei more than it has.`)
    if (state.freeJudges < minJudges)
      raise(
        'judges',
        `${state.freeJudges} of ${state.judges} judges of ${market} could take a case; ${minJudges} are wanted.`,
      )
    // Before each window closes, not after: a missed one lets the ruling stand, or the side that did not open win.
    for (const { number, round, gap, courtEnd } of state.court.cases) {
      const left = courtEnd - signs.block.timestamp
      if (left > courtUrgency) continue
      raise(
        'court',
        `The final court has ${formatDuration(left)} left to decide about ${formatAmount(gap, 'tok')} in ${formatTaskId({ market, number })}.`,
        `${market} ${number} ${round}`,
        gap < courtGap ? 'ticket' : 'page',
      )
    }
    const { oldest, count } = state.due
    const age = oldest ? signs.block.timestamp - oldest.since : 0
    if (oldest && age > overdueSeconds)
      raise(
        'overdue',
        `A call on ${formatTaskId({ market, number: oldest.task })} has been due for ${formatDuration(age)} and nobody has made it; ${count} are due in ${market}.`,
      )
  }
  for (const market of markets) judgeMarket(market)
  for (const { id, readyAt } of signs.queue)
    raise('timelock', id, `The timelock holds ${id}, which can be executed from ${formatTime(readyAt)}.`)
  if (signs.roleChanges > 0)
    raise('roles', `block ${signs.block.number}`, `${signs.roleChanges} roles of the timelock changed.`)
  if (signs.hasOracle && signs.oracleAge === null) raise('oracle', 'shared', 'The oracle gives no price.')
  else if (signs.oracleAge !== null && signs.oracleAge > oracleMaxAge / 2)
    raise('oracle age', 'shared', `The price of TOK is ${signs.oracleAge} s old.`)
  return alarms
}

const formatTime = (seconds: number) => new Date(seconds * 1_000).toISOString()
