import * as z from 'zod'
import {
  type ApiErrorCode,
  type ErrorCode,
  errorCodes,
  gatewayErrorCodes,
  notifyErrorCodes,
  sessionErrorCodes,
  storeErrorCodes,
} from '../errorCodes.ts'
import { quotaJson } from './quota.ts'

/** What every error has. */
const common = {
  hint: z.optional(z.string()).describe('What to do about it; absent if not known.'),
  docs: z.optional(z.string()).describe('Page that explains the error; absent if there is none.'),
}

/** What QUOTA_REACHED has besides. */
const quotaDetails = {
  quota: z.optional(quotaJson).describe('With QUOTA_REACHED: the quota of the wallet.'),
  plansUrl: z
    .optional(z.string())
    .describe('With QUOTA_REACHED: page where the wallet can buy a plan; absent if the operator has set no site URL.'),
}

/** Every error of the HTTP API. */
export const errorJson = z
  .object({
    error: z.string().describe('What happened, in one sentence.'),
    code: z.enum(Object.keys(errorCodes) as [ApiErrorCode, ...ApiErrorCode[]]).describe('Stable code, for programs.'),
    ...common,
    field: z
      .optional(z.string())
      .describe('With TX_CONTRADICTS: the field of the request that the transaction contradicts.'),
    ...quotaDetails,
  })
  .describe('An error.')

/** Every error of the local gateway. */
export const gatewayErrorJson = z
  .object({
    error: z.string().describe('What happened, in one sentence.'),
    code: z
      .enum(Object.keys({ ...errorCodes, ...gatewayErrorCodes }) as [ErrorCode, ...ErrorCode[]])
      .describe('Stable code, for programs.'),
    ...common,
    reason: z.optional(z.string()).describe('With WOULD_REVERT: the error of the contract.'),
    ...quotaDetails,
  })
  .describe('An error.')

/** Every error of the store. */
export const storeErrorJson = z
  .object({
    error: z.string().describe('What happened, in one sentence.'),
    code: z
      .enum(Object.keys({ ...errorCodes, ...sessionErrorCodes, ...storeErrorCodes }) as [ErrorCode, ...ErrorCode[]])
      .describe('Stable code, for programs.'),
    ...common,
    missing: z.optional(z.array(z.string())).describe('With PARTS_MISSING: hashes of missing parts, at most 1,000.'),
  })
  .describe('An error.')

/** Every error of the notifier. */
export const notifyErrorJson = z
  .object({
    error: z.string().describe('What happened, in one sentence.'),
    code: z
      .enum(Object.keys({ ...errorCodes, ...sessionErrorCodes, ...notifyErrorCodes }) as [ErrorCode, ...ErrorCode[]])
      .describe('Stable code, for programs.'),
    ...common,
  })
  .describe('An error.')
