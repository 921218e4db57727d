import { formatAmount, parseAmount } from '@svc/protocol'
import { getAddress, isAddress, keccak256, stringToHex } from 'viem'

/** The form field of one input. */
export interface Field {
  label: string
  /** The help text. */
  hint?: string
  kind: 'text' | 'words' | 'json' | 'choice'
  choices?: readonly (readonly [value: string, label: string])[]
  /** Converts the typed text to JSON. Throws an error with a message for the user. */
  read: (typed: string) => unknown
  /** Formats a known value as the text to start with. The user may change it; other known values are not shown. */
  suggest?: (known: unknown) => string
}

const amount = (token: 'tok' | 'usdc', label: string): Field => ({
  label,
  hint: `In ${token === 'tok' ? 'TOK' : 'USDC'}, like ${formatAmount(token === 'tok' ? 1_250_500_000_000_000_000_000n : 25_000_000n, token)}`,
  kind: 'text',
  read: (typed) => String(parseAmount(typed, token)),
})

/** Text whose hash goes on chain. The user must keep the text itself. */
const hashed = (label: string): Field => ({
  label,
  hint: 'Only the hash of this goes on chain. Keep the text: you show it to the other side, and in a dispute. A hash of 32 bytes is taken as it is.',
  kind: 'words',
  read: (typed) => {
    const text = typed.trim()
    if (text === '') throw new Error('Enter some text. Its hash goes on chain.')
    return /^0x[0-9a-fA-F]{64}$/.test(text) ? text.toLowerCase() : keccak256(stringToHex(text))
  },
})

const wallet = (label: string, hint?: string): Field => ({
  label,
  ...(hint && { hint }),
  kind: 'text',
  read: (typed) => {
    const text = typed.trim()
    if (!isAddress(text, { strict: text !== text.toLowerCase() })) {
      throw new Error('Not a valid address. Expected 0x and 40 hex digits.')
    }
    return getAddress(text)
  },
})

const json = (label: string, hint: string): Field => ({
  label,
  hint,
  kind: 'json',
  read: (typed) => {
    try {
      return JSON.parse(typed)
    } catch {
      throw new Error('Not valid JSON. Paste the whole file.')
    }
  },
})

const signature = (label: string) =>
  json(label, 'As { nonce, expiry, data }: what the party signed, from its agreement file.')

const share = (label: string, hint: string): Field => ({
  label,
  hint,
  kind: 'text',
  read: (typed) => {
    const text = typed.trim().replace(/\s*%$/, '')
    if (!/^\d{1,3}(?:\.\d{1,2})?$/.test(text) || Number(text) > 100) {
      throw new Error('Enter a share from 0 to 100 %, with at most two decimals.')
    }
    return Math.round(Number(text) * 100)
  },
})

const fields: Readonly<Record<string, Field>> = {
  amountTokWei: amount('tok', 'Amount'),
  fundAmountTokWei: amount('tok', 'To pay in now'),
  amountUsdc: amount('usdc', 'Amount'),
  proofHash: hashed('Proof of delivery'),
  reasonHash: hashed('Reasons'),
  evidenceHash: hashed('Evidence'),
  arbitrator: wallet('Arbitrator', 'A bonded wallet; both parties must name the same one.'),
  agent: wallet('Whose deposit'),
  to: wallet('Pay to'),
  beneficiary: wallet('For whom'),
  worker: wallet('Worker'),
  workerBps: share('Share of the worker', 'In percent of what is in escrow, 0 to 100.'),
  shareBps: {
    ...share(
      'Share of the worker',
      "In percent of the milestone, 0 to 100: what you accept. Later you can only move towards the other side's share; the dispute ends where the two meet. A ruling picks one of them.",
    ),
    suggest: (known) => String(Number(known) / 100),
  },
  forWorker: {
    label: 'Which share holds',
    hint: 'A ruling picks the share that one side named, never another.',
    kind: 'choice',
    choices: [
      ['', 'Choose one'],
      ['yes', "The worker's share"],
      ['no', "The poster's share"],
    ],
    read: (typed) => {
      if (typed === '') throw new Error("Choose the worker's or the poster's share.")
      return typed === 'yes'
    },
  },
  unfounded: {
    label: 'If you overturn the judge',
    kind: 'choice',
    choices: [
      ['no', 'Its ruling was wrong'],
      ['yes', 'No reasonable judge could have ruled so: it loses all it locked for what was disputed'],
    ],
    read: (typed) => typed === 'yes',
  },
  receipt: json('Receipt of the store', 'As { size, until, signature }: what the store signed for this delivery.'),
  nonce: {
    label: 'Nonce',
    hint: 'The number inside the signature that should not count any more.',
    kind: 'text',
    read: (typed) => {
      if (!/^\d{1,78}$/.test(typed.trim())) throw new Error('Not a valid nonce. Enter a whole number.')
      return typed.trim()
    },
  },
  terms: json('Terms', 'The numbers of the terms document.'),
  permit: signature('Permit of the poster'),
  posterAcceptance: signature('Acceptance of the poster'),
  workerAcceptance: signature('Acceptance of the worker'),
  posterSignature: signature('Signature of the poster'),
  workerSignature: signature('Signature of the worker'),
  settlementDigest: {
    label: 'Settlement digest',
    kind: 'text',
    read: (typed) => typed.trim(),
  },
  tier: {
    label: 'Plan',
    kind: 'choice',
    choices: [
      ['basic', 'Basic: 25 posts a day'],
      ['pro', 'Pro: 200 posts a day'],
    ],
    read: (typed) => typed,
  },
  payWith: {
    label: 'Pay with',
    kind: 'choice',
    choices: [
      ['tok', 'TOK'],
      ['usdc', 'USDC'],
    ],
    read: (typed) => typed,
  },
  maxAmount: { label: 'At most', kind: 'text', read: (typed) => typed.trim() },
  text: { label: 'Text', kind: 'words', read: (typed) => typed },
  milestone: { label: 'Milestone', hint: 'From 0.', kind: 'text', read: (typed) => Number(typed) },
  market: {
    label: 'Market',
    kind: 'choice',
    choices: [
      ['standard', 'Standard'],
      ['micro', 'Micro'],
    ],
    read: (typed) => typed,
  },
  taskId: { label: 'Task', hint: 'Like v2:standard:7', kind: 'text', read: (typed) => typed.trim() },
}

/** Returns the form field of an input. */
export const getField = (name: string): Field =>
  fields[name] ?? { label: name, kind: 'text', read: (typed) => typed.trim() }
