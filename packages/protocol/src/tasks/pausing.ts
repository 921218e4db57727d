import { pauseThreshold } from '../money/amounts.ts'
import { formatAmount } from '../money/units.ts'
import { lifecycle } from './lifecycle.ts'

/** The operations that are entries: those that the guard `entriesOpen` stops, in the order of the table. */
const operations = [
  ...new Set(lifecycle.filter(({ guards }) => guards.includes('entriesOpen')).map(({ operation }) => operation)),
]
const verbs = operations.filter((operation) => operation !== 'fund')
// A claimed task can be funded while entries are paused: then it is a duty.
const funding = operations.includes('fund') ? ', or fund one before its claim' : ''
const entries = `${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(verbs)} a task${funding}`

/** What it means that the guardian has paused entries. */
export const entriesPausedRule = `Entries are paused: nobody can ${entries}.`

/** What it means that entries have ended. */
export const entriesEndedRule = `Entries have ended: nobody can ${entries} any more. Running tasks go on.`

/** What the pause threshold means. Every surface says it with this sentence. */
export const pauseRule = `Below a deposit of ${formatAmount(pauseThreshold, 'usdc')}, a wallet's entries pause: it cannot ${entries}; its running tasks go on.`
