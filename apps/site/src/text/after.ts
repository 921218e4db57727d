import type { ActionName } from '@svc/protocol/actions'

/** Where the next step is. */
export const afterLinks = {
  task: 'See the task',
  explore: 'Find a task',
  post: 'Post another task',
  wallet: 'See your wallet',
  judge: 'See your cases',
  plans: 'See your plan',
} as const

/** What the screen after each action says: what happened, what happens next and when, and where to go on. */
export const afterText: Readonly<
  Record<ActionName, readonly [title: string, next: string, when: string, to: keyof typeof afterLinks]>
> = {
  'approve-usdc-vault': ['Allowed', 'Add to your deposit', 'Nothing has left your wallet yet.', 'wallet'],
  'approve-tok-router': ['Allowed', 'Go on with what it is for', 'Nothing has left your wallet yet.', 'wallet'],
  'top-up': ['Added to your deposit', 'Claim or post a task', 'It stays yours, and can be taken out again.', 'explore'],
  'emergency-top-up': [
    'Added to their deposit',
    'Their tasks go on',
    'It is a gift: it belongs to them now.',
    'wallet',
  ],
  'withdraw-deposit': ['It’s in your wallet', 'Nothing else to do', 'You can add it again at any time.', 'wallet'],
  'post-task': ['Your task is live', 'Somebody takes it', 'You’ll hear from us.', 'task'],
  'create-task': ['The task is agreed', 'The pay is locked, then the work starts', 'Both sides are told.', 'task'],
  'fund-task': ['The pay is locked', 'The work can start', 'It is paid once you approve.', 'task'],
  'allow-worker': ['You chose', 'They accept', 'They are told now.', 'task'],
  'claim-task': ['It’s yours', 'The work starts', 'You’ll hear from us.', 'task'],
  'start-work': ['The work has started', 'The delivery', 'The time for it runs from now.', 'task'],
  'submit-proof': ['Delivered', 'The answer', 'Without one in time, you’re paid.', 'task'],
  'request-revision': ['Request sent', 'The next version', 'The work stays locked until you approve.', 'task'],
  'accept-milestone': ['Paid', 'Nothing else to do', 'The pay has arrived.', 'post'],
  'release-lapsed': ['Paid', 'Nothing else to do', 'The pay has arrived.', 'task'],
  'complete-task': ['Paid', 'Nothing else to do', 'The pay has arrived.', 'post'],
  'cancel-task': ['Cancelled', 'Nothing else to do', 'What was locked is back in your wallet.', 'post'],
  'leave-task': ['You left the task', 'Nothing else to do', 'The poster is told now.', 'explore'],
  'dismiss-worker': ['The worker is told', 'See what happens with the task', 'The task says until when.', 'task'],
  'expire-task': ['Closed', 'Nothing else to do', 'What was locked is back where it belongs.', 'task'],
  'mutual-cancel': ['Ended together', 'Nothing else to do', 'Both sides have their part.', 'task'],
  'withdraw-payout': ['It’s in your wallet', 'Nothing else to do', 'No task waits for it.', 'wallet'],
  'invalidate-nonce': ['Taken back', 'Nothing else to do', 'Nobody can use that signature any more.', 'wallet'],
  'open-dispute': ['The dispute is open', 'Both sides show evidence', 'The task says until when.', 'task'],
  'propose-arbitrator': ['Your choice is in', 'The case goes on', 'You’ll hear from us when it is your turn.', 'task'],
  'step-down': ['You gave the case back', 'Somebody else decides it', 'It cost you nothing.', 'judge'],
  'submit-evidence': ['Your evidence is in', 'The judge decides', 'The task says until when.', 'task'],
  'resolve-dispute': ['You have ruled', 'Either side can appeal', 'Without an appeal it is carried out.', 'judge'],
  escalate: ['You appealed', 'The final court decides', 'The task says until when. You’ll hear from us.', 'task'],
  'decide-dispute': ['Decided', 'Nothing else to do', 'Both sides have their part. It is final.', 'task'],
  'finalize-dispute': ['Carried out', 'Nothing else to do', 'Both sides have their part.', 'task'],
  'resolve-timed-out': ['The case goes on', 'See who is next', 'The task says until when.', 'task'],
  'register-arbitrator': ['You’re a judge now', 'Somebody names you', 'You’ll hear from us, and can say no.', 'judge'],
  'request-unbond': ['No new cases for you', 'Take your bond out', 'In seven days, after your last case.', 'judge'],
  unbond: ['Your bond is in your wallet', 'Nothing else to do', 'You can be a judge again at any time.', 'wallet'],
  'withdraw-award': ['It’s in your wallet', 'Nothing else to do', 'No case waits for it.', 'wallet'],
  'buy-plan': ['The plan is yours', 'Post more tasks', 'It lasts 30 days.', 'plans'],
  stake: ['It’s in the Union', 'It earns Action Credits', 'You can take it out again.', 'wallet'],
  unstake: ['It’s in your wallet', 'Nothing else to do', 'Your Action Credits stay yours.', 'wallet'],
  'claim-rewards': ['It’s in your wallet', 'Nothing else to do', 'More is earned with every fee.', 'wallet'],
  'buy-tok': ['TOK is in your wallet', 'Go on with what it is for', 'What is left can be sold again.', 'wallet'],
  'sell-tok': ['USDC is in your wallet', 'Nothing else to do', 'It is yours to send anywhere.', 'wallet'],
}
