import { formatDuration } from '@svc/protocol'

/** Text of the pages that post a task. */
export const text = {
  title: 'Post a task',
  headings: {
    describe: 'What do you need done?',
    milestones: 'Pay and time',
    audience: 'Who can claim it?',
    review: 'Ready to post',
  },
  steps: {
    describe: 'Describe',
    milestones: 'Pay and time',
    audience: 'Who can claim it',
    review: 'Review and lock',
  },
  continue: {
    describe: 'Continue to pay and time',
    milestones: 'Continue to who can claim it',
    audience: 'Continue to review',
  },
  back: 'Back',
  saved: 'Your draft is saved in this browser.',
  templates: {
    label: 'Start from an example',
    list: [
      {
        name: 'Translation',
        title: 'Translate a product guide from English to Spanish',
        criteria:
          'Translate the attached guide of about 4,000 words into neutral Latin American Spanish, with formal address. Follow the glossary, and ask about terms that are not in it.',
        points: [
          'headings, links and screenshots are in place',
          'a native speaker finds no error that changes the meaning',
        ],
        milestones: [
          { title: 'First 1,000 words', amount: '', days: '2' },
          { title: 'The whole guide', amount: '', days: '4' },
        ],
      },
      {
        name: 'Bug fix',
        title: 'Fix a failing date filter in an open-source dashboard',
        criteria:
          'The filter "last 30 days" drops the first day in time zones west of UTC. Fix it in a pull request that the maintainers can merge, without unrelated changes.',
        points: ['a new test fails today and passes with the fix', 'the pull request passes CI'],
        milestones: [{ title: 'Pull request with a test', amount: '', days: '3' }],
      },
      {
        name: 'Research',
        title: 'Compare five payroll services for a team of twelve',
        criteria: 'A table with price, countries, integrations and contract terms, and one page with a recommendation.',
        points: [
          'every figure has a link to its source and the date you read it',
          'it says what you could not find out',
        ],
        milestones: [{ title: 'Table and recommendation', amount: '', days: '5' }],
      },
      {
        name: 'Data',
        title: 'Clean 2,000 addresses in a spreadsheet',
        criteria: 'Split each address into street, number, postcode and city. Mark rows that cannot be split.',
        points: ['no row is lost or added', 'there are at most 5 errors in 200 rows that I check'],
        milestones: [{ title: 'The cleaned spreadsheet', amount: '', days: '2' }],
      },
    ],
  },
  describe: {
    title: 'Title',
    titleHelp: 'Say what you want done, in one line.',
    criteria: 'What should be done',
    criteriaHelp:
      'A judge reads exactly this in a dispute. Markdown works. It is published on chain for everyone, for good: no names, no passwords.',
    points: 'It’s done when',
    point: (number: number) => `Point ${number}`,
    addPoint: 'Add another point',
    removePoint: (number: number) => `Remove point ${number}`,
    /** Above the points, in the published text. */
    doneWhen: 'It’s done when:',
    tags: 'Skills',
    tagsHelp: 'Optional, separated by commas, so that workers find it: translation, lang:pt',
    suggestedTags: 'Used by other tasks',
    addTag: (tag: string) => `Add the tag ${tag}`,
  },
  preview: {
    label: 'This is how people will see it',
    live: 'Updates as you type',
    noTitle: 'Your title',
    noText: 'What should be done stands here, and below it what counts as done.',
    noPoints: 'Add a point or two.',
    noPointsWhy: 'People decide faster when they know what counts as done.',
    total: 'Total so far',
    totalNow: (pay: string, hold: string, fee: string) =>
      `${pay} for the work and a ${hold} hold, both yours until you approve. The fee is ${fee}.`,
    totalLater: (pay: string, hold: string, fee: string) =>
      `A ${hold} hold, back when the task ends well, and the fee of ${fee}. You lock ${pay} for the work when somebody claims it.`,
  },
  writing: {
    open: 'Help me write this',
    label: 'What do you need?',
    help: 'A few words are enough. They are sent to the language model that this site uses.',
    ask: 'Suggest a description',
    advice: 'A suggestion by a language model, as advice only. It can be wrong. Nothing is posted until you sign.',
    use: 'Use this description',
    dismiss: 'Dismiss',
    missing: 'Writing help is not set up on this site.',
    failed: 'The model did not answer. Try again, or write it yourself.',
    system:
      'You help a person write a task for a marketplace where acceptance criteria decide payment. Answer with Markdown only: two sentences on what is wanted, a list of checkable acceptance criteria, and one sentence that says when the work is accepted. Do not invent facts, names, prices or deadlines. At most 180 words.',
  },
  milestones: {
    intro: 'Each milestone is delivered, reviewed and paid on its own. Small first milestones build trust.',
    unit: 'Amounts in',
    tok: 'TOK',
    usd: 'US dollars',
    noPrice: 'There is no price for TOK right now, so type amounts in TOK.',
    milestone: (number: number) => `Milestone ${number}`,
    deliverable: 'What is delivered',
    amount: 'Pays',
    days: 'Days to do it',
    add: 'Add a milestone',
    remove: (number: number) => `Remove milestone ${number}`,
    total: 'Budget',
  },
  audience: {
    who: 'Who can claim it',
    anyone: 'Anyone',
    anyoneHelp: 'The first to claim it has it.',
    permit: 'I choose',
    permitHelp: 'People apply, you pick one.',
    invite: 'Someone I invite',
    inviteHelp: 'A private offer. Nobody else sees it.',
    claimDays: 'Days in which it can be claimed',
    reviewHours: 'Hours you take to review',
    reviewHelp: 'If you do not answer in this time, the worker is paid.',
    revisions: 'Changes you may ask for',
    revisionsHelp: 'For each milestone.',
    more: 'Judge and store',
    arbitrator: 'Judge for disputes',
    arbitratorHelp:
      'The address of somebody both sides trust. It judges only if the worker names it too. Empty: you can agree on one in a dispute, or the final court decides.',
    aboutJudge: 'Before you name this judge:',
    store: 'Store for deliveries',
    storeHelp:
      'The address of a store that signs for deliveries. With it, your silence pays only for work that the store holds.',
    usesStore: "Deliver through this market's store",
    usesStoreHelp:
      'It holds the work encrypted for you and signs for it. Your silence pays only for work that you could open.',
    defaultIs: (value: number) => `Default: ${value}`,
  },
  wrong: {
    title: 'Give it a title.',
    criteria: 'Say what counts as done.',
    tags: 'Up to 8 tags of lower-case letters, digits and hyphens, such as translation or lang:pt.',
    milestoneTitle: 'Say what is delivered.',
    amount: 'Enter an amount above zero.',
    days: (min: number, max: number) => `Between ${formatDuration(min)} and ${formatDuration(max)}.`,
    claimDays: (max: number) => `Up to ${formatDuration(max)}.`,
    reviewHours: (min: number, max: number) => `Between ${formatDuration(min)} and ${formatDuration(max)}.`,
    revisions: 'A number from 0 to 3.',
    wallet: 'An address: 0x and 40 hex digits.',
    draft: 'The draft cannot be read.',
  },
} as const
