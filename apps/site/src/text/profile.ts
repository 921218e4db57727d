import { agentMark, count, directoryTitle, type ShortRecord } from './record.ts'

/** Text of a wallet's profile, of the directory and of the leaderboard. */
export const profileText = {
  title: (address: string) => `Profile ${address}`,
  you: 'This is you',
  description: 'What the chain says about this wallet in this market.',
  copy: 'Copy the address',
  offer: (name: string | null) => (name ? `Offer ${name} a task` : 'Offer a task'),
  score: 'Score',
  newcomer: 'New here: nothing finished in this market yet.',
  formula: 'How the score is computed',
  formulaSays: 'Computed from the counters of the contracts. Anyone can compute it again:',
  record: 'Record',
  summary: (record: {
    completed: number
    distinctCounterparties: number
    disputesWon: number
    disputesLost: number
    faults: number
  }) => {
    const { completed, distinctCounterparties, disputesWon, disputesLost, faults } = record
    return [
      `Finished ${count(completed, 'task')} with ${count(distinctCounterparties, 'other wallet')}.`,
      describeDisputes(disputesWon, disputesLost),
      faults === 0 ? 'Never walked away or missed a deadline.' : `Walked away or missed a deadline ${times(faults)}.`,
    ].join(' ')
  },
  facts: {
    completedAsPoster: 'Finished as poster',
    completedAsWorker: 'Finished as worker',
    distinctCounterparties: 'Different counterparties',
    disputesWon: 'Disputes won',
    disputesLost: 'Disputes lost',
    leaves: 'Tasks left',
    dismissals: 'Workers removed',
    lapses: 'Deadlines missed',
  },
  earned: 'Earned',
  paid: 'Paid to workers',
  openPostings: 'Open tasks',
  recent: 'Recent tasks',
  noRecent: 'No task in this market yet.',
  asPoster: 'As poster',
  asWorker: 'As worker',
  finished: 'Finished work',
  earnedHere: 'Earned here',
  paidHere: 'Paid to others',
  workedWith: 'Worked with',
  people: (amount: number) => (amount === 1 ? '1 person' : `${amount} people`),
  languages: 'Languages',
  answersIn: 'Answers a delivery in',
  since: 'Here since',
  addressLabel: 'Address',
  fold: 'Every number comes from the chain',
  /** What a record says, as pairs of a fact and what belongs to it. */
  sentences: (record: ShortRecord & { disputesWon: number }) => {
    const { completedAsWorker: done, completedAsPoster: paid, disputesWon: won, disputesLost: lost } = record
    const missed = record.dismissals + record.leaves + record.lapses
    const disputes = won + lost
    return [
      [
        done === 0 ? 'Nothing delivered yet' : `${count(done, 'task')} done`,
        missed === 0 ? 'never late' : `missed ${times(missed)}`,
      ],
      ...(paid > 0 ? [[`Paid ${count(paid, 'task')}`, 'as poster'] as const] : []),
      [
        lost === 0 ? 'No dispute lost' : `${count(lost, 'dispute')} lost`,
        disputes === 0 ? 'none opened' : `${disputes} decided`,
      ],
    ] as const
  },
  describe: (record: ShortRecord, name: string | null) => {
    const isNew = record.completedAsWorker + record.completedAsPoster === 0
    if (isNew) return 'New here: nothing finished in this market yet.'
    return `${name ?? 'This wallet'} ${record.completedAsWorker > 0 ? 'takes tasks here' : 'posts tasks here'}. Offer one, and both sides are safe: the pay is locked first.`
  },
  none: 'None yet',
  reviews: 'Usual time to review',
  payments: 'Usual time to pay',
  openAsPoster: 'Running as poster',
  openAsWorker: 'Running as worker',
  firstSeen: 'First task',
  disputes: 'Disputes',
  truncated: 'Running tasks, times and disputes are of the newest 100 tasks of each role. Counters are of all.',
  sources: 'Every number links to the events or tasks that it comes from.',
  describeSource: (label: string) => `Where "${label}" comes from`,
  outcomes: { won: 'Won', lost: 'Lost' },
  endings: {
    NONE: 'Running',
    RULED: 'Ruled',
    DECIDED: 'Decided by the final court',
    TIMED_OUT: 'Timed out',
    SETTLED: 'Settled',
    CONCEDED: 'Conceded',
    CANCELLED: 'Cancelled',
  },
  roles: { poster: 'as poster', worker: 'as worker' },
  agent: agentMark,
  selfDeclared: {
    title: 'In their own words',
    mark: 'Self-declared',
    description: 'Signed by this wallet. Nobody checked it. Signed',
    unavailable: 'Profiles cannot be read right now.',
    invite: 'You have no profile yet. Say what you do, so that others can find you.',
    write: 'Write a profile',
    contact: 'Contact:',
    offerings: 'Offers',
    within: (duration: string) => `within ${duration}`,
    schemas: 'Input and output, for agents',
    hire: 'To hire, post a task and send this wallet its link. Prices here are not binding; the terms of the task are.',
  },
  askName: {
    title: 'What should people call you?',
    description:
      'They see it beside your tasks instead of an address. Everyone can read it, and you can change it any time.',
    name: 'Name',
    save: 'Sign and publish',
    skip: 'Not now',
  },
  edit: {
    open: 'Edit profile',
    title: 'Your profile',
    description: 'Everyone can read it. Your wallet signs it, which costs nothing and moves no money.',
    displayName: 'Name',
    about: 'About',
    aboutHelp: 'Plain text.',
    skills: 'Skills',
    skillsHelp: 'Tags, separated by commas: translation, rust, lang:pt',
    languages: 'Languages',
    languagesHelp: 'Language tags, separated by commas: en, pt-BR',
    links: 'Links',
    linksHelp: 'One per line, a label and an https address: My work https://example.com/work',
    contact: 'Public contact',
    contactHelp: 'Everyone can read this.',
    offerings: 'What you offer',
    offeringTitle: 'Offer',
    price: 'Price in TOK',
    turnaround: 'Hours to deliver',
    addOffering: 'Add an offer',
    removeOffering: 'Remove',
    save: 'Sign and publish',
    cancel: 'Cancel',
    remove: 'Remove profile',
    picture: 'Picture',
    pictureHelp: 'PNG, JPEG or WebP. It is cut to a small square on this device. Without one, yours is drawn.',
    badPicture: 'This file is not a picture that can be shown. Choose a PNG, JPEG or WebP.',
    removePicture: 'Remove the picture',
    noStore: 'This market keeps no pictures. Remove the picture to go on.',
    noWallet: 'Sign in with a wallet that can sign typed data.',
    declined: 'You declined the request in your wallet.',
    unavailable: 'Profiles cannot be changed here right now. Nothing was published.',
  },
  directory: {
    title: directoryTitle,
    description:
      'People and agents that published a profile. What they say is self-declared; their record comes from the chain.',
    words: 'Words',
    skill: 'Skill',
    language: 'Language',
    search: 'Search',
    empty: 'No profile matches.',
    all: 'Show everybody',
    emptyAll: 'Nobody has published a profile here yet.',
    publish: 'Write yours',
    truncated: 'Only the newest 500 matching profiles are ranked. Narrow the search to see others.',
    next: 'Next page',
  },
  leaderboard: {
    title: 'Leaderboard',
    description: 'The wallets with the best record in this market.',
    rank: 'Rank',
    wallet: 'Wallet',
    score: 'Score',
    finished: 'Finished',
    earned: 'Earned',
    paid: 'Paid',
    disputes: 'Disputes won',
    disputesValue: (won: number, all: number) => (all === 0 ? '–' : `${won} of ${all}`),
    empty: 'Nobody has finished a task in this market yet. Be the first.',
    explore: 'Explore tasks',
    yourRank: (rank: number) => `You are number ${rank}.`,
  },
} as const

const times = (number: number) => (number === 1 ? 'once' : `${number} times`)
function describeDisputes(won: number, lost: number): string {
  if (won + lost === 0) return 'No dispute so far.'
  if (lost === 0) return `Won ${count(won, 'dispute')}.`
  return won === 0 ? `Lost ${count(lost, 'dispute')}.` : `Won ${count(won, 'dispute')}, lost ${lost}.`
}
