import type { Market } from '../base/market.ts'
import type { ActionCall } from './index.ts'

/** What decides what must happen before an action: what it needs of a wallet, and what the wallet has. */
export interface BeforeFacts {
  market: Market
  /** TOK that the action takes from the wallet, and what is there. */
  needTokWei: bigint
  tokWei: bigint
  /** How much the deposit lacks, in USDC units. */
  missingUsdc: bigint
  /** The bounds of a purchase of the TOK that is missing. */
  purchase?: { maxUsdc: bigint; deadline: bigint } | undefined
}

/** Computes how much TOK an action lacks. */
export const computeMissingTok = ({ needTokWei, tokWei }: Pick<BeforeFacts, 'needTokWei' | 'tokWei'>): bigint =>
  needTokWei > tokWei ? needTokWei - tokWei : 0n

/**
 * Lists what must happen before an action: the purchase of the TOK that is missing, if its bounds are known, and the top-up of the
 * deposit.
 *
 * @example
 * ```ts
 * listBefore({ market, needTokWei, tokWei: 0n, missingUsdc: 25_000_000n, purchase }).map(({ name }) => name) // ['buy-tok', 'top-up']
 * ```
 */
export function listBefore({ market, missingUsdc, purchase, ...tok }: BeforeFacts): ActionCall<'buy-tok' | 'top-up'>[] {
  const amountTokWei = computeMissingTok(tok)
  return [
    ...(amountTokWei > 0n && purchase
      ? [{ name: 'buy-tok' as const, input: { market, amountTokWei, ...purchase } }]
      : []),
    ...(missingUsdc > 0n ? [{ name: 'top-up' as const, input: { market, amountUsdc: missingUsdc } }] : []),
  ]
}
