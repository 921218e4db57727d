import {
  bondAge,
  bps,
  computeJudgeLock,
  courtShareBps,
  formatAmount,
  judgeLockBps,
  judgeLossBps,
  maxJudgeShare,
  minBond,
  minJudgeLock,
  rulingFee,
  unbondCooldown,
} from '@svc/protocol'

const formatDays = (seconds: number) => `${seconds / 86_400} days`
const percent = (share: bigint) => `${Number((share * 1_000n) / bps) / 10} %`

/** Text of the page about judging. */
export const judgeText = {
  title: 'Judging',
  says: 'When poster and worker disagree, one judge reads both sides and picks the share that one of them named.',
  cases: 'Cases that wait for you',
  noCases: 'No case waits for you. When you are drawn or named, it appears here and in your inbox.',
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
    young: (until: string) => `Your bond can be drawn from ${until} on. Until then, parties can name you.`,
    unbonding: 'You stopped taking cases. Your bond is free',
    unbondReady: 'Your bond is free. Withdraw it once your last case is closed.',
    add: 'Add to the bond',
    stop: 'Stop judging',
    become: 'Become a judge',
    none: 'You are not a judge in this market.',
  },
  pays: {
    title: 'What it pays, and what it risks',
    says: 'The pay of a judge is capped, its loss is not. Take cases you can read with care.',
    disputed: 'In dispute',
    locks: 'You lock',
    earns: 'You earn',
    loses: 'Overturned, you lose',
    rules: [
      `You earn ${formatAmount(rulingFee, 'usdc')} and ${percent(courtShareBps)} of what is between the two shares, at most ${formatAmount(maxJudgeShare, 'tok')} of it.`,
      `A case locks ${percent(judgeLockBps)} of the milestone, at least ${formatAmount(minJudgeLock, 'tok')}, until it is closed.`,
      `If the final court overturns you, you lose ${percent(judgeLossBps)} of what is between the shares, at least ${formatAmount(minJudgeLock, 'tok')}.`,
      'If it finds no ground for your ruling at all, you lose everything that you locked.',
      `If you stay silent, you lose ${percent(judgeLossBps)} of the milestone, and the final court takes over.`,
    ],
    earnsValue: (fee: string, share: string) => `${fee} + ${share}`,
  },
  how: {
    title: 'How to become a judge',
    steps: [
      [
        'Bond TOK',
        `At least ${formatAmount(minBond, 'tok')}. The larger your bond, the larger the cases and the more often you are drawn.`,
      ],
      [
        'Wait seven days',
        `Only a bond of ${formatDays(bondAge)} is drawn, so that nobody buys a seat in a running case. Parties can name you at once.`,
      ],
      [
        'Watch your inbox',
        'A drawn judge sits at once. The case appears in your inbox with both sides and the time to rule.',
      ],
      ['Rule with reasons', 'Pick one of the two shares. The loser can appeal to the final court.'],
      [
        'Stop when you like',
        `Your bond comes back ${formatDays(unbondCooldown)} after you ask, once your last case is closed.`,
      ],
    ],
  },
  more: 'All figures and attacks are in the economics page of the documentation.',
} as const

/** Computes what a case over an amount locks, pays and can cost, in TOK wei, if all of it is between the shares. */
export function computeJudgeStakes(amount: bigint) {
  const share = (amount * courtShareBps) / bps
  const loss = (amount * judgeLossBps) / bps
  return {
    lock: computeJudgeLock(amount),
    share: share < maxJudgeShare ? share : maxJudgeShare,
    loss: loss > minJudgeLock ? loss : minJudgeLock,
  }
}
