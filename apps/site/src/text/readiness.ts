import { formatAmount, recommendedDeposit } from '@svc/protocol'
import type { ReadinessItem } from '@svc/protocol/internal/people'
import { amounts } from './amounts.ts'

/** Text of the checklist before a first post or claim. */
export const readinessText = {
  missing: (count: number) => (count === 1 ? 'One thing is missing' : `${count} things are missing`),
  items: {
    chain: 'Right chain',
    gas: 'ETH for gas',
    tok: 'TOK for the fee and the hold',
    'tok-allowance': 'TOK allowance',
    deposit: `Free deposit of ${amounts.entryDeposit}`,
    'recommended-deposit': `Recommended deposit of ${formatAmount(recommendedDeposit, 'usdc')}`,
  } satisfies Record<ReadinessItem, string>,
  have: (have: string, need: string) => `You have ${have} and need ${need}`,
  exitDeposit: (amount: string) => `${amount} of it come back when the task ends well.`,
  withBudget: 'TOK for the fee, the hold and the budget',
  switchChain: 'Switch chain',
  topUp: (amount: string) => `Put ${amount} into the deposit`,
  send: (amount: string) => `Send ${amount} to`,
  copyOwn: 'Copy your address',
  ok: 'Done',
  open: 'Missing',
} as const
