import type { DisputeEnding, MilestoneState, TaskPhase } from '@svc/protocol'
import { amounts } from './amounts.ts'

const plural = (count: number, one: string, many: string) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** Text of the page of a task. */
export const taskText = {
  formatTitle: (id: string) => `Task ${id.split(':').at(-1)}`,
  posted: 'Posted',
  share: 'Share',
  linkCopied: 'Link copied',
  applyFirst: 'Apply first',
  asOf: (block: number, age: string) => `As of block ${block.toLocaleString('en')}, ${age}`,
  secondsAgo: (seconds: number) => `${seconds} s ago`,
  milestoneNumber: (index: number) => `Milestone ${index + 1}`,

  notFound: {
    title: 'Task not found',
    description: 'Nobody has posted it yet, or the link is mistyped.',
    explore: 'Explore tasks',
  },

  tabs: { brief: 'Brief', work: 'Work', talk: 'Talk', activity: 'Activity', dispute: 'Dispute' },

  steps: {
    open: 'Open',
    claimed: 'Starting',
    agreed: 'Starting',
    working: 'Working',
    review: 'In review',
    paid: 'Paid',
    dispute: 'Dispute',
    resolved: 'Decided',
    closed: 'Claims closed',
    lapsed: 'Claim lapsed',
    overdue: 'Overdue',
    cancelled: 'Cancelled',
    expired: 'Expired',
  },

  /** Labels of buttons: a verb, and the amount it moves. */
  buttons: {
    approve: (amount: string) => `Approve and pay ${amount}`,
    approveEarly: (amount: string) => `Pay milestone early, ${amount}`,
    giveIn: (amount: string) => `Give in and pay ${amount}`,
    approveAll: (amount: string) => `Approve all and pay ${amount}`,
    claim: (amount: string) => `Claim, ${amount} after the fee`,
    fund: (amount: string) => `Lock ${amount}`,
    deliver: (milestone: number) => `Deliver milestone ${milestone}`,
    deliverAgain: (milestone: number) => `Deliver milestone ${milestone} with receipt`,
    release: (amount: string) => `Release ${amount}`,
    acceptCase: 'Accept the case',
    proposeJudge: 'Propose a judge',
    agreeJudge: 'Agree to the judge',
    endWork: 'End the work',
    closeNotice: 'Close the task',
    appeal: `Appeal for ${amounts.appeal}`,
    topUp: (amount: string) => `Put ${amount} into the deposit`,
    topUpAndClaim: (amount: string) => `Add ${amount} and claim`,
    close: 'Close',
  },

  blocked: {
    nothing: 'Nothing for you to do here now.',
    title: (verb: string) => `${verb}: not possible yet`,
    short: (have: string, missing: string) => `There are ${have} now, so ${missing} are missing.`,
    wait: (time: string) => `Possible ${time}.`,
    waitsFor: { poster: 'The poster has to act first.', worker: 'The worker has to act first.' },
    paused: 'New tasks and claims are paused in this market, or have ended for good. Running tasks go on as agreed.',
    rules: {
      "USD 25 of the worker's deposit are free": `Your deposit must have ${amounts.entryDeposit} free.`,
      'the worker can pay 1,000 TOK or a credit, and lock 1,000 TOK': `Claiming takes a fee of ${amounts.fee} (or one Action Credit) and locks ${amounts.exitDeposit} as your hold.`,
      'the terms let anyone claim, or the poster signed a permit or allowed the worker':
        'Only a wallet that the poster chose can claim it. Ask the poster.',
      'a claim needs a permit': 'Anyone can claim this task, so there is nobody to choose.',
      'the poster has not ended the work': 'The poster has ended the work.',
      'nothing is in review': 'Something is in review. Answer it first.',
      "the poster's free deposit covers what its USD 13 reserve lacks": `Opening a dispute sets ${amounts.reserve} of your deposit aside for this task. A part of it is missing.`,
      'the task is fully funded': 'All of the pay must be locked first.',
      'the poster can put up a tenth of the milestone in TOK':
        'Opening a dispute takes a tenth of the milestone in TOK as your stake.',
      'the poster has the amount': 'Your wallet does not have this much TOK.',
      'the milestone is delivered': 'The current milestone has not been delivered yet.',
      'the terms allow one more revision': 'All change requests that the terms allow are used up.',
      'at most the evidence window': 'The time for evidence is over.',
      "USD 25 of the poster's deposit are free": `The poster's deposit must have ${amounts.entryDeposit} free.`,
      'the poster has USD 8 deposited': `The poster's deposit is below ${amounts.pauseThreshold}.`,
      'worker and poster differ': 'Posters cannot claim their own task.',
      'at most the claim cut-off': 'Claims have closed.',
      'past the claim cut-off': 'Only if nobody has claimed it by the end.',
      'at most the funding window after the claim': 'The time for this after the claim is over.',
      'past the funding window after the claim': 'Only if the work has not started in time.',
      'the poster, or the worker past the vet window': 'For a while after the claim, only the poster can start.',
      "past the milestone's deadline": 'Only if the deadline passes without a delivery.',
      "at most the milestone's deadline": 'The deadline has passed.',
      'the worker, or past the end of the notice': 'Only if the worker does not deliver in time.',
      'past the review window': 'Only if the poster does not respond in time.',
      'at most the review window': 'The time to review is over.',
      'past the notice time after the review': "Only if the store's receipt does not come in time.",
      'past the consent window': 'Only if the two sides do not agree on a judge in time.',
      'at most the consent window': 'The time to agree on a judge is over.',
      'past the evidence window': 'Only when the time for evidence is over.',
      'both parties spoke': 'A judge rules only if both sides have given evidence. Otherwise the final court decides.',
      'at most the notice time after the review': "The time to bring the store's receipt is over.",
      'past the ruling window': 'Only if the judge does not rule in time.',
      'past the appeal window': 'Only if nobody appeals in time.',
      "past the final court's window": 'Only if the final court does not decide in time.',
      "the loser's free deposit covers the appeal fee of USD 8": `An appeal takes ${amounts.appeal} of your free deposit.`,
      'enough of the bond is unlocked: five quarters of the milestone, at least 2,000 TOK':
        'Judging it locks five quarters of the milestone, at least 2,000 TOK, of your bond.',
    } as Readonly<Record<string, string>>,
  },

  result: {
    paid: (amount: string, to: string) => `Paid. ${amount} are in ${to}.`,
    done: (summary: string) => `Done. You ${summary}.`,
    other: (summary: string) => `${summary}.`,
  },

  money: {
    title: (total: string) => `Where the ${total} is`,
    locked: 'Locked in the contract',
    paid: 'Paid so far',
    refunded: 'Back to the poster',
    proof: 'Proof on chain',
    milestone: 'This milestone',
    notFunded: (missing: string) => `${missing} is not locked yet.`,
  },

  judge: {
    title: 'If you disagree',
    named: 'judges, if both sides and the judge agree. Otherwise the final court.',
    none: 'You both name a judge, or the final court decides.',
  },

  people: {
    poster: 'Poster',
    worker: 'Worker',
    judge: 'Judge',
    named: 'Judge in a dispute, if both agree',
    nobody: 'Nobody yet',
    workingForYou: 'Works for you',
  },

  brief: {
    title: 'What is to be done',
    unchecked: "These are the poster's words. Nobody has checked them.",
    privateTitle: 'Only the parties know the text',
    private:
      'The poster and the worker agreed on it between themselves. The chain holds only its hash, so that either can prove what was agreed.',
    milestones: 'Pay',
    time: (duration: string) => `${duration} to deliver`,
    review: (duration: string) => `The poster has ${duration} to review each delivery.`,
    revisions: (count: number) =>
      count === 0
        ? 'No change requests.'
        : `Up to ${plural(count, 'change request', 'change requests')} per milestone.`,
  },
  milestoneStates: {
    OPEN: 'To do',
    DELIVERED: 'In review',
    PAID: 'Paid',
    REFUNDED: 'Refunded',
    SPLIT: 'Split',
  } as Readonly<Record<MilestoneState, string>>,
  milestoneNow: 'In progress',

  work: {
    none: 'Nothing has been delivered yet.',
    title: (milestone: number, version: number) =>
      version === 1 ? `Milestone ${milestone}` : `Milestone ${milestone}, version ${version}`,
    delivered: 'Delivered',
    copyHash: 'Copy the hash',
    requestTitle: (version: number) => `What the poster asked to change in version ${version}`,
    receipt: (size: string, until: string) => `The store holds ${size} and serves them until ${until}.`,
    noReceipt: 'No receipt from the store yet. Silence does not pay.',
    deliveryUnread:
      'Your delivery counts, but the poster cannot open it yet: they have never signed in here. Write to them. Your files are shared as soon as they sign in and you visit this page.',
    requestUnread:
      'The worker cannot open what you wrote yet: they have never signed in here. It is shared as soon as they sign in and you visit this page.',
    openFirst: 'Sign in to open this delivery.',
    cannotOpen:
      'You cannot open this delivery on this device yet. If you had not signed in when it was sent, it is shared with you as soon as the worker visits this page. Ask them in Talk.',
    wayOut: (until: string, canRequest: boolean) =>
      canRequest
        ? `If it does not open, request changes or open a dispute by ${until}. After that, silence pays for it.`
        : `If it does not open, open a dispute by ${until}. After that, silence pays for it.`,
    checkedHere:
      'The chain holds a hash of each delivery, so nobody can change it afterwards. Everything shown here was compared with it.',
    state: {
      review: 'In review',
      yours: 'Needs your review',
      changes: 'Changes requested',
      paid: 'Paid',
      disputed: 'In dispute',
      replaced: 'Delivered again',
      ended: 'Ended',
    },
  },

  activity: {
    contractEvents: 'Show contract events',
    transaction: 'Transaction',
    posted: 'posted the task',
    postedFunded: (amount: string) => `posted the task, ${amount} locked`,
    created: 'agreed on this private task with the worker',
    funded: (amount: string) => `locked ${amount}`,
    claimed: 'claimed the task',
    started: 'started the work',
    removed: (worker: string) => `removed the worker ${worker}`,
    noticeGiven: 'ended the work; the worker may still deliver what is there',
    allowed: (worker: string) => `chose ${worker}, who may claim the task`,
    allowedNobody: 'took back the choice of a worker',
    left: 'left the task',
    delivered: (milestone: number, version: number) =>
      version === 1 ? `delivered milestone ${milestone}` : `delivered version ${version} of milestone ${milestone}`,
    receipted: (milestone: number) => `signed for the delivery of milestone ${milestone}`,
    revision: (milestone: number) => `asked for changes to milestone ${milestone}`,
    approved: (milestone: number, amount: string) => `approved milestone ${milestone}, ${amount} paid`,
    conceded: (milestone: number, amount: string) => `gave in and approved milestone ${milestone}, ${amount} paid`,
    lapsed: (milestone: number, amount: string) =>
      `The review time ran out: milestone ${milestone} was paid, ${amount}`,
    completedAll: (amount: string) => `approved everything, ${amount} paid`,
    cancelled: (amount: string) => `cancelled the task, ${amount} refunded`,
    expired: 'The task expired',
    reopened: 'The claim lapsed, and the task is open again',
    agreedEnd: (share: string, amount: string) => `Both sides ended the task: ${share} to the worker, ${amount}`,
    disputed: (milestone: number) => `opened a dispute about milestone ${milestone}`,
    disputedShare: (milestone: number, share: string, isPoster: boolean) =>
      `opened a dispute about milestone ${milestone}, ${isPoster ? 'offering the worker' : 'asking for'} ${share}`,
    proposed: (judge: string) => `proposed ${judge} as the judge`,
    seated: 'took the case as the judge',
    steppedDown: 'gave the case back',
    evidence: (share: string, isPoster: boolean) =>
      `gave evidence and ${isPoster ? 'offers the worker' : 'asks for'} ${share}`,
    ruled: (forWorker: boolean) => `ruled for the ${forWorker ? 'worker' : 'poster'}`,
    appealed: 'appealed to the final court',
    courtCalled: 'The final court was called',
    decided: (forWorker: boolean) => `The final court decided for the ${forWorker ? 'worker' : 'poster'}`,
    resolved: (share: string, amount: string) => `The dispute ended: ${share} to the worker, ${amount}`,
    andResolved: (amount: string) => `; the worker got ${amount}`,
    other: (name: string) => name,
  },

  dispute: {
    about: (milestone: number) => `About milestone ${milestone}`,
    opened: 'opened it',
    scale: "The worker's share of the milestone",
    offer: (share: string) => `Poster offers ${share}`,
    ask: (share: string) => `Worker asks for ${share}`,
    met: (share: string) => `Both name ${share}`,
    gap: (amount: string) => `A ruling decides about the gap: ${amount}.`,
    signInToOpen: 'Sign in to see how much of this case you can open.',
    canOpen: (readable: number, all: number) =>
      readable === all
        ? `You can open all ${all} pieces of this case.`
        : `You can open ${readable} of ${all} pieces of this case. What is missing is shared when a party visits this page. If it stays closed, don’t accept, or step down: it’s free.`,
    reasons: 'Why it was decided so',
    sides: { poster: 'The poster says', worker: 'The worker says' },
    ownSide: { poster: 'You say, as the poster', worker: 'You say, as the worker' },
    delivered: 'What was delivered',
    nothingDelivered: 'Nothing was delivered.',
    brief: 'What the brief says',
    judgeTitle: 'Who judges',
    noJudge: 'No judge yet',
    named: 'Named in the terms',
    proposal: { poster: 'The poster proposes', worker: 'The worker proposes' },
    spoke: { poster: 'The poster has given evidence', worker: 'The worker has given evidence' },
    silent: { poster: 'The poster has not given evidence yet', worker: 'The worker has not given evidence yet' },
    ruledFor: (party: string) => `Ruled for the ${party}`,
    appealed: 'The loser took the ruling to the final court.',
    court: 'The final court decides.',
    clocksTitle: 'What happens when',
    clocks: {
      consent: 'Both sides agree on a judge',
      evidence: 'Evidence closes',
      ruling: 'The judge rules',
      appeal: 'The loser can appeal',
      court: 'The final court decides',
    },
    after: {
      consent: 'Without a judge who accepts by then, the final court decides.',
      evidence: 'Nobody rules before. If one side stays silent, only the final court can.',
      ruling: `A silent judge loses ${amounts.silentJudge}, and the final court decides.`,
      appeal: 'After that, the ruling is carried out.',
      court:
        "If it stays silent, the judge's ruling stands, or without one the side that did not open the dispute wins.",
    },
    over: 'over',
    payTitle: 'What a ruling pays',
    whoGets: 'Who gets what',
    ifWorker: "The worker's share holds",
    ifPoster: "The poster's share holds",
    toWorker: 'to the worker',
    toPoster: 'back to the poster',
    toCourt: 'to the final court, if it decides',
    loserPays: `The losing side also pays ${amounts.reserve} that is set aside from its deposit: ${amounts.rulingFee} to whoever rules, ${amounts.toWinner} to the winner. It loses its hold, too.`,
    endings: {
      NONE: '',
      RULED: "Ended by the judge's ruling.",
      DECIDED: 'Ended by the final court.',
      TIMED_OUT: 'Ended by time: nobody ruled.',
      SETTLED: 'Ended by agreement.',
      CONCEDED: 'Ended because one side gave in.',
      CANCELLED: 'Ended because both sides cancelled the task.',
    } as Readonly<Record<DisputeEnding, string>>,
    outcome: (share: string) => `${share} of the milestone went to the worker.`,
  },

  /** What a task waits for, in a few words. */
  phases: {
    OPEN_FOR_CLAIM: 'Open for a worker',
    CLAIM_CLOSED: 'Claims closed',
    AWAITING_FUNDS: 'Waiting for the rest of the budget',
    READY_TO_START: 'Funded, ready to start',
    CLAIM_LAPSED: 'Not started in time',
    WORKING: 'Work in progress',
    UNDER_NOTICE: 'Ended by the poster, what is there can be delivered',
    IN_REVIEW: 'Delivered, in review',
    REVIEW_LAPSED: 'Review over, payment due',
    RECEIPT_MISSING: 'Delivered without a receipt',
    OVERDUE: 'Overdue',
    IN_DISPUTE: 'In dispute',
    SETTLED: 'Ended',
  } as Readonly<Record<TaskPhase, string>>,
} as const
