import { formatAmount, formatDuration, formatTaskId, type Market, markets } from '@svc/protocol'
import { oracleMaxAge } from '@svc/protocol/internal/money'
import { courtUrgency } from '@svc/protocol/internal/steps'
import { isAddressEqual } from 'viem'
import type { Plan } from '../plan/planFile.ts'
import type { Signs } from './readSigns.ts'

/** Something that should wake somebody, or be seen within a day. */
export interface Alarm {
  level: 'page' | 'ticket'
  /** Stable, so that an alarm is logged once until it ends. */
  key: string
  message: string
}

/** What the watcher compares with. */
export interface Expected extends Pick<Plan, 'guardian'> {
  timelock: `0x${string}`
  /** Fewer free judges than this in a market is an alarm. */
  minJudges: number
  /** A call that anyone may make and that has been due for longer, in seconds, is an alarm. */
  overdueSeconds: number
}

/** Finds what should page somebody. */
export function judgeSigns(signs: Signs, { guardian, timelock, minJudges, overdueSeconds }: Expected): Alarm[] {
  const alarms: Alarm[] = []
  const page = (key: string, message: string) => alarms.push({ level: 'page', key, message })
  const ticket = (key: string, message: string) => alarms.push({ level: 'ticket', key, message })
  const judgeMarket = (market: Market) => {
    const state = signs.markets[market]
    if (state.paused) page(`${market} paused`, `New tasks and claims are paused in ${market}.`)
    if (state.sunsetAt > 0) ticket(`${market} sunset`, `Entries of ${market} end at ${formatTime(state.sunsetAt)}.`)
    if (!isAddressEqual(state.guardian as `0x${string}`, guardian))
      page(`${market} guardian`, `The guardian of ${market} is ${state.guardian}.`)
    if (!isAddressEqual(state.owner as `0x${string}`, timelock))
      page(`${market} owner`, `The owner of ${market} is ${state.owner}, not the timelock.`)
    if (!/^0x0+$/.test(state.pendingOwner))
      page(`${market} pending owner`, `${state.pendingOwner} can become the owner of ${market}.`)
    if (state.escrowSurplus < 0n)
      page(`${market} escrow`, `The escrow vault of ${market} owes ${-state.escrowSurplus} TOK wei more than it has.`)
    if (state.depositSurplus < 0n)
      page(
        `${market} deposits`,
        `The deposit vault of ${market} owes ${-state.depositSurplus} USDC units more than it has.`,
      )
    if (state.stakingSurplus < 0n)
      page(`${market} staking`, `The Union of ${market} owes ${-state.stakingSurplus} TOK wei more than it has.`)
    if (state.freeJudges < minJudges)
      ticket(
        `${market} judges`,
        `${state.freeJudges} of ${state.judges} judges of ${market} could take a case; ${minJudges} are wanted.`,
      )
    // Before each window closes, not after: a missed one lets the ruling stand, or the side that did not open win.
    for (const { number, round, gap, courtEnd } of state.court.cases) {
      const left = courtEnd - signs.block.timestamp
      if (left > courtUrgency) continue
      page(
        `${market} court ${number} ${round}`,
        `The final court has ${formatDuration(left)} left to decide about ${formatAmount(gap, 'tok')} in ${formatTaskId({ market, number })}.`,
      )
    }
    const { oldest, count } = state.due
    const age = oldest ? signs.block.timestamp - oldest.since : 0
    if (oldest && age > overdueSeconds)
      ticket(
        `${market} overdue`,
        `A call on ${formatTaskId({ market, number: oldest.task })} has been due for ${formatDuration(age)} and nobody has made it; ${count} are due in ${market}.`,
      )
  }
  for (const market of markets) judgeMarket(market)
  for (const { id, readyAt } of signs.queue)
    page(`queue ${id}`, `The timelock holds ${id}, which can be executed from ${formatTime(readyAt)}.`)
  if (signs.roleChanges > 0) page(`roles ${signs.block.number}`, `${signs.roleChanges} roles of the timelock changed.`)
  if (signs.hasOracle && signs.oracleAge === null) page('oracle', 'The oracle gives no price.')
  else if (signs.oracleAge !== null && signs.oracleAge > oracleMaxAge / 2)
    ticket('oracle age', `The price of TOK is ${signs.oracleAge} s old.`)
  return alarms
}

const formatTime = (seconds: number) => new Date(seconds * 1_000).toISOString()
