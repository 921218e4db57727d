/** One US dollar in USDC units. Deposits are in USDC, so dollar amounts need no oracle. */
const usd = 1_000_000n

/** The deposit a wallet needs to post or claim. */
export const entryDeposit = 25n * usd
/** The recommended deposit. */
export const recommendedDeposit = 45n * usd
/** Below this deposit a wallet's entries pause: see `pauseRule`. */
export const pauseThreshold = 8n * usd
/** The part of each party's deposit that a live task reserves. */
export const taskReserve = 8n * usd
/** The exit penalty. It is charged twice: once to the other party, once to the treasury. */
export const exitPenalty = (5n * usd) / 2n
/** The fee that the loser of a dispute pays to the arbitrators. Each appeal doubles it. */
export const disputeFee = 5n * usd

/** The fee for a post, claim, dismissal or leave, in TOK wei, unless an Action Credit pays for it. */
export const accessFee = 1_000n * 10n ** 18n
/** One whole Action Credit. */
export const actionCredit = 10n ** 18n
/** The share of each access fee that goes to the Union's reward reserve, in basis points. */
export const unionFeeBps = 4_000n

export const maxMilestones = 16
export const maxRevisions = 3
/** 100 % in basis points. */
export const bps = 10_000n

/** The minimum bond of an arbitrator, in TOK wei. */
export const minBond = 10_000n * 10n ** 18n
/** The bond that an arbitrator loses for not voting; half goes to each party. */
export const slashAmount = 1_000n * 10n ** 18n
/** How long a bond stays locked after an unbond request, in seconds. */
export const unbondCooldown = 7 * 24 * 60 * 60
/** The panel size of each tier: first panel, first appeal, second appeal. */
export const panelSizes = [1, 3, 5] as const
