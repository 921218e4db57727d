import { accounts } from '@svc/devnet'
import type { Market } from '@svc/protocol'
import type { BehaviourWorld } from './world.ts'

/** The final court of the demo world is one key. */
export const describeCourt = (world: BehaviourWorld, market: Market) => ({
  kind: 'wallet',
  address: accounts.court.address,
  windowSeconds: world.facts[market].params.courtWindow,
  feeUsdc: '5000000',
  appealFeeUsdc: '8000000',
  shareBps: 100,
  maxShareTokWei: '1000000000000000000000',
  signatures: null,
  reality: null,
  policy: null,
  answerSeconds: null,
  timeoutSeconds: null,
  minBondWei: null,
})

/** The cases that wait for the final court: what closes within a day first, then the largest sum. */
export function listCourtFacts({ facts }: BehaviourWorld, market: Market) {
  const now = facts.block.timestamp
  const waiting = facts[market].tasks.flatMap(({ id, dispute }) => {
    if (dispute?.phase !== 4 || dispute.courtEnd < now) return []
    const gap = (dispute.amount * BigInt(dispute.askBps - dispute.offerBps)) / 10_000n
    const about = {
      offerBps: dispute.offerBps,
      askBps: dispute.askBps,
      openedBy: dispute.openedByPoster ? 'poster' : 'worker',
      appealAgainst: dispute.ruled ? (dispute.forWorker ? 'worker' : 'poster') : null,
      silent: [...(dispute.posterSpoke ? [] : ['poster']), ...(dispute.workerSpoke ? [] : ['worker'])],
    }
    const name = { taskId: id, case: dispute.number }
    return [
      { name, about, amount: dispute.amount, gap, decideFrom: dispute.evidenceEnd + 1, courtEnd: dispute.courtEnd },
    ]
  })
  const isUrgent = ({ courtEnd }: { courtEnd: number }) => courtEnd - now <= 86_400
  return waiting.toSorted(
    (a, b) => Number(isUrgent(b)) - Number(isUrgent(a)) || Number(b.gap - a.gap) || a.courtEnd - b.courtEnd,
  )
}
