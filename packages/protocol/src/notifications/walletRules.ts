import type { Address } from 'viem'
import { pauseThreshold } from '../money/amounts.ts'
import { formatAmount } from '../money/units.ts'
import type { Urgency } from './rule.ts'

/** A message that concerns a wallet, not a task that it takes part in. */
export interface WalletRule<Subject> {
  kind: string
  urgency: Urgency
  title: (subject: Subject) => string
  text: (subject: Subject) => string
}

/** A deposit below this is near the pause threshold. */
export const lowDeposit = pauseThreshold + pauseThreshold / 4n

/** A new task that a saved search finds. */
export interface SearchMatch {
  /** The name that the owner of the search gave it. */
  search: string
  /** Title of the task, as its poster wrote it. */
  title: string
  payTokWei: bigint
}

/** The messages that no event of a task and no clock causes. */
export const walletRules = {
  depositLow: {
    kind: 'deposit-low',
    urgency: 'action',
    title: ({ deposit }) => `Your deposit is down to ${formatAmount(deposit, 'usdc')}`,
    text: () => `Below ${formatAmount(pauseThreshold, 'usdc')} you cannot post or claim. Top it up in time.`,
  } satisfies WalletRule<{ deposit: bigint }>,
  searchMatched: {
    kind: 'search-matched',
    urgency: 'info',
    title: ({ search }) => `A new task fits your search "${search}"`,
    text: ({ title, payTokWei }) => `"${title}" pays ${formatAmount(payTokWei, 'tok')}.`,
  } satisfies WalletRule<SearchMatch>,
  messageReceived: {
    kind: 'message-received',
    urgency: 'action',
    title: ({ sender }) => `${sender.slice(0, 6)}…${sender.slice(-4)} wrote to you`,
    text: () => 'A question, an application, an offer or an answer. It is encrypted: sign in on the site to read it.',
  } satisfies WalletRule<{ sender: Address }>,
}
