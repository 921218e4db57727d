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
/** What else cannot be withdrawn while anything is reserved. It pays for an appeal. */
export const lockedDeposit = entryDeposit - taskReserve
/** The penalty for leaving, and for a late dismissal. It goes to the treasury, as every penalty without a ruling. */
export const exitPenalty = (5n * usd) / 2n
/** What the loser of a dispute pays to whoever ruled. The rest of its reserve goes to the winner. */
export const rulingFee = 5n * usd
/** What an appeal to the final court costs. */
export const appealFee = 10n * usd
/** What a worker whom a ruling gives nothing pays besides its reserve. */
export const junkPenalty = 5n * usd

/** The fee for a post, claim, dismissal or leave, in TOK wei, unless an Action Credit pays for it. */
export const accessFee = 1_000n * 10n ** 18n
/** What each party locks on entry, in TOK wei. Leaving and dismissing spend it, a missed duty forfeits it. */
export const exitDeposit = 1_000n * 10n ** 18n
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
/** What a judge locks of its bond for a case: this share of the milestone, in basis points. */
export const judgeLockBps = 12_500n
/** What an overturned judge loses of the gap, and a silent one of the milestone, in basis points. */
export const judgeLossBps = 1_000n
/** The least that a judge locks for a case, and loses. */
export const minJudgeLock = 2_000n * 10n ** 18n
/** How old a bond must be at the opening of a case to be drawn for it, in seconds. */
export const bondAge = 7 * 24 * 60 * 60
/** How long a bond stays locked after an unbond request, in seconds. */
export const unbondCooldown = 7 * 24 * 60 * 60
/** What a poster puts up to open a case, of the milestone, and can lose, of the gap, in basis points. */
export const openerStakeBps = 1_000n
/** What a poster that opened a case gives the worker when they settle, of the milestone, in basis points. */
export const settlementBps = 100n
/** What whoever rules gets out of the milestone, of the gap, in basis points. */
export const courtShareBps = 100n
/** The most that a judge gets of it, in TOK wei: with the ruling fee, less than losing costs. */
export const maxJudgeShare = 1_000n * 10n ** 18n

/** Computes what a case over an amount locks of the judge's bond, in TOK wei. */
export function computeJudgeLock(amount: bigint): bigint {
  const share = (amount * judgeLockBps) / bps
  return share > minJudgeLock ? share : minJudgeLock
}

/** Computes what a poster puts up to open a case over an amount, in TOK wei. */
export const computeOpenerStake = (amount: bigint): bigint => (amount * openerStakeBps) / bps
