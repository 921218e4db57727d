import { formatDuration } from '@svc/protocol'

/** Text of the pages that post a task. */
export const text = {
  title: 'Post a task',
  steps: {
    describe: 'Describe',
    milestones: 'Milestones and budget',
    audience: 'Who may take it',
    review: 'Review and fund',
  },
  progress: 'Steps to post a task',
  continue: 'Continue',
  back: 'Back',
  startOver: 'Start over',
  saved: 'Your draft is saved in this browser.',
  templates: {
    label: 'Start from an example',
    list: [
      {
        name: 'Translation',
        title: 'Translate a product guide from English to Spanish',
        criteria:
          'Translate the attached guide of about 4,000 words.\n\n- Neutral Latin American Spanish, formal address.\n- Keep headings, links and screenshots in place.\n- Follow the glossary; ask about terms that are not in it.\n\nAccepted when a native speaker finds no error that changes the meaning.',
        milestones: [
          { title: 'First 1,000 words', amount: '', days: '2' },
          { title: 'The whole guide', amount: '', days: '4' },
        ],
      },
      {
        name: 'Bug fix',
        title: 'Fix a failing date filter in an open-source dashboard',
        criteria:
          'The filter "last 30 days" drops the first day in time zones west of UTC.\n\n- A test that fails today and passes with the fix.\n- A pull request that the maintainers can merge: no unrelated changes.\n\nAccepted when the pull request passes CI and the steps in the report no longer show the error.',
        milestones: [{ title: 'Pull request with a test', amount: '', days: '3' }],
      },
      {
        name: 'Research',
        title: 'Compare five payroll services for a team of twelve',
        criteria:
          'A table with price, countries, integrations and contract terms, and one page with a recommendation.\n\n- Every figure has a link to its source and the date you read it.\n- Say what you could not find out.\n\nAccepted when each figure can be checked from its source.',
        milestones: [{ title: 'Table and recommendation', amount: '', days: '5' }],
      },
      {
        name: 'Data',
        title: 'Clean 2,000 addresses in a spreadsheet',
        criteria:
          'Split each address into street, number, postcode and city. Mark rows that cannot be split.\n\n- No row is lost or added.\n- At most 5 errors in 200 rows that I check.',
        milestones: [{ title: 'The cleaned spreadsheet', amount: '', days: '2' }],
      },
    ],
  },
  describe: {
    title: 'Title',
    titleHelp: 'Say what you want done, in one line.',
    criteria: 'What counts as done',
    criteriaHelp:
      'A judge reads exactly this in a dispute. Markdown works. It is published on chain for everyone, for good: no names, no passwords.',
    tags: 'Tags',
    tagsHelp: 'Optional, separated by commas, so that workers find it: translation, lang:pt',
    suggestedTags: 'Used by other tasks',
    addTag: (tag: string) => `Add the tag ${tag}`,
    preview: 'Preview',
    edit: 'Edit',
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
    who: 'Who may take it',
    anyone: 'Anyone',
    anyoneHelp: 'The first wallet that claims it gets it. You have a short time to look at it and can say no.',
    permit: 'I choose',
    permitHelp: 'Only a wallet that you choose can claim it.',
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
  review: {
    check: 'Check it once more. After posting, the words and numbers cannot be changed.',
    fund: 'Funding',
    fundNow: 'Fund it now',
    fundNowHelp: 'Workers prefer tasks whose money is already locked.',
    fundLater: 'Fund it when somebody claims it',
    fundLaterHelp: 'You then have a limited time to pay in. Missing it costs you your hold.',
    posterIsWallet: 'Connect the wallet that pays.',
    signIn: {
      title: 'Sign in',
      description:
        'Workers encrypt what they deliver for you. Your wallet signs a message that makes the key of this device known with the task. It costs nothing and moves no money.',
      button: 'Sign in with your wallet',
    },
    terms: {
      review: (seconds: number) => `${formatDuration(seconds)} to review, then silence pays`,
      claim: (seconds: number) => `Open for claims for ${formatDuration(seconds)}`,
      revisions: (count: number) => (count === 1 ? '1 change per milestone' : `${count} changes per milestone`),
    },
    edit: (step: string) => `Edit: ${step}`,
  },
  posted: {
    title: 'Your task is live',
    description: 'Everyone can see it now. You will find it in your inbox when somebody claims it.',
    open: 'Open the task',
    share: 'Copy the link',
    another: 'Post another task',
    waiting: 'Reading it from the chain …',
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
