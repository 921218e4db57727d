import type { DisputeJson } from '@svc/client'
import { bps, courtShareBps, maxJudgeShare } from '@svc/protocol'

/** What a ruling pays out of the disputed milestone, in TOK wei. */
export interface RulingPay {
  toWorker: bigint
  toPoster: bigint
  /** To whoever rules: 1 % of the gap. */
  toCourt: bigint
}

/** Computes what each side gets if this share of the worker holds. */
export function computeRulingPay(
  { amountTokWei, offerBps, askBps, phase }: Pick<DisputeJson, 'amountTokWei' | 'offerBps' | 'askBps' | 'phase'>,
  workerBps: number,
): RulingPay {
  const amount = BigInt(amountTokWei)
  const share = (computeGap({ amountTokWei, offerBps, askBps }) * courtShareBps) / bps
  // A judge gets at most 1,000 TOK; the final court has no such limit.
  const toCourt = phase === 'COURT' || share < maxJudgeShare ? share : maxJudgeShare
  const toWorker = ((amount - toCourt) * BigInt(workerBps)) / bps
  return { toWorker, toPoster: amount - toCourt - toWorker, toCourt }
}

/** The part of the milestone between the two shares: what a ruling decides about. */
export const computeGap = ({
  amountTokWei,
  offerBps,
  askBps,
}: Pick<DisputeJson, 'amountTokWei' | 'offerBps' | 'askBps'>): bigint =>
  (BigInt(amountTokWei) * BigInt(askBps - offerBps)) / bps
