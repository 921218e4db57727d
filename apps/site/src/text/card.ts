import { amounts } from './amounts.ts'

const start = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
const people = (count: number) => (count === 1 ? '1 person wants' : `${count} people want`)

/** Text of the card that says where a task stands and what to do next. Names are those of people, or "the poster". */
export const cardText = {
  region: 'Next step',
  labels: { pays: 'Pays', earn: 'You earn', earned: 'You earned', pay: 'You pay', paid: 'You paid', stake: 'At stake' },
  afterFee: (amount: string) => `${amount} after the fee`,
  step: (at: number, of: number, name: string) => `Step ${at} of ${of}: ${name}`,
  next: (name: string) => `Next: ${name}`,
  moreLabel: 'More actions',
  names: { poster: 'the poster', worker: 'the worker', judge: 'the judge', you: 'you' },

  sentences: {
    stranger: (pay: string, isLocked: boolean) =>
      isLocked
        ? `Anyone can claim this. The ${pay} is already locked, so good work gets paid.`
        : `Anyone can claim this. The ${pay} is locked before the work starts.`,
    strangerApply: (poster: string, pay: string, isLocked: boolean) =>
      `People apply, and ${poster} chooses one. The ${pay} is ${isLocked ? 'already locked' : 'locked before the work starts'}.`,
    noMoney: (need: string, back: string) => `You need ${need} to start. ${start(back)} of it come back.`,
    open: (time: string) => `It’s yours if you want it. You’ll have ${time} from the start.`,
    notApplied: (poster: string) => `${start(poster)} chooses who does it. Say why you’d be good.`,
    applied: (poster: string) => `You applied. ${start(poster)} chooses next. We’ll tell you.`,
    chosen: (poster: string) => `${start(poster)} chose you. Accept and it’s yours.`,
    chosenNoMoney: (poster: string, need: string, back: string) =>
      `${start(poster)} chose you. You need ${need} to accept. ${start(back)} of it come back.`,
    notChosen: (poster: string) => `${start(poster)} chose someone else.`,
    waiting: (poster: string, time: string) =>
      `You have the task. ${start(poster)} starts it next, and your ${time} begin then.`,
    waitingLock: (poster: string, time: string) =>
      `You have the task. ${start(poster)} locks the rest of the pay and starts it, and your ${time} begin then.`,
    canStart: (poster: string, time: string) =>
      `${start(poster)} hasn’t started yet, so you can. Your ${time} begin when you do.`,
    working: (what: string) => `Your turn: deliver ${what}.`,
    workingPlain: 'Your turn: deliver the work.',
    notice: (poster: string) =>
      `${start(poster)} is ending this task. Deliver what you have and it is reviewed as usual, or close it free of charge.`,
    changes: (poster: string) => `${start(poster)} asked for a change. Read it on Work.`,
    inReview: (poster: string) => `Delivered. Now it’s ${poster}’s turn.`,
    inReviewUnread: (poster: string) =>
      `Delivered, but ${poster} can’t open it yet: they have never signed in here. Write to them.`,
    noReceipt:
      'Delivered, but the files aren’t stored yet. Send them again so that you’re paid even if nobody answers.',
    nextMilestone: (earned: string, what: string) => `You earned ${earned}. Next: ${what}.`,
    missed: 'The deadline has passed. The task can be closed without pay.',
    paid: (amount: string) => `You earned ${amount}, now in your wallet.`,
    evidence: (other: string, isOpener: boolean) =>
      isOpener
        ? 'You opened a dispute. Show the judge your side.'
        : `${start(other)} disputes this. Show the judge your side.`,
    withJudge: (judge: string) => `Both sides have spoken. ${start(judge)} decides next.`,
    judgeProposed: (other: string) => `${start(other)} proposed a judge. Agree, or the final court decides.`,
    waitingJudge: (judge: string) => `${start(judge)} has to accept the case.`,
    waitingConsent: (other: string) => `You proposed a judge. ${start(other)} has to agree.`,
    judgeGone: (judge: string) =>
      `${start(judge)} gave the case back. Agree on another judge, or the final court decides.`,
    noJudge: 'The final court decides this one.',
    findJudge: 'You can agree on a judge. Without one, the final court decides.',
    ruledAgainst: 'The ruling went against you. You can appeal once. The final court then decides for good.',
    ruledFor: 'The ruling is for you. It’s carried out unless the other side appeals.',
    posterNobody: 'Your task is live.',
    posterApplicants: (count: number) => `${people(count)} this. Choose one and the work can begin.`,
    posterClosed: 'Nobody claimed it in time. You can have your money back.',
    posterNotLocked: (worker: string, missing: string) =>
      `${start(worker)} has your task. Lock the ${missing} so the work can start.`,
    posterStart: (worker: string, time: string) => `${start(worker)} has your task. Start it so the ${time} can begin.`,
    posterWorking: (worker: string) =>
      `${start(worker)} is working. You’ll hear from us when there’s something to review.`,
    posterReview: (worker: string) => `${start(worker)} delivered. Is it what you asked for?`,
    posterOverdue: (worker: string) => `${start(worker)} missed the deadline. You can have your money back.`,
    posterPaid: (worker: string, isWhole: boolean) =>
      isWhole ? `Done. ${start(worker)} has been paid and your hold is back.` : `Done. ${start(worker)} has been paid.`,
    posterNotice: (worker: string) => `You ended this task. ${start(worker)} can still deliver.`,
    posterNoReceipt: (worker: string) =>
      `${start(worker)} delivered, but the files aren’t stored yet. Silence doesn’t pay for it.`,
    judgeAsked: 'Both sides can name you as judge. See what you can open before you accept.',
    judge: 'Read both sides, then pick one of their two numbers.',
    judgeReads: 'You’re the judge. Both sides can still send evidence.',
    judgeDone: 'You’re the judge. There is nothing to decide now.',
    court: 'The case is at the final court. Read both sides, then pick one of their two numbers.',
    running: 'Somebody is on this task.',
    cannotClaim: 'You can’t claim this now.',
    claimClosed: 'Claims have closed.',
    runningDispute: 'The two sides disagree. A judge or the final court decides.',
    ended: {
      CANCELLED: 'Cancelled. What was locked went back.',
      EXPIRED: 'Closed without a payment. What was locked went back.',
      RESOLVED: (paid: string, refunded: string) =>
        `Decided. ${paid} went to the worker, ${refunded} back to the poster.`,
      COMPLETED: (paid: string) => `Done. ${paid} was paid.`,
    },
  },

  /** Calls that anyone may make once a time is over, by action. */
  due: {
    'release-lapsed': {
      sentence: 'The review time is over. The payment can be released now.',
      button: 'Release the payment',
    },
    'expire-task': { sentence: 'The time is over. The task can be closed now.', button: 'Close the task' },
    'finalize-dispute': {
      sentence: 'Nobody appealed. The ruling can be carried out now.',
      button: 'Carry out the ruling',
    },
    'resolve-timed-out': {
      sentence: 'The final court didn’t decide in time. The dispute can be ended now.',
      button: 'End the dispute',
    },
    callCourt: {
      sentence: 'No judge decided in time. The final court can be called now.',
      button: 'Call the final court',
    },
  } as Readonly<Record<string, { sentence: string; button: string }>>,

  clocks: {
    open: (span: string) => `Open for ${span} more`,
    claimBy: (at: string) => `Claim it by ${at}`,
    applications: (span: string) => `Applications close in ${span}`,
    nobodyTakes: (at: string, pay: string) => `Until ${at}. If nobody takes it, your ${pay} comes back.`,
    choose: (poster: string) => `${start(poster)} can choose until then`,
    accept: (span: string) => `${span} to accept`,
    acceptNote: (at: string, poster: string) => `Until ${at}. After that ${poster} can choose someone else.`,
    leftToChoose: (span: string) => `${span} left to choose`,
    starts: (poster: string, span: string) => `${start(poster)} has ${span} to start`,
    startYourself: (at: string) => `From ${at} you can start it yourself.`,
    locks: (poster: string, span: string) => `${start(poster)} has ${span} to lock the rest`,
    startLeft: (span: string) => `${span} left to start`,
    afterStart: (at: string) => `Until ${at}. After that the claim ends.`,
    workerStarts: (at: string, worker: string) => `From ${at} ${worker} can start without you.`,
    left: (span: string) => `${span} left`,
    deliver: (at: string) =>
      `Deliver by ${at}. If you miss it, you aren’t paid, and you lose your hold and ${amounts.lapse} of your deposit.`,
    deliverNotice: (at: string) => `Until ${at}.`,
    leftToDeliver: (span: string) => `${span} left to deliver`,
    paidBy: (at: string) => `Paid by ${at} at the latest`,
    paidNote: (poster: string) => `If ${poster} says nothing, you’re paid automatically.`,
    notPaidNote: (poster: string) => `If ${poster} says nothing, you aren’t paid: the files aren’t stored yet.`,
    due: (span: string) => `Due in ${span}`,
    dueNote: (at: string, pay: string) => `By ${at}. If nothing arrives, your ${pay} comes back.`,
    noticeNote: (pay: string) => `If nothing arrives, your ${pay} comes back, without your hold.`,
    until: (at: string) => `Until ${at}`,
    reviewNote: (at: string, worker: string) => `If you don’t answer by ${at}, ${worker} is paid automatically.`,
    lockBy: (at: string) => `Until ${at}. If you don’t, the task ends and you lose your hold and ${amounts.lapse}.`,
    evidence: (at: string) => `Send evidence by ${at}. After that the case is decided without it.`,
    decidedBy: (at: string) => `Decided by ${at}`,
    afterCourt: 'After that the final court decides.',
    appeal: (span: string) => `${span} to appeal`,
    appealNote: (at: string) => `Until ${at}. After that the ruling is carried out.`,
    judgeAccept: (span: string) => `${span} to accept`,
    judgeAcceptNote: (at: string) => `Until ${at}. After that the final court decides.`,
    decide: (span: string) => `${span} to decide`,
    decideNote: (at: string) => `By ${at}. If you stay silent, you lose ${amounts.silentJudge}.`,
    evidenceEnds: (span: string) => `Evidence closes in ${span}`,
    courtNote: (at: string) => `By ${at}.`,
  },

  buttons: {
    claim: 'Claim this task',
    claimNow: (now: string | null) => (now === null ? 'Claim this task' : `Claim this task · ${now} now`),
    apply: 'Apply',
    accept: (now: string | null) => (now === null ? 'Accept' : `Accept · ${now} now`),
    addMoney: (missing: string) => `Add ${missing} and claim`,
    addAndAccept: (missing: string) => `Add ${missing} and accept`,
    addAmount: (amount: string) => `Add ${amount}`,
    findSimilar: 'Find similar tasks',
    findNext: 'Find the next one',
    sell: 'Turn into USDC',
    startNow: 'Start now',
    deliver: 'Deliver your work',
    deliverVersion: (version: number) => `Deliver version ${version}`,
    deliverMilestone: (number: number) => `Deliver milestone ${number}`,
    sendAgain: 'Send the files again',
    sendEvidence: 'Send evidence',
    agreeJudge: 'Agree to the judge',
    proposeJudge: 'Propose a judge',
    appeal: `Appeal · ${amounts.appeal}`,
    invite: 'Invite someone',
    review: (count: number) => (count === 1 ? 'Review 1 applicant' : `Review ${count} applicants`),
    lock: (amount: string) => `Lock ${amount} and start`,
    start: 'Start the work',
    approve: (amount: string) => `Approve and pay ${amount}`,
    requestChanges: 'Request changes',
    dispute: 'Dispute',
    moneyBack: 'Get the money back',
    close: 'Close it',
    postAnother: 'Post another like this',
    acceptCase: 'Accept the case',
    seeFirst: 'See what you can open',
    rule: 'Read and rule',
    stepDown: 'Step down',
    decide: 'Read and decide',
    ask: 'Ask a question',
    message: (name: string) => `Message ${name}`,
    editApplication: 'See your application',
    noThanks: 'No, thanks',
    settle: 'Offer a settlement',
    share: 'Share',
    read: 'Read the dispute',
  },
  signIn: { claim: 'Sign in to claim this task', apply: 'Sign in to apply' },
  addMoneyNote: `You keep all but the fee and what the network takes. The receipt opens when it’s there.`,
  needs: {
    fee: ['Fee', 'Spent. This is all the market charges.'],
    hold: ['Hold', 'Back when the task ends well.'],
    deposit: ['Deposit', 'Yours. Take it out when nothing is running.'],
  },
  changesLeft: (count: number) => (count === 1 ? '1 change request left' : `${count} change requests left`),
  costs: (fee: string, hold: string) => `${fee} fee, and a ${hold} hold that comes back when the task ends well.`,
  creditCosts: (hold: string) => `One Action Credit pays the fee. A ${hold} hold comes back when the task ends well.`,
} as const
