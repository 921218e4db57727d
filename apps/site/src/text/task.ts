import type { DisputeEnding, MilestoneState, TaskPhase } from '@svc/protocol'

const plural = (count: number, one: string, many: string) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** Text of the page of a task. */
export const taskText = {
  titleOf: (id: string) => `Task ${id}`,
  posted: 'Posted',
  share: 'Share',
  linkCopied: 'Link copied',
  asOf: (block: number, age: string) => `As of block ${block.toLocaleString('en')}, ${age}`,
  secondsAgo: (seconds: number) => `${seconds} s ago`,
  milestoneNumber: (index: number) => `Milestone ${index + 1}`,

  notFound: {
    title: 'Task not found',
    says: (id: string) => `Nobody has posted ${id} yet, or the link is mistyped.`,
    explore: 'Explore tasks',
  },

  tabs: { brief: 'Brief', work: 'Work', talk: 'Talk', activity: 'Activity', dispute: 'Dispute' },

  steps: {
    open: 'Open',
    claimed: 'Claimed',
    agreed: 'Agreed',
    working: 'In progress',
    review: 'In review',
    paid: 'Paid',
    dispute: 'Dispute',
    resolved: 'Resolved',
    closed: 'Claims closed',
    overdue: 'Overdue',
    cancelled: 'Cancelled',
    expired: 'Expired',
  },

  /** Who a sentence is about. */
  party: {
    you: 'you',
    poster: 'the poster',
    worker: 'the worker',
    judge: 'the judge',
  },

  left: (time: string) => `${time} left`,
  clocks: {
    claim: (at: string) => `It can be claimed until ${at}.`,
    claimOwn: (at: string) =>
      `Workers can claim it until ${at}. If nobody does, you can close it and get your money back.`,
    claimClosed: 'Claims have closed. Closing the task sends the budget back to the poster.',
    funding: (at: string) =>
      `If the poster has not funded the rest by ${at}, the claim ends and the poster pays for it. The worker gets everything back.`,
    fundingOwn: (at: string) =>
      `Fund the rest and start by ${at}. If you don't, the task ends and you lose your exit deposit and 8 USDC.`,
    fundingOver: 'The time to fund it is over. Anyone can close the claim now.',
    start: (at: string) => `If nobody starts the work by ${at}, the claim ends.`,
    vet: (vet: string, at: string) =>
      `Only the poster can start until ${vet}, then the worker can too. If nobody starts by ${at}, the claim ends.`,
    startOver: 'The time to start is over. Anyone can close the claim now.',
    working: (milestone: number, at: string) =>
      `Milestone ${milestone} is due by ${at}. After that the task can be closed, and what is in escrow goes back to the poster.`,
    workingOwn: (milestone: number, at: string) =>
      `Deliver milestone ${milestone} by ${at}. After that the task can be closed: you are not paid, and you lose your exit deposit and 8 USDC.`,
    overdue: 'The deadline has passed. Anyone can close the task now, and what is in escrow goes back to the poster.',
    overdueOwn: 'The deadline has passed. The task can be closed now, and what is in escrow goes back to the poster.',
    review: (who: string, at: string, worker: string) =>
      `If ${who === 'you' ? "you don't" : `${who} doesn't`} respond by ${at}, ${worker === 'you' ? 'you are' : `${worker} is`} paid automatically.`,
    reviewNoReceipt: (who: string, at: string) =>
      `If ${who === 'you' ? "you don't" : `${who} doesn't`} respond by ${at}, nothing is paid yet: the store has not signed for this delivery.`,
    lapsed: (worker: string) =>
      `The time to review is over. ${worker === 'you' ? 'You can' : 'The worker can'} be paid now: anyone can release the payment.`,
    receiptMissing: (worker: string, at: string) =>
      `${worker === 'you' ? 'You have' : 'The worker has'} until ${at} to add the store's receipt, open a dispute or leave. After that the task can be closed without pay.`,
    receiptOver:
      'No receipt came in time. Anyone can close the task now, and what is in escrow goes back to the poster.',
    evidenceOwn: (at: string) =>
      `Give evidence and name your share by ${at}. After that, the case is decided without it.`,
    consent: (at: string) => `Both sides can agree on a judge until ${at}. After that, one is drawn.`,
    seat: (at: string) => `A judge can be drawn until ${at}. If nobody sits by then, the final court decides.`,
    seatOver: 'No judge was seated in time. Anyone can call the final court now.',
    ruling: (judge: string, at: string) =>
      `${judge === 'you' ? 'Rule' : 'The judge rules'} by ${at}. If ${judge === 'you' ? 'you stay silent, you lose' : 'the judge stays silent, it loses'} a part of ${judge === 'you' ? 'your' : 'its'} bond, and the final court decides.`,
    rulingOver: 'The judge stayed silent. Anyone can call the final court now.',
    appeal: (loser: string, at: string) =>
      `${loser === 'you' ? 'You' : `T${loser.slice(1)}`} can appeal until ${at}. After that the ruling is carried out.`,
    appealOver: 'Nobody appealed. Anyone can carry out the ruling now.',
    court: (at: string, isRuled: boolean) =>
      `The final court decides by ${at}. If it stays silent, ${isRuled ? "the judge's ruling stands" : 'the side that did not open the dispute wins'}.`,
    courtOver: 'The final court stayed silent. Anyone can end the dispute now.',
  },

  ends: {
    completed: (paid: string) => `Completed. ${paid} paid to the worker.`,
    cancelled: (refunded: string) => `Cancelled. ${refunded} went back to the poster.`,
    expired: (refunded: string) => `Expired. ${refunded} went back to the poster.`,
    resolved: (paid: string, refunded: string) =>
      `Resolved. ${paid} went to the worker, ${refunded} back to the poster.`,
    alsoPaid: (paid: string) => `${paid} had been paid to the worker.`,
  },

  /** Labels of buttons: a verb, and the amount it moves. */
  buttons: {
    approve: (amount: string) => `Approve and pay ${amount}`,
    approveEarly: (amount: string) => `Pay milestone early, ${amount}`,
    giveIn: (amount: string) => `Give in and pay ${amount}`,
    approveAll: (amount: string) => `Approve all and pay ${amount}`,
    claim: (amount: string) => `Claim for ${amount} net`,
    apply: 'Apply for this task',
    fund: (amount: string) => `Fund ${amount}`,
    deliver: (milestone: number) => `Deliver milestone ${milestone}`,
    deliverAgain: (milestone: number) => `Deliver milestone ${milestone} with receipt`,
    release: (amount: string) => `Release ${amount}`,
    acceptCase: 'Accept the case',
    proposeJudge: 'Propose a judge',
    appeal: 'Appeal for 10 USDC',
    topUp: (amount: string) => `Top up ${amount}`,
    topUpAndClaim: (amount: string) => `Top up ${amount} and claim`,
    moreLabel: 'More actions',
    close: 'Close',
  },

  costs: {
    none: 'Costs the network fee only.',
    lines: {
      'Access fee': 'access fee',
      'From your wallet': 'from your wallet',
      'Exit deposit from your wallet, returned when the task ends well': 'exit deposit, back when the task ends well',
      'Stake from your wallet, part of it lost if the ruling goes against you': 'stake, at risk if you lose',
      'Lost of what you locked, at most': 'of what you locked is lost, at most',
      'Reserved from your deposit during the task, at most': 'of your deposit reserved, at most',
      'Penalty from your deposit, at most': 'penalty from your deposit, at most',
    } as Readonly<Record<string, string>>,
    needsPermit: 'You need a permit that the poster signed for your wallet. Ask the poster for it first.',
    applyFirst: 'The poster chooses who may claim this task. If it is you, you claim it with their permit.',
    feeEatsPay: 'The access fee is as high as the pay. Claim it only if that is worth it to you.',
    revisionsLeft: (count: number) => `${plural(count, 'change request', 'change requests')} left`,
    disputeLocks: (amount: string) => `a dispute locks ${amount} until it is decided`,
  },

  blocked: {
    nothing: 'Nothing for you to do here now.',
    connect: 'Connect a wallet to see what you can do here.',
    connectToClaim: 'Connect a wallet to claim this task.',
    title: (verb: string) => `${verb}: not possible yet`,
    short: (have: string, missing: string) => `There are ${have} now, so ${missing} are missing.`,
    wait: (time: string) => `Possible ${time}.`,
    waitsFor: { poster: 'The poster has to act first.', worker: 'The worker has to act first.' },
    paused: 'New tasks and claims are paused in this market, or have ended for good. Running tasks go on as agreed.',
    rules: {
      "USD 25 of the worker's deposit are free": 'Your deposit must have 25 USDC free.',
      'the worker can pay 1,000 TOK or a credit, and lock 1,000 TOK':
        'Claiming takes a fee of 1,000 TOK (or one Action Credit) and locks 1,000 TOK as your exit deposit.',
      'the terms let anyone claim, or the poster signed a permit':
        'Only wallets with a permit from the poster can claim it. Ask the poster for one.',
      'the task is fully funded': 'The task must be fully funded first.',
      'the poster can put up a tenth of the milestone in TOK':
        'Opening a dispute takes a tenth of the milestone in TOK as your stake.',
      'the poster has the amount': 'Your wallet does not have this much TOK.',
      'the milestone is delivered': 'The current milestone has not been delivered yet.',
      'the terms allow one more revision': 'All change requests that the terms allow are used up.',
      'at most the evidence window': 'The time for evidence is over.',
      "USD 25 of the poster's deposit are free": "The poster's deposit must have 25 USDC free.",
      'the poster has USD 8 deposited': "The poster's deposit is below 8 USDC.",
      'worker and poster differ': 'Posters cannot claim their own task.',
      'at most the claim cut-off': 'Claims have closed.',
      'past the claim cut-off': 'Only if nobody has claimed it by the end.',
      'at most the funding window after the claim': 'The time for this after the claim is over.',
      'past the funding window after the claim': 'Only if the work has not started in time.',
      'the poster, or the worker past the vet window': 'For a while after the claim, only the poster can start.',
      "past the milestone's deadline": 'Only if the deadline passes without a delivery.',
      "at most the milestone's deadline": 'The deadline has passed.',
      'past the review window': 'Only if the poster does not respond in time.',
      'at most the review window': 'The time to review is over.',
      'past one more review window after the review': "Only if the store's receipt does not come in time.",
      'past the consent window': 'Only if the two sides do not agree on a judge in time.',
      'past the evidence window': 'Only if no judge is seated in time.',
      'past the ruling window': 'Only if the judge does not rule in time.',
      'past the appeal window': 'Only if nobody appeals in time.',
      "past the final court's window": 'Only if the final court does not decide in time.',
      'both parties spoke, a judge ruled, or past the evidence window':
        'The judge rules once both sides have spoken, or when the time for evidence is over.',
      "the loser's free deposit covers the appeal fee of USD 10": 'An appeal takes 10 USDC of your free deposit.',
      'enough of the bond is unlocked: five quarters of the milestone, at least 2,000 TOK':
        'Judging it locks five quarters of the milestone, at least 2,000 TOK, of your bond.',
    } as Readonly<Record<string, string>>,
  },

  result: {
    paid: (amount: string, to: string) => `Paid. ${amount} are in ${to}.`,
    done: (says: string) => `Done. You ${says}.`,
    other: (says: string) => `${says}.`,
  },

  money: {
    title: 'Money',
    budget: 'Budget',
    net: 'Net for the worker',
    netHelp: 'After the access fee of 1,000 TOK. An Action Credit can pay the fee instead.',
    escrow: 'In escrow',
    paid: 'Paid',
    refunded: 'Refunded',
    milestone: 'This milestone',
    notFunded: (missing: string) => `${missing} of the budget is not in escrow yet.`,
  },

  people: {
    title: 'People',
    poster: 'Poster',
    worker: 'Worker',
    judge: 'Judge',
    named: 'Judge if there is a dispute',
    nobody: 'Nobody yet',
    workingForYou: 'works for you',
    youWorkFor: 'you work for them',
    postedBy: 'posted this',
  },

  brief: {
    title: 'What is to be done',
    unchecked: "These are the poster's words. Nobody has checked them.",
    privateTitle: 'Only the parties know the text',
    private:
      'The poster and the worker agreed on it between themselves. The chain holds only its hash, so that either can prove what was agreed.',
    milestones: 'Milestones',
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
    postedFunded: (amount: string) => `posted the task, ${amount} in escrow`,
    created: 'agreed on this private task with the worker',
    funded: (amount: string) => `funded the task, ${amount} in escrow`,
    claimed: 'claimed the task',
    started: 'started the work',
    removed: (worker: string) => `removed the worker ${worker}`,
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
    drawing: 'A judge is being drawn',
    seated: 'took the case as the judge',
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
    reasons: 'Why it was decided so',
    evidence: 'Evidence',
    sides: { poster: 'The poster says', worker: 'The worker says' },
    ownSide: { poster: 'You say, as the poster', worker: 'You say, as the worker' },
    delivered: 'What was delivered',
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
      consent: 'After that, a judge is drawn by bond.',
      evidence: 'Without a judge by then, the final court decides.',
      ruling: 'A silent judge loses a part of its bond, and the final court decides.',
      appeal: 'After that, the ruling is carried out.',
      court:
        "If it stays silent, the judge's ruling stands, or without one the side that did not open the dispute wins.",
    },
    over: 'over',
    payTitle: 'What a ruling pays',
    ifWorker: "The worker's share holds",
    ifPoster: "The poster's share holds",
    toWorker: 'to the worker',
    toPoster: 'back to the poster',
    toJudge: 'to whoever rules',
    loserPays: 'The losing side also pays 8 USDC from its reserve: 5 to whoever rules, 3 to the winner.',
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
    WORKING: 'Work in progress',
    IN_REVIEW: 'Delivered, in review',
    REVIEW_LAPSED: 'Review over, payment due',
    RECEIPT_MISSING: 'Delivered without a receipt',
    OVERDUE: 'Overdue',
    IN_DISPUTE: 'In dispute',
    SETTLED: 'Ended',
  } as Readonly<Record<TaskPhase, string>>,
} as const
