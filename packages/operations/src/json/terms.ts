import { termsWire } from '@svc/protocol'
import { describeFields } from '../describeFields.ts'

/** The terms of a task as JSON: the numbers that bind both parties. */
export const termsJson = describeFields(termsWire._zod.def.in.shape, {
  poster: 'Wallet that posts and pays.',
  amountsTokWei: 'Pay of each milestone, in TOK wei.',
  durationsSeconds: 'Time to deliver each milestone, in seconds.',
  reviewWindowSeconds: 'Time to review a delivery, in seconds; after it, silence pays for what the poster could open.',
  maxRevisions: 'Revisions that the poster may request per milestone, 0 to 3.',
  arbitrator:
    'Arbitrator that may take a dispute as its judge, in an open task if the worker names it too; null for none.',
  store: 'Store whose receipt a delivery needs before silence pays for it; null if silence always pays.',
  criteriaHash: 'Hash of the text: title, criteria and milestone titles.',
  scope: 'OPEN: anyone may read and claim the task. PRIVATE: it is between two wallets.',
  claimPolicy: 'ANYONE may claim, or only holders of a PERMIT signed by the poster.',
  claimDeadline: 'End of claims, in unix seconds. For a private task: until when it can be created.',
  nonce: 'Nonce that the poster has not used before, as a decimal string.',
})
