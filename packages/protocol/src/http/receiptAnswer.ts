import * as z from 'zod/mini'
import { receipt, receiptHeaders } from '../receipt.ts'
import { gatewayErrorJson } from './error.ts'

/** One thing that a claim needs, and how the wallet and the task stand to it. */
const checkJson = z.object({
  name: z.enum([
    'task-open',
    'claim-deadline',
    'entries-open',
    'not-poster',
    'claim-policy',
    'deposit',
    'reserve',
    'live-claims',
    'access-fee',
    'simulation',
  ]),
  ok: z.boolean(),
  /** As people read them, with their units. */
  have: z.string(),
  need: z.string(),
})

export type CheckJson = z.infer<typeof checkJson>

/** A readiness receipt, how to present it, and what it rests on. */
export const receiptAnswerJson = z.object({
  receipt,
  header: z.object({ name: z.literal(receiptHeaders[0]), value: z.string() }),
  expiresAt: z.iso.datetime(),
  checks: z.array(checkJson),
})

/** What a claim without a good receipt is answered with, and a wallet that is not ready. */
export const paymentRequiredJson = z.extend(gatewayErrorJson, {
  /** Where to ask for a receipt. */
  receiptUrl: z.string(),
  checks: z.optional(z.array(checkJson)),
})
