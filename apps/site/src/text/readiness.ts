import type { ReadinessItem } from '@svc/protocol'

/** Text of the checklist before a first post or claim. */
export const readinessText = {
  missing: (count: number) => (count === 1 ? 'One thing is missing' : `${count} things are missing`),
  items: {
    chain: 'Right chain',
    gas: 'ETH for gas',
    fee: 'TOK for the fee',
    'exit-deposit': 'TOK for the fee and the exit deposit',
    'fee-allowance': 'TOK allowance',
    deposit: 'Free deposit of 25 USDC',
    'recommended-deposit': 'Recommended deposit of 45 USDC',
  } satisfies Record<ReadinessItem, string>,
  have: (have: string, need: string) => `You have ${have} and need ${need}`,
  exitDeposit: (amount: string) => `${amount} of it come back when the task ends well.`,
  withBudget: 'TOK for the fee, the exit deposit and the budget',
  switchChain: 'Switch chain',
  topUp: (amount: string) => `Top up ${amount}`,
  send: (amount: string) => `Send ${amount} to`,
  copyOwn: 'Copy your address',
  ok: 'Done',
  open: 'Missing',
} as const
