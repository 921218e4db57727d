/** One US dollar in USDC units. Deposits are in USDC, so dollar amounts need no oracle. */
const usd = 1_000_000n

/** The deposit a wallet needs to post or claim. */
export const entryDeposit = 25n * usd
/** The recommended deposit. */
export const recommendedDeposit = 45n * usd
/** Below this deposit a wallet's entries pause: see `pauseRule`. */
export const pauseThreshold = 8n * usd
/** What the loser of a dispute pays to whoever ruled. */
export const rulingFee = 5n * usd
/** What an appeal to the final court costs, and what the loser of a dispute pays to the winner: a right appeal is free. */
export const appealFee = 8n * usd
/** The part of each party's deposit that a live task reserves: what a lost dispute costs. */
export const taskReserve = rulingFee + appealFee
/** What else cannot be withdrawn while anything is reserved. It pays for an appeal. */
export const lockedDeposit = entryDeposit - taskReserve
/** What a missed duty costs besides the exit deposit. It goes to the treasury. */
export const lapsePenalty = (5n * usd) / 2n

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
/** What a judge locks of its bond for a case, of the milestone, and loses if it is overturned, of the gap, in basis points. */
export const judgeLockBps = 12_500n
/** The least that a judge locks for a case, and loses. A judge that took a case and says nothing loses as much. */
export const minJudgeLock = 2_000n * 10n ** 18n
/** How long a bond stays locked after an unbond request, in seconds. */
export const unbondCooldown = 7 * 24 * 60 * 60
/** What a poster puts up to open a case, of the milestone, and can lose, of the gap, in basis points. */
export const openerStakeBps = 1_000n
/** The least that a poster that opened a case loses to a ruling, of the milestone, in basis points. */
export const minLostStakeBps = 500n
/** What a poster that opened a case gives the worker when they settle, of the milestone, in basis points. */
export const settlementBps = 100n
/** What the final court gets out of the milestone, of the gap, in basis points. */
export const courtShareBps = 100n
/** The most that it gets of it, in TOK wei. */
export const maxCourtShare = 1_000n * 10n ** 18n

/** Computes what a case over an amount locks of the judge's bond, and what an overturned ruling costs that moved it, in TOK wei. */
export function computeJudgeLock(amount: bigint): bigint {
  const share = (amount * judgeLockBps) / bps
  return share > minJudgeLock ? share : minJudgeLock
}

/** Computes what a poster puts up to open a case over an amount, in TOK wei. */
export const computeOpenerStake = (amount: bigint): bigint => (amount * openerStakeBps) / bps

/** Computes what a poster that opened loses of its stake to a ruling, in TOK wei. The gap lies between the two shares. */
export function computeLostStake({ amount, gap, stake }: Record<'amount' | 'gap' | 'stake', bigint>): bigint {
  const [ofGap, least] = [(gap * openerStakeBps) / bps, (amount * minLostStakeBps) / bps]
  const lost = ofGap > least ? ofGap : least
  return lost < stake ? lost : stake
}
