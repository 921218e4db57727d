import { formatAmount } from '@svc/protocol'
import { bps, judgeLockBps, minBond, minJudgeLock, rulingFee, unbondCooldown } from '@svc/protocol/internal/money'

const formatDays = (seconds: number) => `${seconds / 86_400} days`
const percent = (share: bigint) => `${Number((share * 1_000n) / bps) / 10} %`

/** Text of the page about judging. */
export const judgeText = {
  title: 'Judging',
  description:
    'When poster and worker disagree, one judge reads both sides and picks the share that one of them named.',
  cases: 'Cases that wait for you',
  noCases: 'No case waits for you. When both sides of a dispute name you, it appears here and in your inbox.',
  bond: {
    title: 'Your bond',
    total: 'Bond',
    locked: 'Locked by open cases',
    free: 'Free for new cases',
    largest: 'Largest case you can take',
    since: 'Bonded since',
    openCases: 'Open cases',
    resolved: 'Ruled',
    timedOut: 'Missed',
    overturned: 'Overturned',
    award: 'Waiting for you to withdraw',
    unbonding: 'You stopped taking cases. Your bond is free',
    unbondReady: 'Your bond is free. Withdraw it once your last case is closed.',
    add: 'Add to the bond',
    stop: 'Stop judging',
    become: 'Become a judge',
    none: 'You are not a judge in this market.',
  },
  pays: {
    title: 'What it pays, and what it risks',
    description:
      'A judge earns the same in every case, but can lose more in a large one. Take cases that you can read with care.',
    disputed: 'In dispute',
    locks: 'You lock',
    earns: 'You earn',
    loses: 'Overturned, you lose',
    rules: [
      `You earn ${formatAmount(rulingFee, 'usdc')} from the side that loses.`,
      `A case locks ${percent(judgeLockBps)} of the milestone, at least ${formatAmount(minJudgeLock, 'tok')}, until it is closed.`,
      `If the final court overturns you, you lose ${percent(judgeLockBps)} of what your ruling moved, the poster's stake included, at least ${formatAmount(minJudgeLock, 'tok')}. It is burnt: nobody gains from it.`,
      'Until you rule you can give the case back, free of charge. Do so if you cannot open something.',
      `If you take a case and stay silent, you lose ${formatAmount(minJudgeLock, 'tok')}, and the final court takes over.`,
    ],
  },
  how: {
    title: 'How to become a judge',
    steps: [
      [
        'Bond TOK',
        `At least ${formatAmount(minBond, 'tok')}. The larger your bond, the larger the cases that you can take.`,
      ],
      ['Be named', 'You judge a case only if both sides name you and you accept it. Nobody has to.'],
      ['Watch your inbox', 'A case that you can take appears there with both shares and the time to accept.'],
      [
        'Rule with reasons',
        'When the time for evidence is over, pick one of the two shares. The loser can appeal to the final court.',
      ],
      [
        'Stop when you like',
        `Your bond comes back ${formatDays(unbondCooldown)} after you ask, once your last case is closed.`,
      ],
    ],
  },
  more: 'All figures and attacks are in the economics page of the documentation.',
} as const
