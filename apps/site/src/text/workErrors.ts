/** What went wrong with work, and what to do. */
export const workErrorText = {
  signIn: {
    message: 'Sign in to open this.',
    hint: 'Your wallet signs a message. It costs nothing and moves no money.',
  },
  locked: {
    message: 'This was not shared with you.',
    hint: 'Only the people of the task, and its judge in a dispute, can open it. If you lost your key, restore it in Settings.',
  },
  missing: {
    message: 'The store does not hold this.',
    hint: 'Only its hash is on chain. Ask its author for the files; "svc-verify" shows whether they are the right ones.',
  },
  removed: { message: 'The operator of the store removed this after a notice.', hint: 'Its hash stays on chain.' },
  unreachable: { message: 'The store does not answer.', hint: 'Your work is safe here. Try again in a moment.' },
  wrong: {
    message: 'This is not what the hash on chain stands for.',
    hint: 'Nothing of it is shown. Tell the other party, and do not approve what you cannot open.',
  },
  noStore: { message: 'This market has no store.', hint: 'Only hashes are on chain. Ask the author for the files.' },
  declined: {
    message: 'You declined the request in your wallet.',
    hint: 'Nothing was sent. Try again when you are ready.',
  },
  full: {
    message: 'The store has no room left for this task.',
    hint: 'Send fewer or smaller files, or a link.',
  },
  noKey: {
    message: 'The other side has not signed in at this market yet.',
    hint: 'What you send is encrypted for their key. Ask them to open the task and sign in once.',
  },
  unknown: 'Something went wrong.',
} as const
