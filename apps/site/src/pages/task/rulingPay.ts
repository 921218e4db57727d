import type { DisputeJson } from '@svc/client'
import { bps, courtShareBps, maxCourtShare } from '@svc/protocol/internal/money'

/** What a ruling pays out of the disputed milestone, in TOK wei. */
export interface RulingPay {
  toWorker: bigint
  toPoster: bigint
  /** To the final court, if it decides: 1 % of the gap, at most 1,000 TOK. A judge gets nothing of the milestone. */
  toCourt: bigint
}

/** Computes what each side gets if this share of the worker holds. */
export function computeRulingPay(
  { amountTokWei, offerBps, askBps, phase }: Pick<DisputeJson, 'amountTokWei' | 'offerBps' | 'askBps' | 'phase'>,
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
}: Pick<DisputeJson, 'amountTokWei' | 'offerBps' | 'askBps'>): bigint =>
  (BigInt(amountTokWei) * BigInt(askBps - offerBps)) / bps
