import { numberToHex } from 'viem'
import { lockedDeposit, maxMilestones, unbondCooldown } from '../money/amounts.ts'
import { marketParams } from '../money/params.ts'
import { sunsetNotice } from '../money/suite.ts'
import { formatAmount, formatShortAmount } from '../money/units.ts'
import { entriesEndedRule, entriesPausedRule } from '../tasks/pausing.ts'
import { disputePhases, taskStates } from '../tasks/states.ts'
import type { ErrorMessages } from './errorTypes.ts'
import {
  describeShortage,
  formatHolder,
  formatMilestone,
  formatNeed,
  formatPercent,
  formatPlan,
  formatSpan,
  formatTimestamp,
  formatTok,
  formatUsdc,
  isSameWallet,
  pluralize,
  quoteReason,
} from './formatValues.ts'

const reportBug = 'This should never happen. Report it with the transaction hash.'
const reloadTask = 'Reload the task and choose one of its next steps.'
const signAgain = 'Ask that wallet to sign exactly these values again, for this chain and this contract.'
const useNewNonce = 'Generate a new random nonce and sign again.'
const expireClaim =
  'Expire the claim. A task that was funded when it was claimed opens again if it is open; any other task ends and is refunded.'
const tryLater = 'Try again later, or pay in USDC, which needs no price.'
const timedOut = 'Anyone can now move the dispute on with resolveTimedOut.'
const ownerOnly = 'Changes by the owner go through the timelock. Propose the change there.'
const waitUntil = (time: bigint, action: string) => `Wait until after ${formatTimestamp(time)}, then ${action}.`

/**
 * For every error of the contracts: what went wrong, and what to do now. The keys are the signatures from the ABIs; the
 * type rejects a missing, changed or surplus one.
 */
