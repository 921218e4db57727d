import type { Address } from 'viem'
import { formatAmount, formatTime } from '../money/units.ts'
import { type EventRules, formatTaskName, type RuleContext } from './rule.ts'

const tok = (amount: bigint) => formatAmount(amount, 'tok')
const usdc = (amount: bigint) => formatAmount(amount, 'usdc')
const poster = ({ task }: RuleContext) => [task.poster]
const worker = ({ task, before }: RuleContext) => [task.worker ?? before?.worker ?? null]
const parties = (context: RuleContext) => [...poster(context), ...worker(context)]
/** The party that did not do it. */
const other = (context: RuleContext, by: Address) => parties(context).filter((each) => each !== by)
const named = (milestone: bigint) => `milestone ${milestone + 1n}`
const loser = ({ dispute }: RuleContext) => dispute && (dispute.forWorker ? dispute.poster : dispute.worker)
const winner = ({ dispute }: RuleContext) => dispute && (dispute.forWorker ? dispute.worker : dispute.poster)

const ownAction = 'The wallet that it concerns did it itself.'
const saidElsewhere = (kind: string) => `${kind} has the message.`
const ofOperators = 'It concerns the whole market, not one wallet.'
const ofRecords = 'It only counts what the message of another event says.'

/** The messages of each event. */
export const eventRules: EventRules = {
  'taskRegistry.TaskPosted': { silent: ownAction },
  'taskRegistry.TaskCreated': {
    messages: [
      {
        kind: 'created',
        urgency: 'action',
        to: parties,
        title: (c) => `Private task ${formatTaskName(c)} is on chain`,
        text: () => 'Both of you signed it. The poster locks the pay and starts the work in time, or the task ends.',
      },
    ],
  },
  'taskRegistry.WorkerAllowed': {
    messages: [
      {
        kind: 'allowed-to-claim',
        urgency: 'action',
        to: ({ task, before }) => (task.allowedWorker === before?.allowedWorker ? [] : [task.allowedWorker]),
        title: (c) => `You may claim ${formatTaskName(c)}`,
        text: () => 'Its poster has chosen you. Claim it if you want to do the work.',
      },
    ],
  },
  'taskRegistry.TaskClaimed': {
    messages: [
      {
        kind: 'claimed',
        urgency: 'action',
        to: poster,
        title: (c) => `${formatTaskName(c)} was claimed`,
        text: (c, { args }) =>
          `${args.worker} claimed it. ${c.task.fundedAtClaim ? 'Start the work, or remove the worker.' : 'Lock the rest of the pay and start the work; otherwise you lose your hold and a part of your deposit.'}`,
      },
    ],
  },
  'taskRegistry.TaskActivated': {
    messages: [
      {
        kind: 'started',
        urgency: 'action',
        to: (c, { args }) => other(c, args.by),
        title: (c) => `Work on ${formatTaskName(c)} has started`,
        text: (_, { args }) => `The first milestone is due by ${formatTime(args.deadline)}.`,
        deadline: (_, { args }) => Number(args.deadline),
      },
    ],
  },
  'taskRegistry.WorkerDismissed': {
    messages: [
      {
        kind: 'dismissed',
        urgency: 'info',
        to: (_, { args }) => [args.worker],
        title: (c) => `You were removed from ${formatTaskName(c)}`,
        text: () =>
          'The poster removed you before the work started. Your hold and what was set aside of your deposit are yours again.',
      },
    ],
  },
  'taskRegistry.NoticeGiven': {
    messages: [
      {
        kind: 'notice-given',
        urgency: 'urgent',
        to: (_, { args }) => [args.worker],
        title: (c) => `The poster ended the work on ${formatTaskName(c)}`,
        text: (_, { args }) =>
          `Deliver what you have by ${formatTime(args.deadline)} to be paid for this milestone, or close the task, which costs you nothing.`,
        deadline: (_, { args }) => Number(args.deadline),
      },
    ],
  },
  'taskRegistry.WorkerLeft': {
    messages: [
      {
        kind: 'worker-left',
        urgency: 'info',
        to: poster,
        title: (c) => `The worker left ${formatTaskName(c)}`,
        text: (c, { args }) =>
          `${args.worker} left. ${c.task.state === 'POSTED' ? 'The task can be claimed again.' : 'The task has ended, and what it held is refunded.'}`,
      },
    ],
  },
  'taskRegistry.MilestoneDelivered': {
    messages: [
      {
        kind: 'delivered',
        urgency: 'action',
        to: poster,
        title: (c, { args }) => `Work was delivered: ${formatTaskName(c)}, ${named(args.milestone)}`,
        text: (_, { args }) =>
          `Approve it, request changes or open a dispute by ${formatTime(args.reviewEnd)}. After that, your silence pays the worker.`,
        deadline: (_, { args }) => Number(args.reviewEnd),
      },
    ],
  },
  'taskRegistry.DeliveryReceipted': {
    silent: 'The delivery itself has a message; reminders follow the new end of the review.',
  },
  'taskRegistry.RevisionRequested': {
    messages: [
      {
        kind: 'revision-requested',
        urgency: 'action',
        to: worker,
        title: (c, { args }) => `Changes were requested: ${formatTaskName(c)}, ${named(args.milestone)}`,
        text: (_, { args }) => `Deliver again by ${formatTime(args.deadline)}.`,
        deadline: (_, { args }) => Number(args.deadline),
      },
    ],
  },
  'taskRegistry.MilestoneReleased': {
    messages: [
      {
        kind: 'paid',
        urgency: 'info',
        to: worker,
        title: (c, { args }) => `You were paid ${tok(args.amount)} for ${formatTaskName(c)}`,
        text: (_, { args }) =>
          args.deadline > 0n
            ? `${capitalize(named(args.milestone))} is paid. The next one is due by ${formatTime(args.deadline)}.`
            : `${capitalize(named(args.milestone))} is paid.`,
        deadline: (_, { args }) => Number(args.deadline),
      },
      {
        kind: 'paid-by-silence',
        urgency: 'info',
        to: (c, { args }) => (args.lapsed ? poster(c) : []),
        title: (c, { args }) => `${tok(args.amount)} was paid for ${formatTaskName(c)} without your answer`,
        text: (_, { args }) => `The review of ${named(args.milestone)} ended, so the worker was paid.`,
      },
    ],
  },
  'taskRegistry.TaskCompleted': {
    messages: [
      {
        kind: 'completed',
        urgency: 'info',
        to: parties,
        title: (c) => `${formatTaskName(c)} is complete`,
        text: (_, { args }) => `${tok(args.paid)} was paid in all.`,
      },
    ],
  },
  'taskRegistry.TaskCancelled': { silent: ownAction },
  'taskRegistry.TaskExpired': {
    messages: [
      {
        kind: 'expired',
        urgency: 'info',
        to: parties,
        title: (c) =>
          isUnderNotice(c) ? `${formatTaskName(c)} has ended` : `${formatTaskName(c)} missed its deadline`,
        text: (c) =>
          c.task.state === 'POSTED'
            ? 'The claim has ended, and the task can be claimed again.'
            : 'The task has ended, and what it held is refunded to the poster.',
      },
    ],
  },
  'taskRegistry.TaskMutuallyCancelled': {
    messages: [
      {
        kind: 'ended-by-agreement',
        urgency: 'info',
        to: parties,
        title: (c) => `${formatTaskName(c)} was ended by agreement`,
        text: (_, { args }) => `The worker gets ${tok(args.workerAmount)}; the rest is refunded.`,
      },
    ],
  },
  'taskRegistry.DisputeOpened': { silent: saidElsewhere('CaseOpened') },
  'taskRegistry.DisputeConceded': {
    messages: [
      {
        kind: 'dispute-conceded',
        urgency: 'info',
        to: worker,
        title: (c) => `The poster gave in: ${formatTaskName(c)}`,
        text: (_, { args }) => `The dispute is over, and ${named(args.milestone)} is paid in full.`,
      },
    ],
  },
  'taskRegistry.TaskResolved': {
    messages: [
      {
        kind: 'resolved',
        urgency: 'info',
        to: parties,
        title: (c) => `The dispute of ${formatTaskName(c)} is settled`,
        text: (_, { args }) => `The worker gets ${tok(args.workerAmount)} of the milestone.`,
      },
    ],
  },
  'taskRegistry.TaskFunded': { silent: saidElsewhere('escrowVault.Funded') },
  'taskRegistry.NonceInvalidated': { silent: ownAction },
  'taskRegistry.Paused': { silent: ofOperators },
  'taskRegistry.Unpaused': { silent: ofOperators },
  'taskRegistry.SunsetScheduled': { silent: ofOperators },
  'taskRegistry.GuardianSet': { silent: ofOperators },
  'taskRegistry.OwnershipTransferStarted': { silent: ofOperators },
  'taskRegistry.OwnershipTransferred': { silent: ofOperators },

  'taskScopeRegistry.TaskScopeSet': { silent: ownAction },
  'taskScopeRegistry.TaskTextPublished': { silent: ownAction },

  'escrowVault.Funded': {
    messages: [
      {
        kind: 'funded',
        urgency: 'info',
        to: ({ task, before }) => (before?.worker && task.funded >= task.total ? [before.worker] : []),
        title: (c) => `${formatTaskName(c)} is locked in full`,
        text: (c) => `${tok(c.task.funded)} is locked.`,
      },
    ],
  },
  'escrowVault.Released': {
    messages: [
      {
        kind: 'payout-waiting',
        urgency: 'action',
        to: (_, { args }) => (args.deferred ? [args.to] : []),
        title: (c, { args }) => `${tok(args.amount)} of ${formatTaskName(c)} waits for you`,
        text: () => 'It could not be sent to your wallet. Withdraw it.',
      },
    ],
  },
  'escrowVault.Refunded': {
    messages: [
      {
        kind: 'refunded',
        urgency: 'info',
        to: (_, { args }) => [args.to],
        title: (c, { args }) => `${tok(args.amount)} of ${formatTaskName(c)} was refunded`,
        text: (_, { args }) =>
          args.deferred ? 'It could not be sent to your wallet. Withdraw it.' : 'It is in your wallet.',
      },
    ],
  },
  'escrowVault.Withdrawn': { silent: ownAction },
  'escrowVault.ExitDepositLocked': { silent: ownAction },
  'escrowVault.ExitDepositReturned': { silent: 'Every normal end returns it.' },
  'escrowVault.ExitDepositSpent': {
    messages: [
      {
        kind: 'exit-deposit-spent',
        urgency: 'info',
        to: (_, { args }) => [args.agent],
        title: (c) => `Your hold for ${formatTaskName(c)} was spent`,
        text: (_, { args }) => `${tok(args.amount)} of it does not come back.`,
      },
    ],
  },

  'depositVault.ToppedUp': { silent: ownAction },
  'depositVault.Withdrawn': { silent: ownAction },
  'depositVault.Reserved': { silent: ownAction },
  'depositVault.Unreserved': { silent: 'The message about the end of the task says it.' },
  'depositVault.Penalised': {
    messages: [
      {
        kind: 'deposit-charged',
        urgency: 'action',
        to: (_, { args }) => [args.agent],
        title: (c, { args }) => `${usdc(args.amount)} was taken from your deposit for ${formatTaskName(c)}`,
        text: () => 'Below a deposit of 8.00 USDC you cannot enter new tasks. Top it up.',
      },
    ],
  },

  'paymentGateway.AccessFeePaid': { silent: ownAction },
  'paymentGateway.PlanPurchased': { silent: ownAction },

  'stakingVault.StakingActivated': { silent: ofOperators },
  'stakingVault.Accrued': { silent: ofOperators },
  'stakingVault.RewardAdded': { silent: ofOperators },
  'stakingVault.Staked': { silent: ownAction },
  'stakingVault.Unstaked': { silent: ownAction },
  'stakingVault.RewardsClaimed': { silent: ownAction },
  'stakingVault.CreditSpent': { silent: ownAction },
  'stakingVault.CreditIssuanceClosed': { silent: ofOperators },
  'stakingVault.OwnershipTransferStarted': { silent: ofOperators },
  'stakingVault.OwnershipTransferred': { silent: ofOperators },

  'arbitration.ArbitratorRegistered': { silent: ownAction },
  'arbitration.UnbondRequested': { silent: ownAction },
  'arbitration.Unbonded': { silent: ownAction },
  'arbitration.ArbitratorSlashed': {
    messages: [
      {
        kind: 'bond-slashed',
        urgency: 'info',
        to: (_, { args }) => [args.arbitrator],
        title: (c, { args }) => `You lost ${tok(args.amount)} of your bond in ${formatTaskName(c)}`,
        text: (_, { facts, args }) =>
          `${facts?.silent ? 'You did not rule in time.' : 'Your ruling was overturned.'} ${tok(args.bond)} is left.`,
      },
    ],
  },
  'arbitration.Paid': {
    messages: [
      {
        kind: 'award-waiting',
        urgency: 'action',
        to: (_, { args }) => (args.deferred ? [args.to] : []),
        title: (c, { args }) => `${tok(args.amount)} from the dispute of ${formatTaskName(c)} waits for you`,
        text: () => 'It could not be sent to your wallet. Withdraw it.',
      },
    ],
  },
  'arbitration.Withdrawn': { silent: ownAction },
  'arbitration.CaseOpened': {
    messages: [
      {
        kind: 'dispute-opened',
        urgency: 'urgent',
        to: (c, { args }) => other(c, args.opener),
        title: (c) => `A dispute was opened about ${formatTaskName(c)}`,
        text: (c, { args }) => `Give your evidence by ${formatTime(args.evidenceEnd)}. ${explainJudge(c)}`,
        deadline: (_, { args }) => Number(args.evidenceEnd),
      },
      {
        kind: 'case-offered',
        urgency: 'action',
        to: ({ dispute }) => [dispute?.named ?? null],
        title: (c) => `You can judge the dispute of ${formatTaskName(c)}`,
        text: (_, { args }) => `Its terms name you as the judge. Accept by ${formatTime(args.consentEnd)}.`,
        deadline: (_, { args }) => Number(args.consentEnd),
      },
    ],
  },
  'arbitration.ArbitratorProposed': {
    messages: [
      {
        kind: 'arbitrator-proposed',
        urgency: 'action',
        to: (c, { args }) => other(c, args.party),
        title: (c) => `A judge was proposed for ${formatTaskName(c)}`,
        text: (c, { args }) =>
          `If you propose ${args.arbitrator} too, they can accept the case until ${formatTime(c.dispute?.consentEnd ?? 0)}. Otherwise the final court decides.`,
      },
      {
        kind: 'case-offered',
        urgency: 'action',
        to: ({ dispute }, { args }) =>
          dispute?.posterProposal === args.arbitrator && dispute.workerProposal === args.arbitrator
            ? [args.arbitrator]
            : [],
        title: (c) => `You can judge the dispute of ${formatTaskName(c)}`,
        text: (c) => `Both parties propose you. Accept by ${formatTime(c.dispute?.consentEnd ?? 0)}.`,
        deadline: ({ dispute }) => dispute?.consentEnd ?? 0,
      },
    ],
  },
  'arbitration.JudgeSeated': {
    messages: [
      {
        kind: 'seated-as-judge',
        urgency: 'urgent',
        to: (_, { args }) => [args.judge],
        title: (c) => `You are the judge of ${formatTaskName(c)}`,
        text: (c, { args }) =>
          `Rule after the evidence ends at ${formatTime(c.dispute?.evidenceEnd ?? 0)}, and by ${formatTime(args.rulingEnd)}. If you cannot open something, give the case back; a judge that stays silent loses a part of the bond.`,
        deadline: (_, { args }) => Number(args.rulingEnd),
      },
      {
        kind: 'judge-seated',
        urgency: 'info',
        to: parties,
        title: (c) => `A judge is seated for ${formatTaskName(c)}`,
        text: (_, { args }) => `${args.judge} rules by ${formatTime(args.rulingEnd)}.`,
      },
    ],
  },
  'arbitration.JudgeFreed': { silent: 'The event that frees the judge has the message.' },
  'arbitration.JudgeSteppedDown': {
    messages: [
      {
        kind: 'judge-stepped-down',
        urgency: 'action',
        to: parties,
        title: (c) => `The judge gave ${formatTaskName(c)} back`,
        text: ({ dispute }, { block }) =>
          dispute && block.timestamp <= dispute.consentEnd
            ? `Agree on another judge by ${formatTime(dispute.consentEnd)}. Otherwise the final court decides.`
            : 'The final court decides.',
      },
    ],
  },
  'arbitration.EvidenceSubmitted': {
    messages: [
      {
        kind: 'evidence-in',
        urgency: 'action',
        to: (c, { args }) => [...other(c, args.party), c.dispute?.judge ?? null],
        title: (c) => `New evidence in the dispute of ${formatTaskName(c)}`,
        text: (_, { args }) => `${args.party} gave evidence.`,
      },
    ],
  },
  'arbitration.Ruled': {
    messages: [
      {
        kind: 'ruled-against',
        urgency: 'action',
        to: (c) => [loser(c)],
        title: (c) => `The judge ruled against you: ${formatTaskName(c)}`,
        text: (_, { args }) => `You can appeal by ${formatTime(args.appealEnd)}.`,
        deadline: (_, { args }) => Number(args.appealEnd),
      },
      {
        kind: 'ruled-for',
        urgency: 'info',
        to: (c) => [winner(c)],
        title: (c) => `The judge ruled for you: ${formatTaskName(c)}`,
        text: (_, { args }) => `The other side can appeal by ${formatTime(args.appealEnd)}.`,
      },
    ],
  },
  'arbitration.Escalated': {
    messages: [
      {
        kind: 'appealed',
        urgency: 'action',
        to: (c, { args }) => other(c, args.appellant),
        title: (c) => `The ruling about ${formatTaskName(c)} was appealed`,
        text: () => 'The final court decides.',
      },
    ],
  },
  'arbitration.CourtCalled': {
    messages: [
      {
        kind: 'court-called',
        urgency: 'urgent',
        to: ({ finalCourt }) => [finalCourt],
        title: (c) => `The final court must decide ${formatTaskName(c)}`,
        text: (_, { args }) => `Decide by ${formatTime(args.courtEnd)}.`,
        deadline: (_, { args }) => Number(args.courtEnd),
      },
      {
        kind: 'with-court',
        urgency: 'info',
        to: parties,
        title: (c) => `${formatTaskName(c)} is with the final court`,
        text: (_, { args }) => `It decides by ${formatTime(args.courtEnd)}.`,
      },
    ],
  },
  'arbitration.Decided': {
    messages: [
      {
        kind: 'decided',
        urgency: 'info',
        to: parties,
        title: (c) => `The final court decided ${formatTaskName(c)}`,
        text: (_, { args }) => `It decided for the ${args.forWorker ? 'worker' : 'poster'}.`,
      },
    ],
  },
  'arbitration.CaseClosed': { silent: 'TaskResolved, DisputeConceded or TaskMutuallyCancelled has the message.' },

  'reputationRegistry.PaymentRecorded': { silent: ofRecords },
  'reputationRegistry.CompletionRecorded': { silent: ofRecords },
  'reputationRegistry.LeaveRecorded': { silent: ofRecords },
  'reputationRegistry.DismissalRecorded': { silent: ofRecords },
  'reputationRegistry.LapseRecorded': { silent: ofRecords },
  'reputationRegistry.DisputeRecorded': { silent: ofRecords },
}

/** Whether the poster had ended work of which nothing is in review. */
function isUnderNotice({ task }: RuleContext): boolean {
  return task.underNotice && task.reviewEnd === 0
}

/** Who can become the judge of a new dispute. */
function explainJudge({ dispute }: RuleContext): string {
  if (!dispute) return ''
  const until = formatTime(dispute.consentEnd)
  if (dispute.named) return `${dispute.named}, whom the terms name, can take the case until ${until}.`
  return dispute.posterProposal
    ? `The poster proposes ${dispute.posterProposal} as the judge; if the worker does not propose them too by ${until}, the final court decides.`
    : `If you do not agree on a judge by ${until}, the final court decides.`
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
