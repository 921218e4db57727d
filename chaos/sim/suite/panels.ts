import type { DisputePhase } from '@svc/protocol'
import type { Address, Hex } from 'viem'
import { uintWord } from '../encode.ts'
import { keccak } from '../hash.ts'
import { arbitratorOf, bondsOf, maySitAgain, slash } from './arbitrators.ts'
import { check, type Frame } from './frame.ts'
import type { DisputeEntry } from './state.ts'

const drawDelay = 4
const maxDraws = 40

/** A dispute in one of these phases. */
export function disputeIn({ state }: Frame, taskId: bigint, ...phases: DisputePhase[]): Readonly<DisputeEntry> {
  const dispute = state.disputes.get(taskId)
  check(dispute !== undefined && phases.includes(dispute.phase), 'WrongPhase')
  return dispute as DisputeEntry
}

export const onlyCaseParty = ({ from }: Frame, { poster, worker }: Readonly<DisputeEntry>) =>
  check(from === poster || from === worker, 'NotParty')

/** Whether an account may sit on a case. */
export function maySit(frame: Frame, { poster, worker, sat }: Readonly<DisputeEntry>, account: Address): boolean {
  return maySitAgain(arbitratorOf(frame, account)) && account !== poster && account !== worker && !sat.includes(account)
}

/** Arbitration.propose. */
export function propose(frame: Frame, taskId: bigint, arbitrator: Address): void {
  const { seatEnd, poster } = disputeIn(frame, taskId, 'OPEN')
  const dispute = frame.state.disputes.edit(taskId)
  onlyCaseParty(frame, dispute)
  check(frame.now <= seatEnd, 'SeatWindowClosed')
  check(maySit(frame, dispute, arbitrator), 'NotEligible')
  if (frame.from === poster) dispute.posterProposal = arbitrator
  else dispute.workerProposal = arbitrator
  frame.emit('arbitration', 'ArbitratorProposed', taskId, frame.from, arbitrator)
  if (dispute.posterProposal === dispute.workerProposal) seatOne(frame, taskId, arbitrator)
}

/** Arbitration.seat: calls the draw, or once its block is past makes it. */
export function seat(frame: Frame, taskId: bigint): void {
  const { tier, reseated, consentEnd, seatEnd, drawBlock } = disputeIn(frame, taskId, 'OPEN')
  check(tier > 0 || reseated || frame.now > consentEnd, 'ConsentWindowOpen')
  check(frame.now <= seatEnd, 'SeatWindowClosed')
  check(drawBlock === 0 || frame.block > drawBlock, 'DrawPending')
  const hash = drawBlock === 0 ? null : frame.hashOf(drawBlock)
  if (hash) draw(frame, taskId, hash)
  else scheduleDraw(frame, taskId)
}

/** Seats one arbitrator, named or agreed on. */
export function seatOne(frame: Frame, taskId: bigint, account: Address): void {
  take(frame, taskId, account)
  begin(frame, taskId, frame.state.disputes.edit(taskId).bench.length - 1)
}

/** Slashes and removes the panel's members without a vote, the last first; answers how many are left. */
export function removeSilent(frame: Frame, taskId: bigint): number {
  const dispute = frame.state.disputes.edit(taskId)
  const bench = [...dispute.bench]
  for (let index = bench.length; index > dispute.panelStart; index--) {
    const member = bench[index - 1]
    if (!member || member.voted) continue
    slash(frame, taskId, member.arbitrator, dispute.poster, dispute.worker)
    // As the contract does it: the last takes the place of the one removed.
    const last = bench.pop()
    if (last && index - 1 < bench.length) bench[index - 1] = last
  }
  dispute.bench = bench
  return bench.length - dispute.panelStart
}

/** The median of the panel's votes; of an even number, the mean of the middle two. */
export function medianOf({ bench, panelStart }: Readonly<DisputeEntry>): number {
  const votes = bench
    .slice(panelStart)
    .map(({ workerBps }) => workerBps)
    .sort((a, b) => a - b)
  const lower = votes[(votes.length - 1) >> 1] ?? 0
  const upper = votes[votes.length >> 1] ?? 0
  return Math.floor((lower + upper) / 2)
}

function scheduleDraw(frame: Frame, taskId: bigint): void {
  const drawn = bondsOf(frame)
  check(
    drawn.some(({ weight }) => weight > 0n),
    'NobodyToSeat',
  )
  const drawBlock = frame.block + drawDelay
  Object.assign(frame.state.disputes.edit(taskId), { drawBlock, drawn })
  frame.emit('arbitration', 'DrawScheduled', taskId, drawBlock)
}

function draw(frame: Frame, taskId: bigint, hash: Hex): void {
  const dispute = frame.state.disputes.edit(taskId)
  const start = dispute.bench.length
  const total = dispute.drawn.reduce((sum, { weight }) => sum + weight, 0n)
  let missing = 2 * dispute.tier + 1
  for (let index = 0; index < maxDraws && missing > 0; index++) {
    let point = BigInt(keccak(hash.slice(2) + uintWord(taskId) + uintWord(index))) % total
    const found = dispute.drawn.find(({ weight }) => {
      if (point < weight) return true
      point -= weight
      return false
    })
    if (!found || !maySit(frame, dispute, found.account)) continue
    take(frame, taskId, found.account)
    missing--
  }
  check(dispute.bench.length > start, 'NobodyToSeat')
  begin(frame, taskId, start)
}

function take(frame: Frame, taskId: bigint, account: Address): void {
  const dispute = frame.state.disputes.edit(taskId)
  dispute.sat = [...dispute.sat, account]
  dispute.bench = [...dispute.bench, { arbitrator: account, voted: false, workerBps: 0 }]
  frame.state.arbitrators.edit(account).openCases++
}

function begin(frame: Frame, taskId: bigint, start: number): void {
  const dispute = frame.state.disputes.edit(taskId)
  const evidenceEnd = frame.now + frame.params.evidenceWindow
  const rulingEnd = evidenceEnd + frame.params.rulingWindow
  Object.assign(dispute, {
    phase: 'EVIDENCE',
    panelStart: start,
    posterProposal: null,
    workerProposal: null,
    evidenceEnd,
    rulingEnd,
    drawBlock: 0,
  })
  const panel = dispute.bench.slice(start).map(({ arbitrator }) => arbitrator)
  frame.emit('arbitration', 'PanelSeated', taskId, dispute.tier, panel, evidenceEnd, rulingEnd)
}
