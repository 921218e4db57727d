const day = 24 * 60 * 60

/** A posting plan as the contracts sell it: for 30 days, in USDC or in TOK. */
export interface PlanPrice {
  /** USDC units. */
  listPriceUsd: bigint
  /** Taken off when paid in TOK. */
  tokDiscountBps: number
  tokAllowed: boolean
}

/** The plans for sale, by id. On chain the id is its ASCII name, left-aligned in 32 bytes. */
export const planPrices = {
  basic: { listPriceUsd: 9_000_000n, tokDiscountBps: 2_000, tokAllowed: true },
  pro: { listPriceUsd: 49_000_000n, tokDiscountBps: 2_000, tokAllowed: true },
} as const satisfies Record<string, PlanPrice>

/** The most Action Credits a Union ever issues, 1e18 each. */
export const creditCap = 1_000_000n * 10n ** 18n
/** Credits that one staked TOK earns in a day, 1e18 each. */
export const creditRate = 10n ** 14n

/** How old an oracle price may be, in seconds. */
export const oracleMaxAge = day
/** For how long after the sequencer came back no price is given, in seconds. */
export const sequencerGrace = 60 * 60
/** How long an owner's change waits before it takes effect, in seconds. */
export const timelockDelay = 2 * day
