const number = (value: number) => value.toLocaleString('en')
const count = (value: number, one: string, many: string) => `${number(value)} ${value === 1 ? one : many}`

/** Text of the list of tasks, here and on the first page. */
export const exploreText = {
  title: 'Explore tasks',
  heading: (open: number | null, isMore: boolean) =>
    open === null
      ? 'Tasks you can take now'
      : open === 0
        ? 'No open tasks right now'
        : `${number(open)}${isMore ? '+' : ''} ${open === 1 ? 'task' : 'tasks'} you can take now`,
  headingWorth: (open: number, worth: string) => `${count(open, 'task', 'tasks')}, ${worth} to earn`,
  rest: 'More',
  newestFirst: 'Newest first',
  fits: (alike: number) => (alike === 1 ? 'Fits your work' : `You’ve done ${alike} like it`),
  side: 'People, saved searches and skills',
  people: (words: string) => (words ? `People for “${words}”` : 'People you could work with'),
  skills: 'Popular skills',
  headingAll: 'All tasks, newest first',
  headingWaiting: 'Tasks without a worker',
  search: 'Search tasks',
  searchHint: 'Search tasks or people',
  clearSearch: 'Clear the words',
  filters: 'Filters',
  removeTag: (tag: string) => `Remove the tag ${tag}`,
  funded: 'Money locked',
  pays: 'Pay',
  paysAny: 'Any pay',
  paysAtLeast: (amount: string) => `Pays ${amount} or more`,
  paysAtMost: (amount: string) => `Pays up to ${amount}`,
  paysBetween: (min: string, max: string) => `Pays ${min} to ${max}`,
  policies: 'Who can claim',
  policyAny: 'Claim or apply',
  closes: 'Closing',
  closesAny: 'Any closing',
  closesWithin: (days: number) => `Closes within ${count(days, 'day', 'days')}`,
  score: "Poster's score",
  scoreAny: 'Any poster',
  scoreAtLeast: (score: number) => `Poster’s score ${number(score)} or more`,
  order: 'Order',
  orders: {
    relevance: 'Best match',
    newest: 'Newest',
    pay: 'Best paid',
    payPerHour: 'Best paid per hour',
    closing: 'Closing soon',
  },
  show: 'Show',
  shown: { open: 'Open now', waiting: 'Claims closed too', all: 'All states' },
  clear: 'Clear filters',
  found: (loaded: number, isMore: boolean) =>
    isMore ? `The first ${count(loaded, 'task', 'tasks')}` : count(loaded, 'task', 'tasks'),
  more: 'Load more',
  feed: 'Follow this search in a feed reader',
  older: 'Older tasks',
  newest: 'Back to the newest',
  pages: 'Pages of the list',
  noIndex: 'Search is not available right now. These are the newest open tasks, without filters.',
  noPrice: 'There is no price of TOK right now, so the filter by dollars is off.',
  emptyOpen: 'Nothing can be claimed in this market right now. New tasks appear here by themselves.',
  emptyAll: 'Nobody has posted in this market yet. Yours could be the first.',
  emptyFiltered: 'No task fits this search.',
  suggests: 'Did you mean',
  post: 'Post a task',
  policy: { ANYONE: 'Anyone can claim', PERMIT: 'Apply first' },
  unfunded: 'Not locked yet',
  partFunded: 'Partly locked',
  workTime: (seconds: number) => {
    const hours = seconds / 3_600
    if (hours < 1) return `${Math.round(seconds / 60)} min`
    if (hours < 48) return `${count(Math.round(hours), 'hour', 'hours')}`
    return `${Math.round(hours / 24)} days`
  },
  perHour: (pay: string) => `${pay} an hour`,
  save: {
    title: 'Save this search',
    connect: 'Sign in to hear of new tasks that this search finds.',
    name: 'Name',
    description: 'You hear of every new task that fits, except by when its claims close.',
    button: 'Save search',
    done: 'Saved.',
    manage: 'Your saved searches',
    unnamed: (market: string) => `Tasks of the ${market} market`,
  },
  searchTag: (tag: string) => `Search tasks with the tag ${tag}`,
  closesIn: (left: string) => `Closes in ${left}`,
  closed: 'Claims closed',
  posted: 'posted',
  untitled: (id: string) => `Task ${id.split(':').at(-1)}`,
} as const
