// Apart from the text of the first steps, which is loaded before.

/** What the sentence of a review says. */
interface DraftFacts {
  title: string
  pay: string
  isChosen: boolean
  until: string
  work: string
  review: string
  revisions: number
  parts: number
}

/** Text of the last step of posting a task. */
export const reviewText = {
  /** The task in one sentence after the other. Words between asterisks stand out. */
  sentence: (facts: DraftFacts) =>
    [
      `You’re posting *${facts.title}* for *${facts.pay}*.`,
      facts.isChosen
        ? `People apply and *you choose* one by ${facts.until}.`
        : `*Anyone* can claim it until ${facts.until}.`,
      `They have *${facts.work}*, you have *${facts.review}* to review`,
      facts.revisions === 0
        ? 'and *cannot* ask for changes.'
        : `and can ask for changes *${['once', 'twice', 'three times'][facts.revisions - 1]}*${facts.parts > 1 ? ' for each part' : ''}.`,
    ].join(' '),
  edit: {
    describe: 'Edit the brief',
    milestones: 'Edit pay and time',
    audience: 'Edit who can claim it',
  },
  whatIf: {
    title: 'What if',
    nobody: (until: string) => `Nobody takes it by ${until}`,
    nothing: 'Nothing is delivered',
    silence: (review: string) => `You don’t answer a delivery in ${review}`,
    disagree: 'You and the worker disagree',
    back: (amount: string) => `You get ${amount} back`,
    paid: 'The worker is paid',
    judge: 'Your judge decides if both name them, or the final court',
    noJudge: 'A judge you both agree on decides, or the final court',
  },
  all: 'Read all of it once more',
  fund: 'When the pay is locked',
  fundNow: 'Now',
  fundNowHelp: 'Workers prefer tasks whose money is already locked.',
  fundLater: 'When somebody claims it',
  fundLaterHelp: 'You then have a limited time to lock it. Missing it costs you your hold.',
  posterIsWallet: 'Connect the wallet that pays.',
  signIn: {
    title: 'Sign in',
    description:
      'Workers encrypt what they deliver for you. Your wallet signs a message that makes the key of this device known with the task. It costs nothing and moves no money.',
    button: 'Sign in with your wallet',
  },
} as const

/** Text of what is shown once a task is posted. */
export const postedText = {
  title: 'Your task is live',
  description: 'Everyone can see it now. You will find it in your inbox when somebody claims it.',
  open: 'Open the task',
  share: 'Copy the link',
  another: 'Post another task',
  waiting: 'Reading it from the chain …',
} as const