export const errorMessages: ErrorMessages = {
  // Tasks
  'AlreadyDelivered(uint256 taskId, uint256 milestone)': [
    ({ taskId, milestone }) =>
      `The work on ${formatMilestone(milestone)} of ${taskId} is already delivered and under review.`,
    'The poster can accept it, request changes or open a dispute. After the review window anyone can release it, if the terms name no store or it signed a receipt. A second delivery only brings a missing receipt.',
  ],
  'AmountNotMissing(uint256 taskId, uint256 amount, uint256 missing)': [
    ({ taskId, amount, missing }) =>
      `Can't add ${formatTok(amount)} to ${taskId}: it needs ${formatTok(missing)} more.`,
    ({ missing }) => (missing ? `Fund more than zero and at most ${formatTok(missing)}.` : 'The task is fully funded.'),
  ],
  'AmountOutOfRange(uint256 milestone, uint256 amount)': [
    ({ milestone, amount }) =>
      `The amount of ${formatMilestone(milestone)}, ${formatTok(amount)}, is zero or too large.`,
    'Give every milestone an amount above zero that the poster can pay.',
  ],
  'ClaimClosed(uint256 taskId, uint256 cutoff)': [
    ({ taskId, cutoff }) => `${taskId} can no longer be claimed: claims closed at ${formatTimestamp(cutoff)}.`,
    'Choose another task, or ask the poster to post it again.',
  ],
  'ClaimDeadlineOutOfRange(uint256 claimDeadline, uint256 min, uint256 max)': [
    ({ claimDeadline, min, max }) =>
      `The claim deadline ${formatTimestamp(claimDeadline)} is not between ${formatTimestamp(min)} and ${formatTimestamp(max)}.`,
    'Choose a deadline well inside these limits: they move with the clock.',
  ],
  'ClaimPermitRequired(uint256 taskId)': [
    ({ taskId }) => `The poster of ${taskId} decides who can claim it, and this claim has no permit.`,
    'Ask the poster to choose your wallet, or to sign a claim permit for it, then claim.',
  ],
  'CourtCannotEnter(address court)': [
    ({ court }) => `${court} is the final court of this market and cannot post or claim tasks.`,
    'Use another wallet.',
  ],
  'DeadlinePassed(uint256 taskId, uint256 deadline)': [
    ({ taskId, deadline }) => `The deadline for the work on ${taskId} passed at ${formatTimestamp(deadline)}.`,
    'Ask the poster to release the milestone anyway or to sign a mutual cancel, before someone expires the task.',
  ],
  'DepositTooLow(address agent, uint256 free, uint256 needed)': [
    ({ agent, free, needed }, { caller }) =>
      describeShortage(`${formatHolder(agent, caller)} ${formatUsdc(free)} of deposit available`, free, needed, 'usdc'),
    ({ free, needed }) =>
      `Add at least ${formatNeed(needed - free, 'usdc')} to the deposit, or wait until a task releases its reserve.`,
  ],
  'DigestMismatch(uint256 taskId, bytes32 expected, bytes32 given)': [
    ({ taskId }) => `The settlement digest does not match the terms of ${taskId} with this wallet as worker.`,
    'Read the terms again and compute the digest from them and the wallet that sends the claim.',
  ],
  'DurationOutOfRange(uint256 milestone, uint256 duration)': [
    ({ milestone, duration }) =>
      `The duration of ${formatMilestone(milestone)}, ${formatSpan(duration)}, is outside the limits.`,
    (_, { market }) => {
      if (!market) return 'Choose a duration within the limits of the market.'
      const { minDuration, maxDuration } = marketParams[market]
      return `Choose a duration from ${formatSpan(minDuration)} to ${formatSpan(maxDuration)}.`
    },
  ],
  'EnforcedPause()': [entriesPausedRule, 'Wait until the guardian lifts the pause. Claimed tasks continue as usual.'],
  'EntriesEnded(uint256 endsAt)': [
    ({ endsAt }) => `${entriesEndedRule} The end was ${formatTimestamp(endsAt)}.`,
    'Use the market that replaces this one. Claimed tasks continue as usual, and open tasks can be cancelled.',
  ],
  'ExpectedPause()': ['Entries are not paused.', 'Nothing to do.'],
  'FundingWindowClosed(uint256 taskId, uint256 end)': [
    ({ taskId, end }) => `The funding window of ${taskId} closed at ${formatTimestamp(end)}.`,
    expireClaim,
  ],
  'GraceEnded(uint256 taskId, uint256 end)': [
    ({ taskId, end }) =>
      `The delivery of ${taskId} has no receipt, and the time to add one ended at ${formatTimestamp(end)}.`,
    'Ask the poster to release the milestone or to sign a mutual cancel, before someone expires the task.',
  ],
  'HashMissing()': ['The hash is zero.', 'Pass the hash of the criteria, proof, reason or evidence.'],
  'InvalidShare(uint256 workerBps)': [
    ({ workerBps }) => `A worker share of ${formatPercent(workerBps)} is more than 100 %.`,
    'Choose a share from 0 to 10,000 basis points.',
  ],
  'InvalidSunset(uint256 endsAt)': [
    ({ endsAt }) =>
      `Entries cannot end at ${formatTimestamp(endsAt)}: they have ended, a later end is set, or it is too soon.`,
    `Choose a time at least ${formatSpan(sunsetNotice)} ahead. An end that is set can only be moved later.`,
  ],
  'InvalidSignature(address signer)': [
    ({ signer }) => `The signature is not a valid signature by ${signer} over these values.`,
    signAgain,
  ],
  'MilestoneCountOutOfRange(uint256 amounts, uint256 durations)': [
    ({ amounts, durations }) => `Got ${pluralize(amounts, 'amount')} and ${pluralize(durations, 'duration')}.`,
    `Give 1 to ${maxMilestones} milestones, each with an amount and a duration.`,
  ],
  'NoRevisionsLeft(uint256 taskId, uint256 milestone)': [
    ({ taskId, milestone }) => `No revisions are left for ${formatMilestone(milestone)} of ${taskId}.`,
    'Release the milestone, or open a dispute before the review window ends.',
  ],
  'NonceUsed(address account, uint256 nonce)': [
    ({ account }) => `${account} has already used or revoked this nonce.`,
    useNewNonce,
  ],
  'NotCurrentMilestone(uint256 taskId, uint256 milestone, uint256 current)': [
    ({ taskId, milestone, current }) =>
      `The current milestone of ${taskId} is ${formatMilestone(current)}, not ${formatMilestone(milestone)}.`,
    reloadTask,
  ],
  'NotDelivered(uint256 taskId, uint256 milestone)': [
    ({ taskId, milestone }) => `The work on ${formatMilestone(milestone)} of ${taskId} has not been delivered.`,
    'Wait for the delivery. The poster can also release the milestone without it.',
  ],
  'NotExpired(uint256 taskId, uint256 until)': [
    ({ taskId, until }) => `${taskId} cannot expire before ${formatTimestamp(until)}.`,
    ({ until }) => waitUntil(until, 'expire it'),
  ],
  'NotFullyFunded(uint256 taskId, uint256 funded, uint256 total)': [
    ({ taskId, funded, total }) => `Only ${formatTok(funded)} of ${formatNeed(total, 'tok')} is funded in ${taskId}.`,
    ({ funded, total }) => `Ask the poster to fund the missing ${formatNeed(total - funded, 'tok')}, then start.`,
  ],
  'NotGuardian(address caller)': [
    ({ caller }) => `${caller} is neither the guardian nor the owner.`,
    "Send it from the guardian's wallet.",
  ],
  'NotParty(uint256 taskId, address caller)': [
    ({ taskId, caller }) => `${caller} is neither the poster nor the worker of ${taskId}.`,
    "Send it from the poster's or the worker's wallet.",
  ],
  'NotPoster(uint256 taskId, address caller)': [
    ({ taskId, caller }) => `${caller} is not the poster of ${taskId}.`,
    "Send it from the poster's wallet.",
  ],
  'NotWorker(uint256 taskId, address caller)': [
    ({ taskId, caller }) => `${caller} is not the worker of ${taskId}.`,
    "Send it from the worker's wallet.",
  ],
  'PermitNotNeeded(uint256 taskId)': [
    ({ taskId }) => `Anyone can claim ${taskId}, so no worker needs to be chosen.`,
    'Choose a worker only where the claim policy asks for a permit.',
  ],
  'PosterCannotClaim(uint256 taskId)': [
    ({ taskId }) => `The poster of ${taskId} cannot claim it.`,
    'Claim from another wallet, or cancel the task.',
  ],
  'PosterMismatch(address poster, address caller)': [
    ({ poster, caller }) => `The terms name ${poster} as the poster, but ${caller} sent them.`,
    "Send them from the poster's wallet, or change the poster in the terms.",
  ],
  'ReceiptEmpty(uint256 taskId, uint256 milestone)': [
    ({ taskId, milestone }) => `The receipt for ${formatMilestone(milestone)} of ${taskId} is for no byte.`,
    'Send the work to the store and ask it for a new receipt.',
  ],
  'ReceiptMissing(uint256 taskId, uint256 milestone)': [
    ({ taskId, milestone }) =>
      `The delivery of ${formatMilestone(milestone)} of ${taskId} has no receipt of the store, so it is not paid without an answer.`,
    'The worker can deliver again with a receipt, or open a dispute after the review window.',
  ],
  'ReceiptNotNeeded(uint256 taskId, uint256 milestone)': [
    ({ taskId, milestone }) =>
      `The delivery of ${formatMilestone(milestone)} of ${taskId} needs no receipt: the terms name no store, or it already signed one.`,
    'Deliver without a receipt, or wait for the review.',
  ],
  'ReceiptTooShort(uint256 taskId, uint256 until, uint256 needed)': [
    ({ taskId, until, needed }) =>
      `The store serves the delivery of ${taskId} until ${formatTimestamp(until)}, but the longest dispute lasts until ${formatTimestamp(needed)}.`,
    'Ask the store for a receipt that lasts until then.',
  ],
  'ReviewEnded(uint256 taskId, uint256 reviewEnd)': [
    ({ taskId, reviewEnd }) => `The review window of ${taskId} ended at ${formatTimestamp(reviewEnd)}.`,
    'The work counts as accepted if the terms name no store or it signed a receipt: then anyone can release the milestone with releaseLapsed.',
  ],
  'ReviewNotEnded(uint256 taskId, uint256 reviewEnd)': [
    ({ taskId, reviewEnd }) => `The review window of ${taskId} is open until ${formatTimestamp(reviewEnd)}.`,
    ({ reviewEnd }) => waitUntil(reviewEnd, 'try again'),
  ],
  'ReviewWindowOutOfRange(uint256 reviewWindow, uint256 min, uint256 max)': [
    ({ reviewWindow }) => `A review window of ${formatSpan(reviewWindow)} is outside the limits.`,
    ({ min, max }) => `Choose a review window from ${formatSpan(min)} to ${formatSpan(max)}.`,
  ],
  'SignatureExpired(address signer, uint256 expiry)': [
    ({ signer, expiry }) => `The signature by ${signer} expired at ${formatTimestamp(expiry)}.`,
    'Ask for a new signature with a later expiry.',
  ],
  'StartWindowClosed(uint256 taskId, uint256 end)': [
    ({ taskId, end }) => `${taskId} can no longer be started: the window closed at ${formatTimestamp(end)}.`,
    expireClaim,
  ],
  'TaskNotFound(uint256 taskId)': [
    ({ taskId }) => `Could not find ${taskId}.`,
    'Check the number and the market. Each market numbers its own tasks from 1.',
  ],
  'TextMismatch(bytes32 criteriaHash, bytes32 textHash)': [
    'The text does not match the criteria hash in the terms.',
    'Send exactly the text the terms were built from, or build the terms again.',
  ],
  'TextTooLong(uint256 length, uint256 maxLength)': [
    ({ length, maxLength }) => `The text has ${length} bytes, but the limit is ${maxLength}.`,
    'Shorten the text and build the terms again.',
  ],
  'TooManyRevisions(uint256 maxRevisions, uint256 limit)': [
    ({ maxRevisions }) => `The terms allow ${pluralize(maxRevisions, 'revision')} per milestone, which is too many.`,
    ({ limit }) => `Allow at most ${limit}.`,
  ],
  'Unauthorized(address caller)': [
    ({ caller }) => `Only another contract of the market can call this, not ${caller}.`,
    'Call the function meant for wallets instead.',
  ],
  'UnderNotice(uint256 taskId)': [
    ({ taskId }) => `The poster has ended the work on ${taskId}.`,
    'The worker can deliver what it has, or close the task with expire, which costs nothing.',
  ],
  'UnknownTask(uint256 taskId)': [
    ({ taskId }) => `Could not find ${taskId}.`,
    'Check the number and the market. Each market numbers its own tasks from 1.',
  ],
  'VetWindowOpen(uint256 taskId, uint256 end)': [
    ({ taskId, end }) => `Only the poster can start ${taskId} before ${formatTimestamp(end)}.`,
    ({ end }) => waitUntil(end, 'start it'),
  ],
  'WorkerIsPoster(address worker)': [
    ({ worker }) => `${worker} is the poster and cannot also be the worker.`,
    'Name another wallet as the worker.',
  ],
  'WrongScope()': [
    'The scope of the terms does not match: open tasks are posted, private tasks are created from two signatures.',
    'Use post for scope OPEN and create for scope PRIVATE.',
  ],
  'WrongState(uint256 taskId, uint8 state)': [
    ({ taskId, state }) => `${taskId} is ${taskStates[state] ?? 'in an unknown state'}, which does not allow this.`,
    reloadTask,
  ],

  // Disputes
  'AppealWindowClosed(uint256 taskId, uint256 appealEnd)': [
    ({ taskId, appealEnd }) =>
      `The ruling on ${taskId} can no longer be appealed: the window closed at ${formatTimestamp(appealEnd)}.`,
    'The ruling is final. Anyone can finalize it.',
  ],
  'AppealWindowOpen(uint256 taskId, uint256 appealEnd)': [
    ({ taskId, appealEnd }) => `The ruling on ${taskId} can be appealed until ${formatTimestamp(appealEnd)}.`,
    ({ appealEnd }) => waitUntil(appealEnd, 'finalize it'),
  ],
  'BondInUse(address arbitrator, uint256 openCases)': [
    ({ arbitrator, openCases }) => `The bond of ${arbitrator} is locked by ${pluralize(openCases, 'open case')}.`,
    'Rule on each case and wait until it closes, then withdraw the bond.',
  ],
  'BondTooLow(uint256 bond, uint256 minimum)': [
    ({ bond, minimum }) => `The bond would be ${formatTok(bond)}, but the minimum is ${formatTok(minimum)}.`,
    ({ bond, minimum }) => `Bond at least ${formatNeed(minimum - bond, 'tok')} more.`,
  ],
  'ConsentWindowClosed(uint256 taskId, uint256 consentEnd)': [
    ({ taskId, consentEnd }) =>
      `No judge can be named for ${taskId} any more: the time for it ended at ${formatTimestamp(consentEnd)}.`,
    'The final court decides. Anyone can call it with resolveTimedOut.',
  ],
  'CourtCannotJudge(address court)': [
    ({ court }) => `${court} is the final court of this market and cannot be an arbitrator.`,
    'Use another wallet.',
  ],
  'CourtWindowClosed(uint256 taskId, uint256 courtEnd)': [
    ({ taskId, courtEnd }) =>
      `The final court can no longer decide ${taskId}: its window closed at ${formatTimestamp(courtEnd)}.`,
    timedOut,
  ],
  'EvidenceWindowClosed(uint256 taskId, uint256 evidenceEnd)': [
    ({ taskId, evidenceEnd }) => `The evidence window of ${taskId} closed at ${formatTimestamp(evidenceEnd)}.`,
    'Wait for the ruling. If no judge is seated, or a party said nothing, anyone can call the final court with resolveTimedOut.',
  ],
  'EvidenceWindowOpen(uint256 taskId, uint256 evidenceEnd)': [
    ({ taskId, evidenceEnd }) =>
      `The parties of ${taskId} can still submit evidence until ${formatTimestamp(evidenceEnd)}.`,
    ({ evidenceEnd }) => waitUntil(evidenceEnd, 'rule'),
  ],
  'NotEligible(address arbitrator)': [
    ({ arbitrator }) =>
      `${arbitrator} cannot take this case: they are a party, they are unbonding, or too little of their bond is unlocked.`,
    'Bond more, or propose another arbitrator. A case locks 125 % of the milestone, at least 2,000 TOK.',
  ],
  'NotFinalCourt(address caller)': [
    ({ caller }) => `${caller} is not the final court of this market.`,
    "Send it from the final court's wallet.",
  ],
  'NotJudge(uint256 taskId, address caller)': [
    ({ taskId, caller }) => `${caller} is not the judge of ${taskId}.`,
    "Send it from the judge's wallet.",
  ],
  'NotLoser(uint256 taskId, address caller)': [
    ({ taskId, caller }) => `${caller} did not lose the ruling on ${taskId}.`,
    'Only the party that the ruling went against can appeal. Wait until the ruling can be finalized.',
  ],
  'NotProposed(uint256 taskId, address arbitrator)': [
    ({ taskId, arbitrator }) =>
      `Neither terms that both parties signed nor both parties name ${arbitrator} for ${taskId}.`,
    'Ask the parties that have not named you to propose you.',
  ],
  'NotTimedOut(uint256 taskId, uint256 until)': [
    ({ taskId, until }) => `The dispute about ${taskId} has not timed out: it has until ${formatTimestamp(until)}.`,
    ({ until }) => waitUntil(until, 'try again'),
  ],
  'NotUnbonding(address arbitrator)': [
    ({ arbitrator }) => `${arbitrator} has not requested to unbond.`,
    () => `Call requestUnbond, then withdraw the bond ${formatSpan(unbondCooldown)} later.`,
  ],
  'PartySilent(uint256 taskId)': [
    ({ taskId }) => `A party of ${taskId} has not submitted evidence, so no judge can rule.`,
    'Anyone can call the final court with resolveTimedOut. The judge loses nothing.',
  ],
  'RulingWindowClosed(uint256 taskId, uint256 rulingEnd)': [
    ({ taskId, rulingEnd }) =>
      `The judge of ${taskId} can no longer rule: the ruling window closed at ${formatTimestamp(rulingEnd)}.`,
    timedOut,
  ],
  'ShareOutOfRange(uint256 shareBps, uint256 min, uint256 max)': [
    ({ shareBps, min, max }) =>
      `A worker share of ${formatPercent(shareBps)} is not between ${formatPercent(min)} and ${formatPercent(max)}.`,
    'Choose a share within these limits. Each party moves its share only towards the other; whoever opens a dispute leaves something to decide.',
  ],
  'UnbondCooldown(address arbitrator, uint256 unbondAt)': [
    ({ arbitrator, unbondAt }) => `The bond of ${arbitrator} is locked until ${formatTimestamp(unbondAt)}.`,
    ({ unbondAt }) => waitUntil(unbondAt, 'withdraw it'),
  ],
  'WrongCase(uint256 taskId, uint256 number)': [
    ({ taskId, number }) => `The ruling is not about the dispute of ${taskId} that is open, which is number ${number}.`,
    'Read the dispute that is open, then rule on it.',
  ],
  'WrongPhase(uint256 taskId, uint8 phase)': [
    ({ taskId, phase }) =>
      phase
        ? `The dispute about ${taskId} is ${disputePhases[phase] ?? 'in an unknown phase'}, which does not allow this.`
        : `No dispute is open about ${taskId}.`,
    reloadTask,
  ],

  // Money
  'AssetNotAccepted(address asset)': [({ asset }) => `Plans cannot be paid for with ${asset}.`, 'Pay in TOK or USDC.'],
  'DiscountTooHigh(uint16 tokDiscountBps)': [
    ({ tokDiscountBps }) => `A discount of ${formatPercent(tokDiscountBps)} is too high.`,
    'Choose at most 50 %.',
  ],
  'InsufficientCredits(address account, uint256 credits)': [
    ({ account, credits }) =>
      `${account} has ${formatTok(credits).replace('TOK', 'Action Credits')}, but a whole credit is required.`,
    'Wait until your stake has earned one, or pay the fee in TOK.',
  ],
  'InsufficientDeposit(address agent, uint256 free, uint256 needed)': [
    ({ agent, free, needed }, { caller }) =>
      describeShortage(`${formatHolder(agent, caller)} ${formatUsdc(free)} of deposit free`, free, needed, 'usdc'),
    ({ free, needed }) =>
      `Add at least ${formatNeed(needed - free, 'usdc')} to it, or wait until a task releases its reserve. While anything is reserved, ${formatUsdc(lockedDeposit)} more cannot be withdrawn.`,
  ],
  'InsufficientHeld(uint256 taskId, uint256 held, uint256 asked)': [
    ({ taskId, held, asked }) =>
      `${taskId} holds ${formatTok(held)} in escrow, less than the ${formatNeed(asked, 'tok')} asked for.`,
    reportBug,
  ],
  'InsufficientStake(address account, uint256 staked, uint256 asked)': [
    ({ account, staked, asked }) =>
      `${account} has staked ${formatTok(staked)}, less than the ${formatNeed(asked, 'tok')} asked for.`,
    ({ staked }) => (staked ? `Unstake at most ${formatTok(staked)}.` : 'Nothing is staked.'),
  ],
  'InvalidPrice(int256 answer)': ['The price feed returned an invalid TOK price.', tryLater],
  'NoUsdOracle()': ['Plans are sold for USDC only: no oracle gives a price of TOK.', 'Pay in USDC.'],
  'NothingToWithdraw(address account)': [
    ({ account }) => `${account} has nothing to withdraw.`,
    'Check the wallet and the contract. Direct payments need no withdrawal.',
  ],
  'PlanNotForSale(bytes32 planId)': [
    ({ planId }) => `The ${formatPlan(planId)} is not for sale.`,
    'Choose another plan.',
  ],
  'PriceAboveMaximum(uint256 amount, uint256 maxAmount)': [
    ({ amount, maxAmount }, { token }) =>
      token
        ? `The plan costs ${formatNeed(amount, token)}, more than your maximum of ${formatShortAmount(maxAmount, token)}.`
        : 'The plan costs more than your maximum.',
    'Get a new quote and raise the maximum.',
  ],
  'SequencerDown()': ['The sequencer is down, so no TOK price is available.', tryLater],
  'SequencerJustBack(uint256 since, uint256 grace)': [
    ({ since }) => `The sequencer came back at ${formatTimestamp(since)}, so no TOK price is available yet.`,
    ({ since, grace }) => waitUntil(since + grace, 'try again, or pay in USDC'),
  ],
  'StakingAlreadyActive()': ['Staking is already active.', 'Nothing to do.'],
  'StakingNotActive()': ['Staking is not active yet.', 'Wait until the owner activates it.'],
  'StalePrice(uint256 updatedAt, uint256 maxAge)': [
    ({ updatedAt, maxAge }) =>
      `The TOK price is stale: it was last updated at ${formatTimestamp(updatedAt)}, and the limit is ${formatSpan(maxAge)}.`,
    tryLater,
  ],
  'TokNotAllowed(bytes32 planId)': [
    ({ planId }) => `The ${formatPlan(planId)} cannot be paid for in TOK.`,
    'Pay in USDC.',
  ],
  'UnexpectedAmount(uint256 expected, uint256 received)': [
    ({ expected, received }, { token }) =>
      token
        ? `The token moved ${formatAmount(received, token)} instead of ${formatAmount(expected, token)}.`
        : 'The token moved a different amount than requested.',
    reportBug,
  ],
  'ZeroAmount()': ['The amount is zero.', 'Use an amount above zero. Rewards can be claimed once some have accrued.'],
  'ZeroBeneficiary()': ['The beneficiary is the zero address.', 'Name the wallet that receives the plan.'],

  // Deployment
  'NotDeployer(address caller)': [
    ({ caller }) => `${caller} is not the deployer of this factory.`,
    'Send it from the wallet that the plan of the deployment names.',
  ],
  'WrongIndex(uint256 index, uint256 next)': [
    'The contracts of a suite are created in order, and this one is not the next.',
    'Run svc-admin deploy again. It continues after the last contract that was created.',
  ],

  // The token and the library
  'ECDSAInvalidSignature()': ['The signature is not valid.', signAgain],
  'ECDSAInvalidSignatureLength(uint256 length)': [
    ({ length }) => `The signature is ${length} bytes long instead of 65.`,
    signAgain,
  ],
  'ECDSAInvalidSignatureS(bytes32 s)': ['The signature is malleable (high s value), which is not accepted.', signAgain],
  'ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)': [
    ({ spender, allowance, needed }, { token }) =>
      token
        ? describeShortage(`${spender} may take ${formatShortAmount(allowance, token)}`, allowance, needed, token)
        : `${spender} may take less of a token than this takes.`,
    ({ spender, needed }, { token }) =>
      `From the paying wallet, allow ${spender} to take ${token ? `at least ${formatNeed(needed, token)}` : 'more of that token'}.`,
  ],
  'ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)': [
    ({ sender, balance, needed }, { token, caller }) =>
      token
        ? describeShortage(
            `${formatHolder(sender, caller)} ${formatShortAmount(balance, token)}`,
            balance,
            needed,
            token,
          )
        : `${formatHolder(sender, caller)} less of a token than this takes.`,
    ({ sender, balance, needed }, { token, caller }) =>
      `Add ${token ? `at least ${formatNeed(needed - balance, token)}` : 'more of that token'} to ${isSameWallet(sender, caller) ? 'your' : 'that'} wallet.`,
  ],
  'ERC20InvalidApprover(address approver)': [({ approver }) => `${approver} cannot approve a spender.`, reportBug],
  'ERC20InvalidReceiver(address receiver)': [
    ({ receiver }) => `${receiver} cannot receive tokens.`,
    'Use another receiver.',
  ],
  'ERC20InvalidSender(address sender)': [({ sender }) => `${sender} cannot send tokens.`, reportBug],
  'ERC20InvalidSpender(address spender)': [
    ({ spender }) => `${spender} cannot be approved as a spender.`,
    'Use another spender.',
  ],
  'ERC2612ExpiredSignature(uint256 deadline)': [
    ({ deadline }) => `The permit expired at ${formatTimestamp(deadline)}.`,
    'Sign it again with a later deadline.',
  ],
  'ERC2612InvalidSigner(address signer, address owner)': [
    ({ signer, owner }) => `The permit was signed by ${signer} instead of ${owner}, or over different values.`,
    signAgain,
  ],
  'ERC3009InvalidAuthorizationTime(uint256 validAfter, uint256 validBefore)': [
    ({ validAfter, validBefore }) =>
      `The authorization is valid only after ${formatTimestamp(validAfter)} and before ${formatTimestamp(validBefore)}.`,
    'Use it within that time, or sign it again with other limits.',
  ],
  'ERC3009InvalidSignature()': ['The authorization was not signed by the payer, or over different values.', signAgain],
  'ERC3009UsedAuthorization(address authorizer, bytes32 nonce)': [
    ({ authorizer }) => `${authorizer} has already used or cancelled this authorization.`,
    `Check whether the payment already went through. ${useNewNonce}`,
  ],
  'InvalidAccountNonce(address account, uint256 currentNonce)': [
    ({ account, currentNonce }) => `The permit uses the wrong nonce: the nonce of ${account} is ${currentNonce}.`,
    'Sign it again with that nonce.',
  ],
  'InvalidShortString()': ['A short string in the contract is malformed.', reportBug],
  'OwnableInvalidOwner(address owner)': [({ owner }) => `${owner} cannot be the owner.`, 'Use another owner.'],
  'OwnableUnauthorizedAccount(address account)': [({ account }) => `${account} is not the owner.`, ownerOnly],
  'ReentrancyGuardReentrantCall()': ['The contract was re-entered during a call.', 'Send the calls one after another.'],
  'SafeCastOverflowedIntToUint(int256 value)': ['The price feed returned a negative price.', tryLater],
  'SafeCastOverflowedUintDowncast(uint8 bits, uint256 value)': [
    ({ bits }) => `A number does not fit in ${bits} bits.`,
    'Use a smaller number.',
  ],
  'SafeERC20FailedOperation(address token)': [
    ({ token }) => `The transfer of token ${token} failed.`,
    'Check the balance and the allowance, and that the token is not paused and the wallet is not blocked.',
  ],
  'StringTooLong(string str)': ['A name is longer than 31 bytes.', 'Use a shorter name.'],
  // A court that asks Reality.eth
  'AlreadyAsked(uint256 taskId, bytes32 questionId)': [
    ({ taskId, questionId }) => `The case of ${taskId} has already been put to the public as question ${questionId}.`,
    'Answer it, or wait until its answer is final.',
  ],
  'AskTooEarly(uint256 taskId, uint256 askFrom)': [
    ({ taskId }) => `The case of ${taskId} cannot be put to the public yet: the parties still have time to publish.`,
    ({ askFrom }) => waitUntil(askFrom, 'ask'),
  ],
  'AskTooLate(uint256 taskId, uint256 askUntil)': [
    ({ taskId, askUntil }) =>
      `The case of ${taskId} could be put to the public until ${formatTimestamp(askUntil)}. No answer would be final in time.`,
    'The case ends when the time of the final court is over.',
  ],
  'BadEvidence()': [
    'The evidence has no hash, or its address is not a link of 1 to 256 characters.',
    'Give the hash of the evidence, and a link without spaces, quotes or angle brackets.',
  ],
  'NoRuling(uint256 taskId, bytes32 answer)': [
    ({ taskId, answer }) => `The public answered the case of ${taskId} with ${answer}, which is neither yes nor no.`,
    'The case ends when the time of the final court is over.',
  ],
  'NotAParty(uint256 taskId, address caller)': [
    ({ taskId, caller }, { caller: you }) =>
      `${isSameWallet(caller, you) ? 'You are' : `${caller} is`} not a party of the dispute over ${taskId}.`,
    'Only its poster and its worker publish evidence.',
  ],
  'NotAsked(uint256 taskId)': [
    ({ taskId }) => `The open case of ${taskId} has not been put to the public.`,
    'Ask it first, once a party has published its evidence.',
  ],
  'NotBeforeCourt(uint256 taskId)': [
    ({ taskId }) => `${taskId} has no case that the final court could take now.`,
    reloadTask,
  ],
  'NothingPublished(uint256 taskId)': [
    ({ taskId }) => `Neither side of ${taskId} has published its evidence, so the public could not open anything.`,
    'The poster or the worker must publish first.',
  ],
  'StringsInsufficientHexLength(uint256 value, uint256 length)': ['A number has more digits than expected.', reportBug],
  'UnknownMarket(address arbitration)': [
    ({ arbitration }) => `This court decides no cases of the arbitration contract ${arbitration}.`,
    'Use the contracts of a market that names this court.',
  ],
  'WindowsDoNotFit(uint256 answerTime, uint256 timeout)': [
    ({ answerTime, timeout }) =>
      `A timeout of ${formatSpan(timeout)} does not fit ${formatSpan(answerTime)}: three must fit, and the bond must not be zero.`,
    'Choose a shorter timeout.',
  ],
  'Error(string reason)': [
    ({ reason }) => `The contract reverted: ${quoteReason(reason) || 'no reason given'}.`,
    'If it mentions a balance or an allowance, add tokens or approve more. Otherwise check the values of the call.',
  ],
  'Panic(uint256 code)': [
    ({ code }) => `The contract stopped on an arithmetic or internal error (panic ${numberToHex(code)}).`,
    'Check the numbers of the call. If they are right, report it with the transaction hash.',
  ],
}
