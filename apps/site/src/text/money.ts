import { formatAmount, taskReserve } from '@svc/protocol'
import { formatQuotaUse, formatShortAmount, lockedDeposit } from '@svc/protocol/internal/money'
import { pauseRule } from '@svc/protocol/internal/tasks'

/** Text of the page about the user's money. */
export const moneyText = {
  title: 'Wallet',
  description: 'What you have in this market, what is locked, and what you can take out.',
  connect: 'Sign in to see your balances, deposit, earnings and your part of the Union.',
  balances: { label: 'In your wallet', tok: 'TOK', usdc: 'USDC', eth: 'ETH', ethSays: 'pays for gas' },
  withdrawTitle: 'Ready to withdraw',
  payout: 'Payments and refunds',
  award: 'From disputes',
  reward: 'Union rewards',
  withdraw: (amount: string) => `Withdraw ${amount}`,
  claim: (amount: string) => `Claim ${amount}`,
  readyTitle: 'Ready to post and claim',
  notReadyTitle: 'Before you can post and claim',
  deposit: {
    title: 'Deposit',
    description: `A safety deposit in USDC. Each task sets ${formatAmount(taskReserve, 'usdc')} of it aside; penalties and fees of disputes are taken from there.`,
    free: 'Free',
    reserved: 'Set aside for tasks',
    withdrawable: 'You can withdraw',
    locked: `While anything is set aside, ${formatAmount(lockedDeposit, 'usdc')} of the rest stay where they are.`,
    lines: {
      paused: pauseRule,
      'below-entry': 'Not enough to post or claim yet.',
      'below-recommended': 'Enough to post and claim, with little to spare.',
      ready: 'Enough to post and claim.',
    },
    marks: { pause: 'pause', entry: 'to enter', recommended: 'recommended' },
    topUp: 'Add to it',
    withdraw: 'Withdraw',
    forOther: 'Add to another wallet’s',
    compare: (deposit: string, marks: string) => `${deposit} against ${marks}`,
  },
  earnings: {
    title: 'Earnings and locked money',
    description: 'Summed over all your tasks in this market.',
    asWorker: 'As a worker',
    asPoster: 'As a poster',
    tasks: (count: number) => (count === 1 ? '1 task' : `${count} tasks`),
    what: 'What',
    amount: 'Amount',
    earned: 'Earned',
    lockedForYou: 'Locked for you',
    disputedForYou: 'In dispute',
    funded: 'Locked so far',
    locked: 'Locked now',
    disputed: 'In dispute',
    released: 'Paid to workers',
    refunded: 'Refunded to you',
    download: 'Download CSV',
    file: (market: string) => `task-market-${market}.csv`,
    failed: 'The file could not be made: the server did not answer. Try again.',
  },
  union: {
    title: 'Union',
    description:
      'Whoever has TOK in the Union of a market shares 40 % of its fees and earns Action Credits, which pay for posting and claiming.',
    staked: 'Yours in it',
    rewards: 'Rewards to claim',
    credits: 'Your Action Credits',
    creditsSays: 'A whole one pays one fee.',
    perDay: '1,000,000 TOK earn one credit in four days.',
    all: 'All in it',
    issued: 'Credits issued',
    remaining: 'Credits left to issue',
    closed: 'The Union has not been opened yet.',
    stake: 'Put TOK in',
    unstake: 'Take TOK out',
  },
  plan: {
    title: 'Posting plan',
    used: (used: number, limit: number) => formatQuotaUse({ used, limit }),
    resets: 'The count starts again',
    change: 'See plans',
  },
  allowances: {
    title: 'Allowances',
    description:
      'Each action allows the market exactly what it spends and no more. You can set an allowance by hand, or take one back with zero.',
    tok: 'TOK allowance',
    usdc: 'USDC allowance',
    revoke: 'Revoke a signature',
  },
} as const

/** Formats Action Credits, which have the decimals of TOK, with those that matter. */
export const formatCredits = (wei: string): string => formatShortAmount(BigInt(wei), 'tok').replace(' TOK', '')
