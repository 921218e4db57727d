import type { MarketReader } from '@svc/chain'
import type { Market, TaskTerms } from '@svc/protocol'
import { assessArbitrator, suggestArbitrator } from '@svc/protocol/internal/terms'
import { type Address, isAddressEqual, zeroAddress } from 'viem'

/** What the chain says about the judge of terms. */
export interface JudgeAdvice {
  /** What speaks against the arbitrator that the terms name. */
  warnings: readonly string[]
  /** An arbitrator to name, if the terms name none and the sum is one for a judge. */
  suggested: Address | null
}

/** More arbitrators than any market needs. */
const maxArbitrators = 1_000

/** Looks at the arbitrator that terms name, or for one that they could name. */
export async function adviseOnJudge(
  reader: Pick<MarketReader, 'getTokPrice' | 'listArbitrators'>,
  market: Market,
  { arbitrator, amounts }: Pick<TaskTerms, 'arbitrator' | 'amounts'>,
): Promise<JudgeAdvice> {
  const [{ price }, { arbitrators }] = await Promise.all([
    reader.getTokPrice(market),
    reader.listArbitrators(market, maxArbitrators),
  ])
  const sum = { amount: amounts.reduce((a, b) => (a > b ? a : b), 0n), usdPerTok: price.usd }
  if (isAddressEqual(arbitrator, zeroAddress)) {
    // Without a price nobody knows whether the sum is too large for a judge.
    const best = price.usd === null ? null : suggestArbitrator(arbitrators, sum)
    return { warnings: [], suggested: best?.address ?? null }
  }
  const record = arbitrators.find(({ address }) => isAddressEqual(address, arbitrator)) ?? null
  const warnings = assessArbitrator(record, sum).map((warning) => `Arbitrator ${arbitrator}: ${warning}`)
  return { warnings, suggested: null }
}

/** Formats advice for people. */
export const formatJudgeAdvice = ({ warnings, suggested }: JudgeAdvice): string[] => [
  ...warnings.map((warning) => `  Warning: ${warning}`),
  ...(suggested ? [`  No arbitrator is named. One whose rulings stood: ${suggested}`] : []),
]
