import { numberToHex } from 'viem'
import { entryDeposit, maxMilestones, taskReserve, unbondCooldown } from '../amounts.ts'
import { marketParams } from '../params.ts'
import { disputePhases, taskStates } from '../states.ts'
import { formatAmount } from '../units.ts'
import type { Words } from './declared.ts'
import { at, count, nth, percent, plan, quoted, span, tok, usdc } from './shown.ts'

const report = 'This should never happen: report it with the transaction.'
const readAgain = 'Read the task again and choose one of its next steps.'
const signAgain = 'Have exactly these values signed again by that wallet, for this chain and this contract.'
const freshNonce = 'Take a new random nonce and sign again.'
const postAgain = 'Expire the claim: an open task is then posted again, a private one ends and is refunded.'
const tryLater = 'Try again later, or pay in USDC, which needs no price.'
const timedOut = 'Anyone may now move the dispute on with resolveTimedOut.'
const ownerOnly = 'Changes of the owner go through the timelock: propose it there.'
const after = (time: bigint, what: string) => `Wait until after ${at(time)}, then ${what}.`

/**
 * What is wrong, and what to do now, for every error of the contracts. The signatures are those of the ABIs: the type
 * refuses a missing, a changed and a superfluous one.
 */
export const words: Words = {
  // Tasks
  'AlreadyDelivered(uint256 taskId, uint256 milestone)': [
    ({ taskId, milestone }) => `The work on ${nth(milestone)} of ${taskId} is delivered and under review.`,
    'The poster may release it, ask for a revision or dispute it; after the review anyone may release it.',
  ],
  'AmountNotMissing(uint256 taskId, uint256 amount, uint256 missing)': [
    ({ taskId, amount, missing }) => `${tok(amount)} cannot fund ${taskId}, which lacks ${tok(missing)}.`,
    ({ missing }) => (missing ? `Fund more than zero and at most ${tok(missing)}.` : 'Nothing is left to fund.'),
  ],
  'AmountOutOfRange(uint256 milestone, uint256 amount)': [
    ({ milestone, amount }) => `An amount of ${tok(amount)} for ${nth(milestone)} is zero or too large.`,
    'Give every milestone an amount above zero that somebody can pay.',
  ],
  'ClaimClosed(uint256 taskId, uint256 cutoff)': [
    ({ taskId, cutoff }) => `${taskId} could be claimed until ${at(cutoff)}.`,
    'Choose another task, or ask the poster to post it again.',
  ],
  'ClaimDeadlineOutOfRange(uint256 claimDeadline, uint256 min, uint256 max)': [
    ({ claimDeadline, min, max }) =>
      `The claim deadline, ${at(claimDeadline)}, is not between ${at(min)} and ${at(max)}.`,
    'Choose one well inside these limits, which move with the clock.',
  ],
  'ClaimPermitRequired(uint256 taskId)': [
    ({ taskId }) => `The poster of ${taskId} chooses who may claim it.`,
    'Ask the poster for a claim permit and claim with it.',
  ],
  'DeadlinePassed(uint256 taskId, uint256 deadline)': [
    ({ taskId, deadline }) => `The work on ${taskId} was due until ${at(deadline)}.`,
    'Ask the poster to release it all the same or to sign a mutual cancel, before somebody expires the task.',
  ],
  'DepositTooLow(address agent, uint256 balance, uint256 needed)': [
    ({ agent, balance, needed }) => `The deposit of ${agent} is ${usdc(balance)}; this takes ${usdc(needed)}.`,
    ({ balance, needed }) => `Top up the deposit by at least ${usdc(needed - balance)}, then try again.`,
  ],
  'DigestMismatch(uint256 taskId, bytes32 expected, bytes32 given)': [
    ({ taskId }) => `The digest is not that of the terms of ${taskId} with this wallet as worker.`,
    'Read the terms again, and compute the digest from them and the wallet that sends the claim.',
  ],
  'DurationOutOfRange(uint256 milestone, uint256 duration)': [
    ({ milestone, duration }) => `A duration of ${span(duration)} for ${nth(milestone)} is outside the limits.`,
    (_, { market }) => {
      if (!market) return 'Choose a duration within the limits of the market.'
      const { minDuration, maxDuration } = marketParams[market]
      return `Choose a duration from ${span(minDuration)} to ${span(maxDuration)}.`
    },
  ],
  'EnforcedPause()': [
    'Entries are paused: no task can be posted, created, claimed, or funded before it is claimed.',
    'Wait until the guardian ends the pause; claimed tasks go on.',
  ],
  'ExpectedPause()': ['Entries are not paused.', 'There is nothing to do.'],
  'FundingWindowClosed(uint256 taskId, uint256 end)': [
    ({ taskId, end }) => `${taskId} could be funded until ${at(end)}.`,
    postAgain,
  ],
  'HashMissing()': [
    'The hash is zero, which stands for no text at all.',
    'Give the hash of the criteria, the proof, the reason or the evidence.',
  ],
  'InvalidShare(uint256 workerBps)': [
    ({ workerBps }) => `A share of ${percent(workerBps)} for the worker is more than the whole.`,
    'Choose a share from 0 to 10,000 basis points.',
  ],
  'InvalidSignature(address signer)': [({ signer }) => `The signature is not one by ${signer} over this.`, signAgain],
  'MilestoneCountOutOfRange(uint256 amounts, uint256 durations)': [
    ({ amounts, durations }) => `${count(amounts, 'amount')} and ${count(durations, 'duration')} are no milestones.`,
    `Give 1 to ${maxMilestones} milestones, each with an amount and a duration.`,
  ],
  'NoFreeSlot(address worker, uint256 live, uint256 slots)': [
    ({ worker, live, slots }) => `${worker} has ${count(live, 'live claim')} and ${count(slots, 'slot')}.`,
    () => `End a task, or top up: each ${usdc(taskReserve)} above ${usdc(entryDeposit)} of deposit is one more slot.`,
  ],
  'NoRevisionsLeft(uint256 taskId, uint256 milestone)': [
    ({ taskId, milestone }) => `All revisions of ${nth(milestone)} of ${taskId} are used.`,
    'Release the milestone, or open a dispute before the review ends.',
  ],
  'NonceUsed(address account, uint256 nonce)': [
    ({ account }) => `${account} has used or revoked this nonce.`,
    freshNonce,
  ],
  'NotCurrentMilestone(uint256 taskId, uint256 milestone, uint256 current)': [
    ({ taskId, milestone, current }) => `${taskId} is at ${nth(current)}, not ${nth(milestone)}.`,
    readAgain,
  ],
  'NotDelivered(uint256 taskId, uint256 milestone)': [
    ({ taskId, milestone }) => `The work on ${nth(milestone)} of ${taskId} is not delivered.`,
    'Wait for the delivery; the poster may also release without it.',
  ],
  'NotExpired(uint256 taskId, uint256 until)': [
    ({ taskId, until }) => `${taskId} does not expire before ${at(until)}.`,
    ({ until }) => after(until, 'expire it'),
  ],
  'NotFullyFunded(uint256 taskId, uint256 funded, uint256 total)': [
    ({ taskId, funded, total }) => `${taskId} is funded with ${tok(funded)} of ${tok(total)}.`,
    ({ funded, total }) => `Have the poster fund the missing ${tok(total - funded)}, then start.`,
  ],
  'NotGuardian(address caller)': [
    ({ caller }) => `${caller} is neither the guardian nor the owner.`,
    'Send it from the wallet of the guardian.',
  ],
  'NotParty(uint256 taskId, address caller)': [
    ({ taskId, caller }) => `${caller} is neither the poster nor the worker of ${taskId}.`,
    'Send it from the wallet of one of them.',
  ],
  'NotPoster(uint256 taskId, address caller)': [
    ({ taskId, caller }) => `${caller} is not the poster of ${taskId}.`,
    "Send it from the poster's wallet.",
  ],
  'NotWorker(uint256 taskId, address caller)': [
    ({ taskId, caller }) => `${caller} is not the worker of ${taskId}.`,
    "Send it from the worker's wallet.",
  ],
  'PosterCannotClaim(uint256 taskId)': [
    ({ taskId }) => `This wallet posted ${taskId} and cannot claim it.`,
    'Leave it to a worker, or cancel it.',
  ],
  'PosterMismatch(address poster, address caller)': [
    ({ poster, caller }) => `The terms name ${poster} as poster, but ${caller} sent them.`,
    "Send them from the poster's wallet, or change the poster in the terms.",
  ],
  'ReviewEnded(uint256 taskId, uint256 reviewEnd)': [
    ({ taskId, reviewEnd }) => `The review of ${taskId} ended ${at(reviewEnd)}.`,
    'The work counts as accepted: anyone may release the milestone with releaseLapsed.',
  ],
  'ReviewNotEnded(uint256 taskId, uint256 reviewEnd)': [
    ({ taskId, reviewEnd }) => `The review of ${taskId} lasts until ${at(reviewEnd)}.`,
    ({ reviewEnd }) => after(reviewEnd, 'release the milestone'),
  ],
  'ReviewWindowOutOfRange(uint256 reviewWindow, uint256 min, uint256 max)': [
    ({ reviewWindow }) => `A review window of ${span(reviewWindow)} is outside the limits.`,
    ({ min, max }) => `Choose a review window from ${span(min)} to ${span(max)}.`,
  ],
  'SignatureExpired(address signer, uint256 expiry)': [
    ({ signer, expiry }) => `The signature of ${signer} was good until ${at(expiry)}.`,
    'Have it signed again with a later expiry.',
  ],
  'StartWindowClosed(uint256 taskId, uint256 end)': [
    ({ taskId, end }) => `${taskId} could be started until ${at(end)}.`,
    postAgain,
  ],
  'TaskNotFound(uint256 taskId)': [
    ({ taskId }) => `There is no ${taskId}.`,
    'Check the number and the market: each market counts its own tasks from 1.',
  ],
  'TextMismatch(bytes32 criteriaHash, bytes32 textHash)': [
    'The text is not the one whose hash the terms carry.',
    'Send the very text the terms were made from, byte by byte, or make the terms again.',
  ],
  'TextTooLong(uint256 length, uint256 maxLength)': [
    ({ length, maxLength }) => `The text has ${length} bytes; the most is ${maxLength}.`,
    'Shorten the text and make the terms again.',
  ],
  'TooManyRevisions(uint256 maxRevisions, uint256 limit)': [
    ({ maxRevisions }) => `The terms allow ${count(maxRevisions, 'revision')} of each milestone, which is too many.`,
    ({ limit }) => `Allow at most ${limit}.`,
  ],
  'Unauthorized(address caller)': [
    ({ caller }) => `Only a contract of the market may call this, not ${caller}.`,
    'Call the function that is meant for wallets, on the contract that has it.',
  ],
  'UnknownTask(uint256 taskId)': [
    ({ taskId }) => `There is no ${taskId}.`,
    'Check the number and the market: each market counts its own tasks from 1.',
  ],
  'VetWindowOpen(uint256 taskId, uint256 end)': [
    ({ taskId, end }) => `Until ${at(end)} only the poster may start ${taskId}.`,
    ({ end }) => after(end, 'start it'),
  ],
  'WorkerIsPoster(address worker)': [
    ({ worker }) => `${worker} is the poster and cannot be the worker too.`,
    'Name another wallet as worker.',
  ],
  'WrongScope()': [
    'The scope of the terms does not fit: open tasks are posted, private ones created from two signatures.',
    'Use post for the scope OPEN and create for PRIVATE.',
  ],
  'WrongState(uint256 taskId, uint8 state)': [
    ({ taskId, state }) => `${taskId} is ${taskStates[state] ?? 'in an unknown state'}, which does not allow this.`,
    readAgain,
  ],

  // Disputes
  'AlreadySpoke(uint256 taskId, address party)': [
    ({ taskId, party }) => `${party} has given its evidence on ${taskId} for this panel.`,
    'Wait for the ruling; an appeal takes new evidence.',
  ],
  'AlreadyVoted(uint256 taskId, address arbitrator)': [
    ({ taskId, arbitrator }) => `${arbitrator} has voted on ${taskId}.`,
    'A vote stands: there is nothing more to do.',
  ],
  'AppealWindowClosed(uint256 taskId, uint256 appealEnd)': [
    ({ taskId, appealEnd }) => `The ruling on ${taskId} could be appealed until ${at(appealEnd)}.`,
    'The ruling stands: anyone may finalize it.',
  ],
  'AppealWindowOpen(uint256 taskId, uint256 appealEnd)': [
    ({ taskId, appealEnd }) => `The ruling on ${taskId} may be appealed until ${at(appealEnd)}.`,
    ({ appealEnd }) => after(appealEnd, 'finalize it'),
  ],
  'BondInUse(address arbitrator, uint256 openCases)': [
    ({ arbitrator, openCases }) => `The bond of ${arbitrator} answers for ${count(openCases, 'open case')}.`,
    'Vote, or wait for the end of each case, then take the bond.',
  ],
  'BondTooLow(uint256 bond, uint256 minimum)': [
    ({ bond, minimum }) => `The bond would be ${tok(bond)}; the least is ${tok(minimum)}.`,
    ({ bond, minimum }) => `Bond at least ${tok(minimum - bond)} more.`,
  ],
  'ConsentWindowOpen(uint256 taskId, uint256 consentEnd)': [
    ({ taskId, consentEnd }) => `The parties of ${taskId} may agree on an arbitrator until ${at(consentEnd)}.`,
    ({ consentEnd }) => after(consentEnd, 'have a panel drawn'),
  ],
  'DrawPending(uint256 taskId, uint256 drawBlock)': [
    ({ taskId, drawBlock }) => `The panel of ${taskId} can be drawn after block ${drawBlock}.`,
    'Wait for the next block and try again.',
  ],
  'EvidenceWindowClosed(uint256 taskId, uint256 evidenceEnd)': [
    ({ taskId, evidenceEnd }) => `Evidence on ${taskId} was taken until ${at(evidenceEnd)}.`,
    'Wait for the ruling; an appeal takes new evidence.',
  ],
  'EvidenceWindowOpen(uint256 taskId, uint256 evidenceEnd)': [
    ({ taskId, evidenceEnd }) => `A party of ${taskId} may still give evidence until ${at(evidenceEnd)}.`,
    ({ evidenceEnd }) => `Vote after ${at(evidenceEnd)}, or as soon as both parties have given evidence.`,
  ],
  'NoFurtherAppeal(uint256 taskId)': [
    ({ taskId }) => `The ruling on ${taskId} is by the highest panel.`,
    'The ruling stands: anyone may finalize it.',
  ],
  'NobodyToSeat(uint256 taskId)': [
    ({ taskId }) => `No arbitrator is left who may sit on ${taskId}.`,
    'Agree on an arbitrator who bonds now; without a panel the dispute ends by what the parties have given.',
  ],
  'NotEligible(address arbitrator)': [
    ({ arbitrator }) => `${arbitrator} may not sit: it lacks a full bond, is leaving, is a party or sat on this case.`,
    'Propose another arbitrator.',
  ],
  'NotOnPanel(uint256 taskId, address caller)': [
    ({ taskId, caller }) => `${caller} is not on the panel of ${taskId}.`,
    'Send it from the wallet of a member.',
  ],
  'NotTimedOut(uint256 taskId, uint256 until)': [
    ({ taskId, until }) => `The dispute about ${taskId} has time until ${at(until)}.`,
    ({ until }) => after(until, 'try again'),
  ],
  'NotUnbonding(address arbitrator)': [
    ({ arbitrator }) => `${arbitrator} has not asked for its bond.`,
    () => `Ask with requestUnbond, then take the bond ${span(unbondCooldown)} later.`,
  ],
  'NothingToAppeal(uint256 taskId, address party)': [
    ({ taskId, party }) => `The ruling on ${taskId} gives ${party} everything.`,
    'There is nothing to win: wait until it can be finalized.',
  ],
  'RulingWindowClosed(uint256 taskId, uint256 rulingEnd)': [
    ({ taskId, rulingEnd }) => `The panel of ${taskId} could vote until ${at(rulingEnd)}.`,
    timedOut,
  ],
  'SeatWindowClosed(uint256 taskId, uint256 seatEnd)': [
    ({ taskId, seatEnd }) => `A panel for ${taskId} could be seated until ${at(seatEnd)}.`,
    timedOut,
  ],
  'UnbondCooldown(address arbitrator, uint256 unbondAt)': [
    ({ arbitrator, unbondAt }) => `The bond of ${arbitrator} is bound until ${at(unbondAt)}.`,
    ({ unbondAt }) => after(unbondAt, 'take it'),
  ],
  'WrongPhase(uint256 taskId, uint8 phase)': [
    ({ taskId, phase }) =>
      phase
        ? `The dispute about ${taskId} is ${disputePhases[phase] ?? 'in an unknown phase'}, which does not allow this.`
        : `There is no dispute about ${taskId}.`,
    readAgain,
  ],

  // Money
  'AssetNotAccepted(address asset)': [({ asset }) => `Plans are not sold for ${asset}.`, 'Pay in TOK or USDC.'],
  'DiscountTooHigh(uint16 tokDiscountBps)': [
    ({ tokDiscountBps }) => `A discount of ${percent(tokDiscountBps)} is too high.`,
    'Choose at most 50 %.',
  ],
  'InsufficientCredits(address account, uint256 credits)': [
    ({ account, credits }) => `${account} has ${tok(credits).replace('TOK', 'Action Credits')} and needs a whole one.`,
    'Wait until the stake has earned one, or pay the fee in TOK.',
  ],
  'InsufficientDeposit(address agent, uint256 free, uint256 needed)': [
    ({ agent, free, needed }) => `${usdc(free)} of the deposit of ${agent} are free; this takes ${usdc(needed)}.`,
    ({ free, needed }) => `Top up by at least ${usdc(needed - free)}, or wait until a task frees its reserve.`,
  ],
  'InsufficientHeld(uint256 taskId, uint256 held, uint256 asked)': [
    ({ taskId, held, asked }) => `${taskId} holds ${tok(held)}, less than ${tok(asked)}.`,
    report,
  ],
  'InsufficientStake(address account, uint256 staked, uint256 asked)': [
    ({ account, staked, asked }) => `${account} has staked ${tok(staked)}, less than ${tok(asked)}.`,
    ({ staked }) => (staked ? `Take back at most ${tok(staked)}.` : 'Nothing is staked.'),
  ],
  'InvalidPrice(int256 answer)': ['The price feed gave no usable price of TOK.', tryLater],
  'NothingToWithdraw(address account)': [
    ({ account }) => `There is nothing to withdraw for ${account}.`,
    'Check the wallet and the contract; what was paid directly needs no withdrawal.',
  ],
  'PlanNotForSale(bytes32 planId)': [({ planId }) => `The ${plan(planId)} is not for sale.`, 'Choose another plan.'],
  'PriceAboveMaximum(uint256 amount, uint256 maxAmount)': [
    ({ amount, maxAmount }, { token }) =>
      token
        ? `The plan costs ${formatAmount(amount, token)}, more than the ${formatAmount(maxAmount, token)} allowed.`
        : 'The plan costs more than the maximum given.',
    'Ask for the price again and raise the maximum.',
  ],
  'SequencerDown()': ['The network is not running normally, so there is no price of TOK.', tryLater],
  'SequencerJustBack(uint256 since, uint256 grace)': [
    ({ since }) => `The network is back only since ${at(since)}, so there is no price of TOK yet.`,
    ({ since, grace }) => after(since + grace, 'try again, or pay in USDC'),
  ],
  'StakingAlreadyActive()': ['Staking is active already.', 'There is nothing to do.'],
  'StakingNotActive()': ['Staking is not active yet.', 'Wait until the owner activates it.'],
  'StalePrice(uint256 updatedAt, uint256 maxAge)': [
    ({ updatedAt, maxAge }) => `The price of TOK of ${at(updatedAt)} is older than ${span(maxAge)}.`,
    tryLater,
  ],
  'TokNotAllowed(bytes32 planId)': [({ planId }) => `The ${plan(planId)} is not sold for TOK.`, 'Pay in USDC.'],
  'UnexpectedAmount(uint256 expected, uint256 received)': [
    ({ expected, received }, { token }) =>
      token
        ? `The token moved ${formatAmount(received, token)} instead of ${formatAmount(expected, token)}.`
        : 'The token moved another amount than it was told to.',
    report,
  ],
  'ZeroAmount()': ['The amount is zero.', 'Give an amount above zero; rewards can be taken once there are some.'],
  'ZeroBeneficiary()': ['The plan is for the zero address, which is nobody.', 'Name the wallet that gets the plan.'],

  // The token and the library
  'ECDSAInvalidSignature()': ['The signature is not valid.', signAgain],
  'ECDSAInvalidSignatureLength(uint256 length)': [
    ({ length }) => `The signature has ${length} bytes instead of 65.`,
    signAgain,
  ],
  'ECDSAInvalidSignatureS(bytes32 s)': ['The signature is in a form that is refused.', signAgain],
  'ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)': [
    ({ spender, allowance, needed }, { token = 'tok' }) =>
      `${spender} may take ${formatAmount(allowance, token)} from the wallet that pays; this takes ${formatAmount(needed, token)}.`,
    ({ spender, needed }, { token = 'tok' }) =>
      `From that wallet, approve ${spender} for at least ${formatAmount(needed, token)}.`,
  ],
  'ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)': [
    ({ sender, balance, needed }, { token = 'tok' }) =>
      `${sender} has ${formatAmount(balance, token)}; this takes ${formatAmount(needed, token)}.`,
    ({ balance, needed }, { token = 'tok' }) => `Get at least ${formatAmount(needed - balance, token)} more.`,
  ],
  'ERC20InvalidApprover(address approver)': [({ approver }) => `${approver} cannot approve anybody.`, report],
  'ERC20InvalidReceiver(address receiver)': [({ receiver }) => `${receiver} cannot receive.`, 'Name another receiver.'],
  'ERC20InvalidSender(address sender)': [({ sender }) => `${sender} cannot send.`, report],
  'ERC20InvalidSpender(address spender)': [({ spender }) => `${spender} cannot be approved.`, 'Name another spender.'],
  'ERC2612ExpiredSignature(uint256 deadline)': [
    ({ deadline }) => `The permit was good until ${at(deadline)}.`,
    'Sign it again with a later deadline.',
  ],
  'ERC2612InvalidSigner(address signer, address owner)': [
    ({ signer, owner }) => `The permit is signed by ${signer}, not by ${owner}, or over other values.`,
    signAgain,
  ],
  'ERC3009InvalidAuthorizationTime(uint256 validAfter, uint256 validBefore)': [
    ({ validAfter, validBefore }) => `The authorization is good after ${at(validAfter)} and before ${at(validBefore)}.`,
    'Use it within that time, or sign it again with another.',
  ],
  'ERC3009InvalidSignature()': ['The authorization is not signed by the payer, or over other values.', signAgain],
  'ERC3009UsedAuthorization(address authorizer, bytes32 nonce)': [
    ({ authorizer }) => `${authorizer} has used or cancelled this authorization.`,
    `Check whether it was paid already. ${freshNonce}`,
  ],
  'InvalidAccountNonce(address account, uint256 currentNonce)': [
    ({ account, currentNonce }) => `The permit has not the nonce of ${account}, which is ${currentNonce}.`,
    'Sign it again with that nonce.',
  ],
  'InvalidShortString()': ['A name in the contract is not readable.', report],
  'OwnableInvalidOwner(address owner)': [({ owner }) => `${owner} cannot be the owner.`, 'Name another owner.'],
  'OwnableUnauthorizedAccount(address account)': [({ account }) => `${account} is not the owner.`, ownerOnly],
  'ReentrancyGuardReentrantCall()': [
    'The contract was called again from within a call.',
    'Send the calls one after the other.',
  ],
  'SafeCastOverflowedIntToUint(int256 value)': ['The price feed gave a price below zero.', tryLater],
  'SafeCastOverflowedUintDowncast(uint8 bits, uint256 value)': [
    ({ bits }) => `A number does not fit in ${bits} bits.`,
    'Give a smaller number.',
  ],
  'SafeERC20FailedOperation(address token)': [
    ({ token }) => `The token ${token} refused to move.`,
    'Check its balance and allowance, and that the token is not paused or the wallet barred.',
  ],
  'StringTooLong(string str)': ['A name is longer than 31 bytes.', 'Choose a shorter one.'],
  'Error(string reason)': [
    ({ reason }) => `The contract refused: ${quoted(reason) || 'no reason given'}.`,
    'If it speaks of a balance or an allowance, get more of the token or approve more; otherwise check the values.',
  ],
  'Panic(uint256 code)': [
    ({ code }) => `The contract stopped at an impossible calculation (panic ${numberToHex(code)}).`,
    'Check the numbers given; if they are sound, report it with the transaction.',
  ],
}
