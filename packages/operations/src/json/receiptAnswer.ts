import { receiptHeaders } from '@svc/protocol'
import { receipt } from '@svc/protocol/internal/money'
import * as z from 'zod'
import { describeFields } from '../describeFields.ts'
import type { ErrorCode } from '../errorCodes.ts'
import { type errorJson, gatewayErrorJson } from './error.ts'

/** One requirement of a claim, and whether the wallet and the task meet it. */
const checkJson = z.object({
  name: z
    .enum(['task-open', 'claim-deadline', 'entries-open', 'not-poster', 'claim-policy', 'deposit', 'tok', 'simulation'])
    .describe('Name of the requirement.'),
  ok: z.boolean().describe('True if it is met.'),
  have: z.string().describe('What there is, with its unit.'),
  need: z.string().describe('What is needed, with its unit.'),
})

export type CheckJson = z.infer<typeof checkJson>

/** A receipt as x402 defines it. */
const receiptJson = describeFields(
  {
    ...receipt.shape,
    payload: describeFields(receipt.shape.payload.shape, {
      version: 'Version of the receipt format.',
      network: 'Chain, as eip155:<id>.',
      resourceUrl: 'URL of the claim that the receipt allows.',
      payer: 'Wallet that the receipt is for.',
      issuedAt: 'When it was issued, in unix seconds.',
      transaction: 'Hash of the payment; empty if none was required.',
    }),
  },
  { format: 'Signature format.', payload: 'What is signed.', signature: "The gateway's signature, in hex." },
)

/** A readiness receipt, how to present it, and what it is based on. */
export const receiptAnswerJson = z.object({
  receipt: receiptJson.describe('The signed x402 receipt.'),
  header: z
    .object({
      name: z.literal(receiptHeaders[0]).describe('Request header to send with the claim.'),
      value: z.string().describe('Value of that header.'),
    })
    .describe('How to present the receipt.'),
  expiresAt: z.iso.datetime().describe('Until when the receipt is valid (ISO 8601, UTC).'),
  checks: z.array(checkJson).describe('Every requirement of the claim.'),
})

/** The response to a claim without a valid receipt, and to a wallet that is not ready. */
export const paymentRequiredJson = z
  .object({
    ...gatewayErrorJson.shape,
    receiptUrl: z.string().describe('Where to ask for a receipt.'),
    checks: z.optional(z.array(checkJson)).describe('Every requirement of the claim; absent if none was checked.'),
  })
  .describe('An error that a readiness receipt resolves, or that says why there is none.')

/** An error of any service: the fields of every code. */
export type ErrorJson = Omit<z.infer<typeof errorJson>, 'code'> &
  Omit<z.infer<typeof paymentRequiredJson>, 'receiptUrl' | 'code'> & {
    code: ErrorCode
    receiptUrl?: string
    missing?: string[]
  }
