import { ChainReadError } from '@svc/chain'
import type { AnyAction } from '@svc/protocol/actions'
import { explainError, extractRevertData } from '@svc/protocol/errors'
import type { PaidPlan } from '@svc/protocol/internal/money'
import type { Address } from 'viem'
import type { Markets } from '../market.ts'
import { type ClaimTerms, readClaimTerms } from './claimTerms.ts'
import type { Line } from './lines.ts'
import { PrepareError } from './prepareError.ts'
import { expandTerms } from './termsInput.ts'

/** Completes an input from the terms, the wallet and the chain, with lines that show what was added. Given values take precedence. */
export async function fillInput(
  action: AnyAction,
  given: Readonly<Record<string, unknown>>,
  { from, markets }: { from: Address; markets: Markets },
): Promise<{ input: Record<string, unknown>; json: Partial<ClaimTerms['json']>; lines: readonly Line[] }> {
  const shape = action.input.shape as Readonly<Record<string, unknown>>
  const input = await expandTerms(given, shape, {
    deployments: markets.deployments,
    from,
    now: async () => (await markets.reader.head()).timestamp,
  })
  const set = (name: string, value: unknown) => {
    if (name in shape) input[name] ??= value
  }
  set('market', 'standard')
  set('to', from)
  set('beneficiary', from)
  if ('maxAmount' in shape && input.maxAmount === undefined && input.tier !== undefined) {
    const { market, tier, payWith } = input as { market: 'standard' | 'micro'; tier: PaidPlan; payWith: 'tok' | 'usdc' }
    const { quote } = await markets.reader.getPlanQuote(market, tier, payWith).catch(withoutPrice)
    set('maxAmount', String(quote.amount))
  }
  if (!('settlementDigest' in shape)) return { input, json: {}, lines: [] }
  const { claimDigest, json, lines } = await readClaimTerms(markets, String(input.taskId), from)
  set('settlementDigest', claimDigest)
  return { input, json, lines }
}

/** There may be no oracle, or no fresh price, even if the chain can be read. */
function withoutPrice(error: unknown): never {
  if (!(error instanceof ChainReadError) || error.retryable) throw error
  const refusal = extractRevertData(error)
  const { name } = refusal ? explainError(refusal) : {}
  if (name === 'NoUsdOracle' || name === 'TokNotAllowed') {
    throw new PrepareError('refused', 'This plan is not sold for TOK.', {
      code: 'PRICE_UNKNOWN',
      hint: 'Pay with usdc.',
    })
  }
  throw new PrepareError('refused', 'No price for this plan is available right now.', {
    code: 'PRICE_UNKNOWN',
    hint: 'Try again in some minutes, or pay with usdc.',
  })
}
