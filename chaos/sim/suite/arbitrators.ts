import { minBond, slashAmount, unbondCooldown } from '@svc/protocol'
import type { Address } from 'viem'
import { agentOf, check, type Frame, ownOf } from './frame.ts'
import { type ArbitratorEntry, newArbitrator } from './state.ts'

const nobody = Object.freeze(newArbitrator())

/** An account's record as arbitrator, also of one that never bonded. */
export const arbitratorOf = ({ state }: Frame, account: Address): Readonly<ArbitratorEntry> =>
  state.arbitrators.get(account) ?? nobody

/** Whether an arbitrator may sit on one more case: its bond covers what all of them could cost it. */
export const maySitAgain = (arbitrator: Readonly<ArbitratorEntry>): boolean =>
  mayBeDrawn(arbitrator) && BigInt(arbitrator.openCases + 1) * slashAmount <= arbitrator.bond

/** Whether an arbitrator's bond counts in a draw. */
const mayBeDrawn = ({ bond, unbondAt }: Readonly<ArbitratorEntry>): boolean => bond >= minBond && unbondAt === 0

/** Arbitration.register. */
export function register(frame: Frame, amount: bigint): void {
  const bond = arbitratorOf(frame, frame.from).bond + amount
  check(bond >= minBond, 'BondTooLow')
  const own = frame.state.own.edit('own')
  if (!own.roster.includes(frame.from)) own.roster = [...own.roster, frame.from]
  own.totalBonded += amount
  Object.assign(frame.state.arbitrators.edit(frame.from), { bond, unbondAt: 0 })
  frame.emit('arbitration', 'ArbitratorRegistered', frame.from, amount, bond)
  frame.tokenLog()
}

/** Arbitration.requestUnbond. */
export function requestUnbond(frame: Frame): void {
  check(arbitratorOf(frame, frame.from).bond > 0n, 'NothingToWithdraw')
  const unbondAt = frame.now + unbondCooldown
  frame.state.arbitrators.edit(frame.from).unbondAt = unbondAt
  frame.emit('arbitration', 'UnbondRequested', frame.from, unbondAt)
}

/** Arbitration.unbond. */
export function unbond(frame: Frame): void {
  const { unbondAt, openCases, bond } = arbitratorOf(frame, frame.from)
  check(unbondAt !== 0, 'NotUnbonding')
  check(frame.now >= unbondAt, 'UnbondCooldown')
  check(openCases === 0, 'BondInUse')
  Object.assign(frame.state.arbitrators.edit(frame.from), { bond: 0n, unbondAt: 0 })
  frame.state.own.edit('own').totalBonded -= bond
  frame.emit('arbitration', 'Unbonded', frame.from, bond)
  frame.tokenLog()
}

/** Arbitration.withdraw: what slashing awarded. */
export function withdrawAward(frame: Frame, to: Address): void {
  const amount = agentOf(frame, frame.from).awards
  check(amount > 0n, 'NothingToWithdraw')
  frame.state.agents.edit(frame.from).awards = 0n
  frame.emit('arbitration', 'Withdrawn', frame.from, to, amount)
  frame.tokenLog()
}

/** Takes a silent arbitrator off its case; what it loses goes half to each party. */
export function slash(frame: Frame, taskId: bigint, account: Address, poster: Address, worker: Address): void {
  const arbitrator = frame.state.arbitrators.edit(account)
  const amount = slashAmount
  arbitrator.bond -= amount
  arbitrator.slashed += amount
  arbitrator.timedOut++
  arbitrator.openCases--
  frame.state.own.edit('own').totalBonded -= amount
  frame.state.agents.edit(poster).awards += amount / 2n
  frame.state.agents.edit(worker).awards += amount - amount / 2n
  frame.emit('arbitration', 'ArbitratorSlashed', taskId, account, amount, arbitrator.bond)
}

/** The bonds a draw that is called now will fall on, in order of registration. */
export function bondsOf(frame: Frame): { account: Address; weight: bigint }[] {
  return ownOf(frame).roster.map((account) => {
    const arbitrator = arbitratorOf(frame, account)
    return { account, weight: mayBeDrawn(arbitrator) ? arbitrator.bond : 0n }
  })
}
