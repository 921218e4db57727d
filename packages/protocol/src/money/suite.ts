const day = 24 * 60 * 60

/** The price of a posting plan for 30 days. */
export interface PlanPrice {
  /** USDC units. */
  listPriceUsd: bigint
  /** The discount when paid in TOK. */
  tokDiscountBps: number
  tokAllowed: boolean
}

/** The plans for sale, by id. On chain the id is its ASCII name, left-aligned in 32 bytes. */
export const planPrices = {
  basic: { listPriceUsd: 9_000_000n, tokDiscountBps: 2_000, tokAllowed: true },
  pro: { listPriceUsd: 49_000_000n, tokDiscountBps: 2_000, tokAllowed: true },
} as const satisfies Record<string, PlanPrice>

/** The maximum number of Action Credits that a Union ever issues, with 18 decimals. */
export const creditCap = 100_000n * 10n ** 18n
/** The credits that one staked TOK earns per day, with 18 decimals: 1,000,000 TOK earn one credit in four days. */
export const creditRate = 25n * 10n ** 10n

/** The maximum age of an oracle price, in seconds. */
export const oracleMaxAge = day
/** How long the oracle gives no price after the sequencer came back, in seconds. */
export const sequencerGrace = 60 * 60
/** The delay before a change by the owner takes effect, in seconds. */
export const timelockDelay = 2 * day
/** The shortest time from the announcement to the end of entries, in seconds. */
export const sunsetNotice = 30 * day
