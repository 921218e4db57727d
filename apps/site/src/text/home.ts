const number = (value: number) => value.toLocaleString('en')

/** Text of the first page. */
export const homeText = {
  title: 'Post work. Pay when it’s right.',
  titleLines: ['Post work.', 'Pay when it’s right.'],
  description: 'Post tasks with the pay locked, or do them and be paid from it. No account, no middleman.',
  lead: 'An open market for tasks. Posters put the pay into a public contract, workers deliver, and the contract pays them. Good work is paid even if nobody answers. No work, and the money goes back.',
  explore: (open: string | null) => (open ? `Explore ${open} tasks` : 'Explore tasks'),
  count: (tasks: number, isMore: boolean) => `${number(tasks)}${isMore ? '+' : ''}`,
  post: 'Post a task',
  noAccount: 'No account and no password. Looking around needs no wallet.',
  example: {
    label: 'A task of this market, as it stands now',
    posted: 'Posted',
    postedAndFunded: 'Posted and funded',
    claimed: (who: string) => `Claimed by ${who}`,
    unclaimed: 'Claimed by a worker',
    working: 'Work in progress',
    delivered: 'Work delivered',
    review: 'In review',
    paid: 'Paid',
    inEscrow: (amount: string) => `${amount} locked`,
    milestone: (at: number, all: number) => `milestone ${at} of ${all}`,
    left: (time: string) => `${time} left`,
    within: (time: string) => `at most ${time}`,
    silencePays: 'then silence pays',
    worth: (usd: string) => `worth ${usd}`,
    onChain: 'on chain',
    open: 'Open this task',
  },
  stats: {
    heading: (market: string) => `The ${market} market right now`,
    open: 'tasks open now',
    held: (tok: string | null) => (tok ? `locked now: ${tok}` : 'locked now'),
    paid: (tok: string | null) => (tok ? `paid to workers: ${tok}` : 'paid to workers'),
    paidTasks: 'tasks that paid their worker',
    ofAll: 'Added up from every task of this market.',
    ofNewest: (tasks: number) => `Pay and what is locked are those of the newest ${number(tasks)} tasks.`,
    raw: 'See the tasks as data',
  },
  tasks: 'Open tasks',
  seeAll: 'See all tasks',
  noTasks: 'Nothing is open in this market right now. Look at the other one, or post the first task.',
  steps: {
    heading: 'How the money moves',
    list: [
      [
        'The poster funds',
        'Say what counts as done, split it into milestones, and lock the pay. Work starts only when all of it is there.',
      ],
      [
        'The worker delivers',
        'Claim a task, do it before its deadline, and deliver. A fingerprint of the delivery goes on the chain, so nobody can swap it later.',
      ],
      [
        'The contract pays',
        'The poster approves, and the pay moves at once. Silence pays too, when the review time is over. If the two disagree, a judge or the final court decides.',
      ],
    ],
  },
  costs: {
    heading: 'What it costs',
    tok: (usd: string | null, fee: string) =>
      usd
        ? `TOK is the token that tasks are paid in. Today ${fee} is worth about ${usd}.`
        : 'TOK is the token that tasks are paid in.',
    gas: 'The chain’s own transaction fees, usually cents, come on top.',
    post: 'Post a task',
    claim: 'Claim a task',
    exit: 'Hold, returned',
    deposit: 'Deposit, yours to withdraw',
    share: 'Share of your pay',
    nothing: '0 %',
    all: 'All fees, deposits and penalties',
  },
  questions: {
    heading: 'Questions people ask',
    more: 'How it works, step by step',
  },
  member: {
    title: 'Home',
    hello: (hour: number) =>
      hour < 5 ? 'Hello' : hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening',
    waits: 'Waiting for you',
    nothing: 'Nothing waits for you right now. When it is your turn, you will see it here.',
    inbox: 'Open your inbox',
    live: 'Your running tasks',
    noLive: 'You have no running task in this market.',
    work: 'See all your work',
    fresh: 'New in this market',
    posts: 'You posted it',
    works: 'You work on it',
  },
} as const

interface Numbers {
  fee: string
  feeUsd: string | null
  deposit: string
  reserve: string
  review: string
}

/** The questions of the first page, with the numbers of the protocol. */
export const listQuestions = ({
  fee,
  feeUsd,
  deposit,
  reserve,
  review,
}: Numbers): readonly (readonly [string, string])[] => [
  [
    'What is TOK?',
    `The token that tasks, fees and judges’ bonds are paid in${feeUsd ? `; ${fee} is worth about ${feeUsd} today` : ''}. It is an ordinary ERC-20 token: you can hold it in any wallet and send it anywhere. Deposits are in USDC, so that their worth does not move.`,
  ],
  [
    'Who holds the money?',
    'A public contract, never us. It can pay the worker, go back to the poster, or be divided by both or by a ruling. Nobody can take it out for anything else, and nobody can change the rules of a running task.',
  ],
  [
    'What if the poster never answers?',
    `Then silence pays. A delivery has a review time, usually ${review} here. When it is over, anyone can release the pay to the worker. If the terms name a store, it has to confirm first that it holds the files.`,
  ],
  [
    'What if the work is bad?',
    'The poster can ask for changes or open a dispute before the review time is over. Both name the share they find fair, and a judge on whom they agree, or else the final court, picks one of the two. A ruling can be appealed once. Whoever loses pays for it.',
  ],
  [
    'Do I need an account?',
    `No. A wallet is enough, and looking around needs none. To post or claim you put in a deposit of ${deposit}; a running task reserves ${reserve} of it. It is yours, and you can take it out when nothing runs.`,
  ],
  [
    'Can my agent do this?',
    'Yes. Everything here works over the API and with command-line tools that prepare transactions and leave the signing to you. An agent with its own wallet can post, claim, deliver and be paid like anyone else.',
  ],
]
