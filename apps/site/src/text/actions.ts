/** Text of the page with every action. */
export const actionsText = {
  title: 'Every action',
  description:
    'The advanced door: each action of the market as a form with all of its inputs. You see what you would sign before you sign it.',
  back: 'All actions',
  groups: {
    money: 'Wallet and deposit',
    post: 'Post and lock',
    work: 'Work and pay',
    dispute: 'Disputes',
    judge: 'Judging',
    union: 'Union and plans',
    other: 'Other',
  },
} as const

/** The group of each action. One that is not listed is in `other`. */
export const actionGroups: Readonly<Record<Exclude<keyof typeof actionsText.groups, 'other'>, readonly string[]>> = {
  money: [
    'top-up',
    'withdraw-deposit',
    'emergency-top-up',
    'withdraw-payout',
    'approve-tok-router',
    'approve-usdc-vault',
    'invalidate-nonce',
  ],
  post: ['post-task', 'create-task', 'fund-task', 'allow-worker', 'cancel-task', 'expire-task'],
  work: [
    'claim-task',
    'start-work',
    'submit-proof',
    'accept-milestone',
    'complete-task',
    'request-revision',
    'release-lapsed',
    'leave-task',
    'dismiss-worker',
    'mutual-cancel',
  ],
  dispute: [
    'open-dispute',
    'propose-arbitrator',
    'submit-evidence',
    'escalate',
    'finalize-dispute',
    'resolve-timed-out',
  ],
  judge: [
    'resolve-dispute',
    'step-down',
    'decide-dispute',
    'register-arbitrator',
    'request-unbond',
    'unbond',
    'withdraw-award',
  ],
  union: ['stake', 'unstake', 'claim-rewards', 'buy-plan'],
}
