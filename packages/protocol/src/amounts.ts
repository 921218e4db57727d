/** One US dollar in units of USDC. Deposits are held in USDC, so a dollar figure needs no oracle. */
const usd = 1_000_000n

/** What a wallet must have deposited to post or claim. */
export const entryDeposit = 25n * usd
/** What a wallet is advised to have deposited. */
export const recommendedDeposit = 45n * usd
/** Below this deposit a wallet's entries are paused. */
export const pauseThreshold = 8n * usd
/** What each live task reserves of each party's deposit. */
export const taskReserve = 8n * usd
/** What an exit costs, twice: once to the other party, once to the treasury. */
export const exitPenalty = (5n * usd) / 2n
/** What the loser of a dispute pays to its arbitrators. An appeal doubles it, and doubles it again. */
export const disputeFee = 5n * usd

/** What a post, claim, dismissal or leave costs in TOK wei, unless an Action Credit pays it. */
export const accessFee = 1_000n * 10n ** 18n
/** One whole Action Credit. */
export const actionCredit = 10n ** 18n
/** The part of each access fee that feeds the Union's reward reserve, in basis points. */
export const unionFeeBps = 4_000n

export const maxMilestones = 16
export const maxRevisions = 3
/** The whole of a share, in basis points. */
export const bps = 10_000n

/** The least an arbitrator bonds, in TOK wei. */
export const minBond = 10_000n * 10n ** 18n
/** What a silent arbitrator loses, half to each party. */
export const slashAmount = 1_000n * 10n ** 18n
/** How long a bond stays after an arbitrator asked for it, in seconds. */
export const unbondCooldown = 7 * 24 * 60 * 60
/** Seats of the panel at each tier of appeal. */
export const panelSizes = [1, 3, 5] as const
