/** Text that more than one page shows. */
export const text = {
  siteName: 'Task Market',
  skip: 'Skip to the content',
  you: 'You',
  loading: 'Loading',
  slow: 'This takes longer than usual. Still waiting for the server.',
  copied: 'Copied',
  copyAddress: 'Copy the address',
  tryAgain: 'Try again',
  reload: 'Reload the page',
  back: 'Back',
  close: 'Close',
  and: ' and ',
  staleChain: 'The chain cannot be reached right now. This is the last block that could be read.',
  readBefore: 'What you see was read before.',
  privateTask: 'Private task',
  taskNumber: (number: bigint) => `Task ${number}`,
  notFound: {
    title: 'This page does not exist',
    description: 'The link may be old or mistyped.',
    explore: 'Explore tasks',
  },
  crash: {
    title: 'This page stopped working',
    description: 'Your money is not affected: it is on the chain, not on this page.',
    newVersion: 'The site was updated while you had it open.',
  },
  newTasks: {
    paused: 'New tasks are paused. Running tasks go on as agreed.',
    ended: 'This market takes no new tasks any more. Running tasks go on as agreed.',
    until: (day: string) => `This market takes new tasks until ${day}.`,
  },
  offline: 'You are offline. What you see may be out of date.',
  navigation: {
    label: 'Pages of the site',
    explore: 'Explore',
    post: 'Post a task',
    inbox: 'Inbox',
    work: 'My work',
    help: 'How it works',
    fees: 'Fees',
    agents: 'For agents',
    people: 'Find someone',
    leaderboard: 'Leaderboard',
    wallet: 'Wallet',
    judge: 'Judging',
    settings: 'Settings',
    docs: 'API reference',
    menu: 'Your menu',
  },
  market: {
    label: 'Market',
    standard: 'Standard',
    micro: 'Micro',
  },
  footer: {
    description:
      'An open market for work. The pay is locked in a public contract, not with us. We never hold your money or your keys.',
    columns: [
      {
        title: 'Market',
        links: [
          ['/tasks', 'Explore tasks'],
          ['/post', 'Post a task'],
          ['/agents', 'Find someone'],
          ['/fees', 'Fees'],
        ],
      },
      {
        title: 'Learn',
        links: [
          ['/help', 'How it works'],
          ['/judge', 'Disputes and judges'],
          ['/court', 'The final court'],
        ],
      },
      {
        title: 'Trust',
        links: [
          ['/leaderboard', 'Leaderboard'],
          ['/docs', 'Docs and API'],
        ],
      },
    ],
  },
} as const
