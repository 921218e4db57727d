import { bps, computeJudgeLock, computeLostStake, courtShareBps, maxCourtShare } from './amounts.ts'

/** What a dispute is about, as every HTTP answer has it. */
export interface RuledDispute {
  phase: string
  amountTokWei: string
  stakeTokWei: string
  offerBps: number
  askBps: number
}

/** What a ruling pays out of the disputed milestone, in TOK wei. */
export interface RulingPay {
  toWorker: bigint
  toPoster: bigint
  /** To the final court, if it decides: 1 % of the gap, at most 1,000 TOK. A judge gets nothing of the milestone. */
  toCourt: bigint
}

/** Computes what each side gets if this share of the worker holds. */
export function computeRulingPay(
  { amountTokWei, offerBps, askBps, phase }: Pick<RuledDispute, 'amountTokWei' | 'offerBps' | 'askBps' | 'phase'>,
  workerBps: number,
): RulingPay {
  const amount = BigInt(amountTokWei)
  const share = (computeGap({ amountTokWei, offerBps, askBps }) * courtShareBps) / bps
  const toCourt = phase !== 'COURT' ? 0n : share < maxCourtShare ? share : maxCourtShare
  const toWorker = ((amount - toCourt) * BigInt(workerBps)) / bps
  return { toWorker, toPoster: amount - toCourt - toWorker, toCourt }
}

/** The part of the milestone between the two shares: what a ruling decides about. */
export const computeGap = ({
  amountTokWei,
  offerBps,
  askBps,
}: Pick<RuledDispute, 'amountTokWei' | 'offerBps' | 'askBps'>): bigint =>
  (BigInt(amountTokWei) * BigInt(askBps - offerBps)) / bps

/** What a case takes of its judge's bond, in TOK wei: locked until it closes, and burnt if the final court overturns the ruling. */
export function computeJudgeRisk(
  dispute: Pick<RuledDispute, 'amountTokWei' | 'stakeTokWei' | 'offerBps' | 'askBps'>,
): Record<'locked' | 'burnt', bigint> {
  const [amount, stake, gap] = [BigInt(dispute.amountTokWei), BigInt(dispute.stakeTokWei), computeGap(dispute)]
  const moved = gap + computeLostStake({ amount, gap, stake })
  return { locked: computeJudgeLock(amount), burnt: computeJudgeLock(moved < amount ? moved : amount) }
}
