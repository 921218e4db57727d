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
  headingAll: 'All tasks, newest first',
  search: 'Filter by word',
  searchHint: 'Filter these tasks by word',
  clearSearch: 'Clear the word',
  filters: 'Filters',
  funded: 'Funded',
  anyone: 'Anyone can claim',
  pays: 'Pay',
  paysAny: 'Any pay',
  paysAtLeast: (usd: number) => `Pays $${number(usd)} or more`,
  days: 'Work time',
  daysAny: 'Any work time',
  daysUpTo: (days: number) => (days === 1 ? 'Up to 1 day' : `Up to ${days} days`),
  order: 'Order',
  orders: { newest: 'Newest', paid: 'Best paid', closing: 'Closing soon' },
  show: 'Show',
  showOpen: 'Open',
  showAll: 'All states',
  clear: 'Clear filters',
  matching: (found: number, loaded: number) =>
    found === loaded ? `${count(loaded, 'task', 'tasks')}` : `${number(found)} of ${count(loaded, 'task', 'tasks')}`,
  more: (loaded: number) =>
    `These are ${number(loaded)} tasks of a longer list. Filters, order and words look only at these.`,
  older: 'Older tasks',
  newest: 'Back to the newest',
  pages: 'Pages of the list',
  noPrice: 'There is no price of TOK right now, so the filter by dollars is off.',
  emptyOpen: 'Nothing can be claimed in this market right now. New tasks appear here by themselves.',
  emptyAll: 'Nobody has posted in this market yet. Yours could be the first.',
  emptyFiltered: 'No task fits these filters.',
  post: 'Post a task',
  keepExplained: (fee: string) =>
    `“You keep” is the pay less the ${fee} fee to claim. An Action Credit pays that fee instead. Deposits come back when the task ends well.`,
  keep: (net: string) => `you keep ${net}`,
  keepNothing: 'the fee to claim takes all of it',
  milestones: (parts: number) => `${parts} milestones`,
  policy: { ANYONE: 'Anyone can claim', PERMIT: 'Poster chooses' },
  unfunded: 'Not funded yet',
  partFunded: 'Partly funded',
  workTime: (seconds: number) => {
    const hours = seconds / 3_600
    if (hours < 1) return `${Math.round(seconds / 60)} min of work`
    if (hours < 48) return `${count(Math.round(hours), 'hour', 'hours')} of work`
    return `${Math.round(hours / 24)} days of work`
  },
  openFor: (left: string) => `open ${left}`,
  closesIn: (left: string) => `Closes in ${left}`,
  closed: 'Claims closed',
  posted: 'posted',
  record: {
    fresh: 'New here',
    paid: (tasks: number) => `${number(tasks)} paid`,
    worked: (tasks: number) => `${number(tasks)} done`,
    lost: (disputes: number) => count(disputes, 'dispute lost', 'disputes lost'),
    missed: (duties: number) => count(duties, 'missed duty', 'missed duties'),
    explained: 'Tasks that this wallet paid for, tasks it did, disputes it lost and duties it missed, in this market.',
  },
  untitled: (id: string) => `Task ${id.split(':').at(-1)}`,
} as const
