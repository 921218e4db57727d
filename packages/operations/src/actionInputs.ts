import { termsWire } from '@svc/protocol'
import { type ActionInputJson, type ActionName, type AnyAction, actions } from '@svc/protocol/actions'
import { isActionName } from '@svc/protocol/internal/actions'
import { signature, storageReceipt } from '@svc/protocol/internal/base'
import * as z from 'zod'
import { describeFields, describeSchema } from './describeFields.ts'
import { termsJson } from './json/terms.ts'
import type { Operation } from './operation.ts'
import { payFrom, signer } from './params.ts'

type FieldOf<Input> = Input extends unknown ? keyof Input & string : never

/** What the fields of action inputs mean. A new field without a line here does not compile. */
const fieldDescriptions: Readonly<Record<FieldOf<ActionInputJson<ActionName>>, string>> = {
  market: 'Market: standard or micro.',
  taskId: 'Task id: v2:<market>:<number>.',
  terms: 'The numbers that bind both parties.',
  text: 'Text of the task as it is published. Its hash is `criteriaHash` of the terms.',
  fundAmountTokWei: 'Amount to put in escrow now, in TOK wei; "0" for none.',
  amountTokWei: 'Amount in TOK wei, as a decimal string.',
  amountUsdc: 'Amount in USDC units (6 decimals), as a decimal string.',
  agent: 'Wallet whose deposit is topped up.',
  to: 'Wallet that receives the money.',
  worker: 'Wallet that works.',
  posterAcceptance: "The poster's signature of the terms with this worker.",
  workerAcceptance: "The worker's signature of the terms.",
  settlementDigest: 'EIP-712 digest of the terms with you as worker. It protects you against other terms.',
  permit: "The poster's permit; required if the claim policy is PERMIT and the poster has not allowed your wallet.",
  milestone: 'Index of the milestone, from 0.',
  proofHash: 'Keccak-256 hash of the proof of delivery.',
  reasonHash: 'Keccak-256 hash of the reasons.',
  evidenceHash: 'Keccak-256 hash of the evidence.',
  workerBps: "The worker's share in basis points, 0 to 10,000.",
  shareBps:
    "The worker's share that you name, in basis points. A poster that names 0 and a worker that names 10,000 ask for everything.",
  forWorker: "True to pick the worker's share, false to pick the poster's.",
  round: 'Number of the dispute among those of the task, from 1.',
  receipt: "The store's receipt for the delivery; required for silence to pay if the terms name a store.",
  posterSignature: "The poster's signature of this cancellation.",
  workerSignature: "The worker's signature of this cancellation.",
  nonce: 'Nonce to invalidate, as a decimal string.',
  arbitrator:
    'Wallet of a bonded arbitrator. It sits once both parties name it, in signed terms or in the dispute, and it proposes itself.',
  tier: 'Posting plan to buy.',
  beneficiary: 'Wallet that gets the plan.',
  payWith: 'Token to pay with.',
  maxUsdc: 'Most that the TOK may cost, in USDC units (6 decimals); by default 1 % above what the pool asks now.',
  minUsdc: 'Least that the TOK must bring, in USDC units (6 decimals); by default 1 % below what the pool offers now.',
  deadline: 'Last moment of the swap, in unix seconds; by default 5 minutes from now.',
  maxAmount: 'Most that you pay, in the smallest unit of the token: TOK has 18 decimals, USDC has 6.',
}

/** Where a field means something more precise in one action. */
const preciseDescriptions: {
  readonly [Name in ActionName]?: { readonly [Field in keyof ActionInputJson<Name>]?: string }
} = {
  'approve-tok-router': { amountTokWei: 'Allowance of the payment gateway, in TOK wei.' },
  'approve-usdc-vault': { amountUsdc: 'Allowance of the deposit vault, in USDC units (6 decimals).' },
  'top-up': { amountUsdc: 'Amount to add to your deposit, in USDC units (6 decimals).' },
  'emergency-top-up': { amountUsdc: 'Amount to add to the deposit of `agent`, in USDC units (6 decimals).' },
  'withdraw-deposit': { amountUsdc: 'Amount to take out of your deposit, in USDC units (6 decimals).' },
  'fund-task': { amountTokWei: 'Amount to put in escrow, in TOK wei.' },
  'allow-worker': { worker: 'Wallet that may claim the task; the zero address for nobody.' },
  'register-arbitrator': { amountTokWei: 'Amount to add to your bond, in TOK wei.' },
  stake: { amountTokWei: 'Amount to stake, in TOK wei.' },
  unstake: { amountTokWei: 'Amount to unstake, in TOK wei.' },
}

/** A signature of one party as JSON. */
export const signatureJson = describeFields(signature.shape, {
  nonce: 'Nonce that the signer has not used before, as a decimal string.',
  expiry: 'Until when the signature is valid, in unix seconds.',
  data: 'Bytes of the signature, in hex.',
})

/** A store's receipt as JSON. */
const receiptJson = describeFields(storageReceipt.shape, {
  size: 'Bytes that the store holds.',
  until: 'Until when it serves them, in unix seconds.',
  signature: "The store's signature, in hex.",
})

/** Returns the schema of an action's input with a description on every field. */
export function describeActionInput(name: ActionName): z.ZodObject {
  const shape: Readonly<Record<string, z.core.$ZodType>> = actions[name].input.shape
  const precise: Readonly<Record<string, string | undefined>> = preciseDescriptions[name] ?? {}
  const general: Readonly<Record<string, string | undefined>> = fieldDescriptions
  const fields = Object.entries(shape).map(([field, schema]) => [
    field,
    describeSchema(describeParts(schema), precise[field] ?? general[field]),
  ])
  return z.strictObject(Object.fromEntries(fields))
}

/** Returns what preparing an action takes: its described input, where fields that follow from the task may be omitted. */
export function describePrepareInput(name: ActionName): z.ZodObject {
  const { derive = {}, explain }: AnyAction = actions[name]
  const fields = Object.entries(describeActionInput(name).shape).map(([field, schema]) => [
    field,
    field in derive ? z.optional(schema) : schema,
  ])
  return z.strictObject(Object.fromEntries(fields)).describe(`Input of ${name}. ${explain}`)
}

/** The inputs of the operations that prepare an action, by action. */
export const actionCases = {
  field: 'action',
  values: Object.keys(actions),
  describe(name: string) {
    if (!isActionName(name)) throw new Error(`There is no action ${name}.`)
    const action = z.literal(name).describe('Name of the action.')
    const input = describePrepareInput(name)
    const whole = z.strictObject({ action, input, from: signer, payFrom }).describe(`${actions[name].title}.`)
    return { whole, input }
  },
} satisfies Operation['cases']

/** Returns the described form of the objects that inputs contain, and every other schema unchanged. */
function describeParts(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema === termsWire) return termsJson
  if (schema === signature) return signatureJson
  if (schema === storageReceipt) return receiptJson
  if (!(schema instanceof z.core.$ZodOptional)) return schema
  const { innerType } = schema._zod.def
  const described = describeParts(innerType)
  return described === innerType ? schema : z.optional(described)
}
