import * as z from 'zod/mini'
import { quotaJson } from './quota.ts'

/** The codes that errors of the HTTP API carry, and what each stands for. */
export const errorCodes = {
  INVALID_MARKET: 'There is no such market.',
  INVALID_LIMIT: 'The limit is not a whole number from 1 to 100.',
  INVALID_ADDRESS: 'The address is missing, or is none.',
  INVALID_TASK_ID: 'The task id is missing, or is none.',
  INVALID_TIER: 'There is no such plan.',
  INVALID_PAY_WITH: 'A plan is paid with tok or usdc.',
  INVALID_TX_HASH: 'The transaction hash is none.',
  INVALID_CURSOR: 'The cursor was not given out by this service.',
  INVALID_MIN_BLOCK: 'The block number is none.',
  INVALID_REQUEST: 'The request cannot be read.',
  TASK_NOT_FOUND: 'There is no task with this id.',
  NOT_FOUND: 'There is nothing at this path.',
  METHOD_NOT_ALLOWED: 'The path exists, with another method.',
  BODY_TOO_LARGE: 'The body is larger than allowed.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not application/json.',
  RATE_LIMITED: 'Too many requests from this address.',
  QUOTA_REACHED: 'The daily posting limit is reached.',
  TX_NOT_FOUND: 'The transaction is not visible yet.',
  TX_CONTRADICTS: 'The transaction says something else.',
  PAYMENT_TAKEN: 'The payment was made for another wallet.',
  BLOCK_NOT_REACHED: 'The block asked for is not served yet.',
  CHAIN_UNREACHABLE: 'The chain cannot be read now.',
  DATABASE_UNREACHABLE: 'The database cannot be reached now.',
  PRICE_UNKNOWN: 'The chain gives no price now.',
  CHAT_NOT_CONFIGURED: 'The chat has no key.',
  CHAT_BUSY: 'Too many chats at once, or the day’s budget is spent.',
  CHAT_FAILED: 'The chat gateway failed.',
  CHAT_TIMED_OUT: 'The chat gateway did not answer in time.',
  BUSY: 'Too many are served already.',
  INTERNAL: 'A fault of ours.',
} as const

/** The codes that the local gateway has beside these. */
export const gatewayErrorCodes = {
  PAYMENT_REQUIRED: 'The claim needs a readiness receipt.',
  NOT_READY: 'The wallet or the task is not ready for a claim.',
  WOULD_REVERT: 'The chain would refuse it now.',
  REQUEST_NOT_FOUND: 'There is no prepared request with this id.',
  REQUEST_SETTLED: 'The prepared request is not open any more.',
  FOREIGN_HOST: 'The request was meant for another host.',
  FOREIGN_ORIGIN: 'A page of another origin may not do this.',
} as const

export type ApiErrorCode = keyof typeof errorCodes
/** Of any of them. */
export type ErrorCode = ApiErrorCode | keyof typeof gatewayErrorCodes

/** Every error of the HTTP API. */
export const errorJson = z.object({
  error: z.string(),
  code: z.enum(Object.keys(errorCodes) as [ApiErrorCode, ...ApiErrorCode[]]),
  /** The way out, where one is known. */
  hint: z.optional(z.string()),
  /** With TX_CONTRADICTS: the part of the request that the transaction does not bear out. */
  field: z.optional(z.string()),
  /** With QUOTA_REACHED. */
  quota: z.optional(quotaJson),
})

/** Every error of the local gateway. */
export const gatewayErrorJson = z.object({
  error: z.string(),
  code: z.enum(Object.keys({ ...errorCodes, ...gatewayErrorCodes }) as [ErrorCode, ...ErrorCode[]]),
  hint: z.optional(z.string()),
  /** With WOULD_REVERT: the error of the contract. */
  reason: z.optional(z.string()),
})

/** An error of any of them. */
export type ErrorJson = Omit<z.infer<typeof errorJson>, 'code'> & z.infer<typeof gatewayErrorJson>
