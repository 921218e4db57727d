import type { Court } from '@svc/chain'
import { buildResponseMeta, type CourtJson, operations } from '@svc/operations'
import { formatTaskId, type Market, marketParams } from '@svc/protocol'
import { appealFee, courtShareBps, maxCourtShare, rulingFee } from '@svc/protocol/internal/money'
import { implementCalls } from '@svc/serve'
import type { CallDeps } from './deps.ts'

const implement = implementCalls<CallDeps>()
/** The most cases of an answer. */
const maxCases = 100

export const getCourt = implement(operations.getCourt)(async ({ market }, { actions }) => {
  const { court, cases, truncated, block } = await actions.court(market)
  return {
    market,
    court: formatCourtJson(court, market),
    cases: cases.slice(0, maxCases).map(({ number, round, amount, gap, silent, ...rest }) => ({
      taskId: formatTaskId({ market, number }),
      case: round,
      amountTokWei: String(amount),
      gapTokWei: String(gap),
      silent: [...silent],
      ...rest,
    })),
    total: cases.length,
    truncated,
    meta: buildResponseMeta(market, block),
  }
})

/** Formats what a court is, for one market. */
export function formatCourtJson(court: Court, market: Market): CourtJson {
  const none = {
    signatures: null,
    reality: null,
    policy: null,
    answerSeconds: null,
    timeoutSeconds: null,
    minBondWei: null,
  }
  const base = {
    ...none,
    kind: court.kind,
    address: court.address,
    windowSeconds: marketParams[market].courtWindow,
    feeUsdc: String(rulingFee),
    appealFeeUsdc: String(appealFee),
    shareBps: Number(courtShareBps),
    maxShareTokWei: String(maxCourtShare),
  }
  if (court.kind === 'safe') return { ...base, signatures: court.threshold }
  if (court.kind !== 'reality') return base
  const { answerTime, timeout, minBond } = court.seats[market]
  const { reality, policy } = court
  return { ...base, reality, policy, answerSeconds: answerTime, timeoutSeconds: timeout, minBondWei: String(minBond) }
}
