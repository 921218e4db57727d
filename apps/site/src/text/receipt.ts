import { amounts } from './amounts.ts'

const start = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)

/** Text of receipts: three lines, one sentence, one button, and what follows. Names are those of people, or "the poster". */
export const receiptText = {
  region: 'What you sign',
  now: 'Leaves your wallet now',
  nowDeposit: 'Leaves your deposit now',
  back: 'Comes back',
  you: 'You get',
  other: (name: string) => `${start(name)} gets`,
  upTo: (amount: string) => `up to ${amount}`,
  and: ' and ',
  nothing: 'Nothing but the network fee',
  credit: '1 Action Credit pays the fee',
  onlyUsdc: (paid: string, held: string | null) =>
    held === null ? `${paid}, and nothing else.` : `${paid}, and nothing else. You have ${held}.`,
  alreadyLocked: 'The pay has been locked before.',
  /** When something comes back. */
  returns: {
    hold: 'The hold when the task ends well.',
    deposit: 'The deposit whenever nothing of yours is running.',
    locked: 'What nobody earns.',
    stake: 'The stake if you win.',
    bond: 'Your bond, when the case closes.',
    setAside: 'If the court overturns the ruling.',
  },
  holdNow: 'Your hold, because the task ends well.',
  ownStake: 'Yours. You can take it out again.',
  moneyBack: 'What nobody earned, and your hold.',
  gets: {
    claim: (amount: string, poster: string) => `${amount} when ${poster} approves, or gives no answer in time.`,
    approve: (amount: string) => `${amount}, right away.`,
    dispute: (amount: string) => `${amount} if you win.`,
    ruling: 'For the ruling, when it is carried out.',
    post: ['The work', 'Or your money back.'],
  },

  /** What follows from it, in one sentence with a date. */
  sentences: {
    claim: (poster: string, by: string, time: string) =>
      `${start(poster)} starts the clock by ${by}. You then have ${time}. If you miss the deadline, you lose the hold and ${amounts.lapse} of the deposit.`,
    post: (by: string | null, review: string) =>
      `${by === null ? 'If nobody takes it' : `If nobody takes it by ${by}`}, all but the fee comes back. Once work is delivered you have ${review} to answer; without an answer it is paid.`,
    lock: 'It is paid when you approve the work, and comes back if nothing is delivered in time.',
    deliver: (poster: string, span: string, by: string) =>
      `${start(poster)} has ${span}, until ${by}. If ${poster} says nothing, you’re paid.`,
    deliverUnstored: (poster: string) =>
      `Without the store’s receipt you aren’t paid if ${poster} says nothing. Send the files again to get one.`,
    approve: 'This is final. Once paid, the money can’t be called back.',
    changes: (worker: string, span: string, left: number) =>
      `${start(worker)} has at least ${span} more. ${left === 0 ? 'You have no further request after this.' : left === 1 ? 'You have one more request after this.' : `You have ${left} more requests after this.`}`,
    dispute: (other: string, isPoster: boolean, hold: string, by: string) =>
      isPoster
        ? `The ${amounts.reserve} set aside at the start is at stake. If you lose, ${other} gets 10% of the gap (at least 5% of the milestone) and ${amounts.appeal}, the judge or the court gets ${amounts.rulingFee}, and you lose your ${hold} hold. Evidence until ${by}.`
        : `The ${amounts.reserve} set aside at the start is at stake. If you lose, ${other} gets ${amounts.appeal}, the judge or the court gets ${amounts.rulingFee}, and you lose your ${hold} hold. Evidence until ${by}.`,
    rule: (burnt: string) =>
      `If you are overturned, ${burnt} of your bond is burnt. If you can’t open something, step down: it’s free.`,
    decide: 'This is final.',
    appeal: (by: string) => `The final court decides for good, by ${by}.`,
    leave: (hold: string) => `You give up the ${hold} hold. The task closes or opens to others.`,
    end: (worker: string, hold: string, by: string) =>
      `You give up the ${hold} hold. ${start(worker)} has until ${by} to deliver what is done.`,
    dismiss: (hold: string) => `You give up the ${hold} hold, and lock a new one. The task opens to others.`,
    swap: (spent: string, bought: string, maximum: string) =>
      `${spent} becomes the ${bought} for this. The rate is checked when you confirm: you never pay more than ${maximum}.`,
    sell: (minimum: string) =>
      `The rate is checked when you confirm: you get at least ${minimum}, or nothing is sold. Valid for 5 minutes.`,
  },

  /** What the button says; the amount comes from the line. */
  buttons: {
    with: (verb: string, amount: string) => `${verb} · ${amount}`,
    now: (verb: string, amount: string) => `${verb} · ${amount} now`,
    claim: 'Claim',
    accept: 'Accept',
    postAndLock: (amount: string) => `Post and lock ${amount}`,
    post: 'Post',
    lock: (amount: string) => `Lock ${amount}`,
    deliver: 'Deliver',
    approve: (amount: string) => `Approve and pay ${amount}`,
    changes: 'Send the request',
    dispute: 'Open the dispute',
    rule: (name: string, share: string) => `Rule for ${name}, ${share}`,
    appeal: 'Appeal',
    leave: 'Leave',
    dismiss: 'Remove the worker',
    end: 'End this task',
    sell: 'Turn into USDC',
  },

  details: 'What exactly you sign',

  payWith: { label: 'Pay with', tok: 'Pay with TOK', usdc: 'Pay with USDC' },

  /** What happened, and what happens next. */
  after: {
    left: (amount: string) => `Just now. ${amount} left your wallet.`,
    now: 'Just now.',
    tell: 'Tell me when something happens',
    claim: {
      text: (pay: string) => `${pay} is waiting for you.`,
      next: [
        (poster: string, by: string, vet: string) =>
          [`${start(poster)} starts it`, `By ${by}. From ${vet} you can start it yourself.`] as const,
        (time: string) => [`You deliver within ${time}`, 'Your time begins with the start.'] as const,
      ] as const,
    },
    deliver: {
      text: (pay: string) => `${pay} is yours if it is what was asked for.`,
      next: (poster: string, by: string) =>
        [`${start(poster)} answers`, `By ${by}. If ${poster} says nothing, you’re paid.`] as const,
    },
    approve: {
      title: (worker: string, pay: string) => `${start(worker)} has ${pay}`,
    },
    hello: (name: string) => `Say hello to ${name}`,
  },
} as const
