import type { BundleKind } from '@svc/protocol/work'

const list = new Intl.ListFormat('en', { type: 'conjunction' })

/** Text of the editor in which people write work, requests, evidence and reasons. */
export const workWriteText = {
  labels: {
    delivery: 'What you deliver',
    revision: 'What should change',
    evidence: 'Your evidence',
    ruling: 'Your reasons',
    brief: 'Attachments',
  } satisfies Record<BundleKind, string>,
  placeholders: {
    delivery: 'What is in the files, how you tested it, what is left open.',
    revision: 'What does not meet the terms, point by point.',
    evidence: 'What was agreed, what happened, and where the judge can see it.',
    ruling: 'What you looked at, which terms decide, and why this share holds.',
    brief: '',
  } satisfies Record<BundleKind, string>,
  who: (people: readonly string[]) => `Encrypted on this device. Only ${list.format(people)} can open it.`,
  you: 'you',
  poster: 'the poster',
  worker: 'the worker',
  judge: 'the judge of the dispute',
  write: 'Write',
  preview: 'Preview',
  modes: 'Write or preview',
  startFromLast: 'Start from your last delivery',
  emptyPreview: 'Nothing written yet. Markdown works: **bold**, lists, links.',
  drop: 'Drop files here, or',
  choose: 'Choose files',
  limits: (files: number, size: string) => `Up to ${files} files, ${size} in all.`,
  files: (count: number, size: string) => `${count} ${count === 1 ? 'file' : 'files'}, ${size}`,
  remove: (name: string) => `Remove ${name}`,
  saveState: {
    saved: 'Kept on this device until it is on chain.',
    saving: 'Saving on this device …',
    notSaved: 'This browser stores no drafts. Do not close the page before you have signed.',
  },
  stages: {
    signIn: 'Sign in with your wallet. It costs nothing and moves no money.',
    seal: 'Encrypting …',
    upload: (sent: string, total: string) => `Sending ${sent} of ${total} …`,
    receipt: 'Waiting for the receipt of the store …',
  },
  cancel: 'Cancel',
  cancelled: 'Cancelled. What was sent already is not sent again.',
  tryAgain: 'Your draft is safe. "Review" tries again, and goes on where it stopped.',
  withoutReceipt: 'Deliver without the receipt of the store',
  withoutReceiptNote:
    'Your delivery counts in time, but the silence of the poster does not pay you until you deliver again with the receipt.',
  problems: {
    empty: 'Write something, or add a file.',
    tooMany: (files: number) => `A delivery has at most ${files} files. Put them into an archive.`,
    tooLarge: (size: string) => `That is more than ${size}. Remove a file, or link to it.`,
    longText: 'The text is too long. Put it into a file.',
    name: (name: string, why: string) => `"${name}" cannot be sent under this name: ${why}. Rename it.`,
    folder: 'Folders cannot be dropped. Choose the files, or put them into an archive.',
  },
  noStore:
    'This market has no store for files. Only a hash goes on chain: keep the text and the files, and send them to the other side yourself.',
  otherStore: (address: string) =>
    `The terms name the store ${address}, which this site cannot reach. Send your files with "svc-work", and enter its hash and receipt here.`,
  onlyHash: 'Advanced: enter a hash',
  writeHere: 'Write it here instead',
} as const
