import { formatAmount, parseAmount } from '@svc/protocol'
import { getAddress, isAddress, keccak256, stringToHex } from 'viem'
import { text as commonText } from '../text/common.ts'
import { fieldText } from '../text/fields.ts'

/** How one input is asked for. */
interface Asked {
  /** The help text. */
  hint?: string
  kind: 'text' | 'words' | 'json' | 'choice'
  choices?: readonly (readonly [value: string, label: string])[]
  /** Converts the typed text to JSON. Throws an error with a message for the user. */
  read: (typed: string) => unknown
  /** Formats a known value as the text to start with. The user may change it; other known values are not shown. */
  suggest?: (known: unknown) => string
}

/** The form field of one input. */
export interface Field extends Asked {
  label: string
}

const { labels, hints, choices, problems } = fieldText

const amount = (token: 'tok' | 'usdc'): Asked => ({
  hint:
    token === 'tok'
      ? hints.amount('TOK', formatAmount(1_250_500_000_000_000_000_000n, token))
      : hints.amount('USDC', formatAmount(25_000_000n, token)),
  kind: 'text',
  read: (typed) => String(parseAmount(typed, token)),
})

/** Text whose hash goes on chain. The user must keep the text itself. */
const hashed: Asked = {
  hint: hints.hashed,
  kind: 'words',
  read: (typed) => {
    const text = typed.trim()
    if (text === '') throw new Error(problems.noText)
    return /^0x[0-9a-fA-F]{64}$/.test(text) ? text.toLowerCase() : keccak256(stringToHex(text))
  },
}

const wallet: Asked = {
  kind: 'text',
  read: (typed) => {
    const text = typed.trim()
    if (!isAddress(text, { strict: text !== text.toLowerCase() })) throw new Error(problems.address)
    return getAddress(text)
  },
}

const json = (hint: string): Asked => ({
  hint,
  kind: 'json',
  read: (typed) => {
    try {
      return JSON.parse(typed)
    } catch {
      throw new Error(problems.json)
    }
  },
})
const signature = json(hints.signature)

const share = (hint: string): Asked => ({
  hint,
  kind: 'text',
  read: (typed) => {
    const text = typed.trim().replace(/\s*%$/, '')
    if (!/^\d{1,3}(?:\.\d{1,2})?$/.test(text) || Number(text) > 100) throw new Error(problems.share)
    return Math.round(Number(text) * 100)
  },
})

const plain: Asked = { kind: 'text', read: (typed) => typed.trim() }
const choice = (...of: readonly (readonly [value: string, label: string])[]): Asked => ({
  kind: 'choice',
  choices: of,
  read: (typed) => typed,
})

const fields: Readonly<Record<keyof typeof labels, Asked>> = {
  amountTokWei: amount('tok'),
  fundAmountTokWei: amount('tok'),
  amountUsdc: amount('usdc'),
  proofHash: hashed,
  reasonHash: hashed,
  evidenceHash: hashed,
  arbitrator: { ...wallet, hint: hints.arbitrator },
  agent: wallet,
  to: wallet,
  beneficiary: wallet,
  worker: wallet,
  workerBps: share(hints.workerBps),
  shareBps: { ...share(hints.shareBps), suggest: (known) => String(Number(known) / 100) },
  forWorker: {
    ...choice(['', choices.none], ['yes', choices.workersShare], ['no', choices.postersShare]),
    hint: hints.forWorker,
    read: (typed) => {
      if (typed === '') throw new Error(problems.noShare)
      return typed === 'yes'
    },
  },
  round: { hint: hints.round, kind: 'text', read: Number },
  receipt: json(hints.receipt),
  nonce: {
    hint: hints.nonce,
    kind: 'text',
    read: (typed) => {
      if (!/^\d{1,78}$/.test(typed.trim())) throw new Error(problems.nonce)
      return typed.trim()
    },
  },
  terms: json(hints.terms),
  permit: signature,
  posterAcceptance: signature,
  workerAcceptance: signature,
  posterSignature: signature,
  workerSignature: signature,
  settlementDigest: plain,
  tier: choice(['basic', choices.basic], ['pro', choices.pro]),
  payWith: choice(['tok', 'TOK'], ['usdc', 'USDC']),
  maxAmount: plain,
  maxUsdc: amount('usdc'),
  minUsdc: amount('usdc'),
  deadline: { kind: 'text', read: Number },
  text: { kind: 'words', read: (typed) => typed },
  milestone: { hint: hints.milestone, kind: 'text', read: (typed) => Number(typed) },
  market: choice(['standard', commonText.market.standard], ['micro', commonText.market.micro]),
  taskId: { ...plain, hint: hints.taskId },
}

/** Returns the form field of an input. */
export function getField(name: string): Field {
  return isNamed(name) ? { label: labels[name], ...fields[name] } : { label: name, ...plain }
}

const isNamed = (name: string): name is keyof typeof labels => name in labels
