import { type Market, SvcError } from '@svc/protocol'
import type { SvcErrorOptions } from '@svc/protocol/internal/base'
import { describeQuotaRefusal, type PostingQuota } from '@svc/protocol/internal/money'
import { type ErrorCode, statusOf } from './errorCodes.ts'
import type { ErrorJson } from './json/receiptAnswer.ts'

/** The fields of an error that only some codes have. */
type Details = Omit<ErrorJson, 'error' | 'code' | 'hint' | 'docs'>

export interface ServiceErrorOptions extends SvcErrorOptions, Details {
  /** Seconds after which the same request may succeed. */
  retryAfter?: number
  /** Headers of the HTTP response. */
  headers?: Readonly<Record<string, string>>
}

/**
 * What a service tells its client about a refused request. It is the only error whose message leaves the process: every
 * other error is logged and answered with INTERNAL.
 */
export class ServiceError extends SvcError<ErrorCode> {
  override name = 'ServiceError'
  readonly body: ErrorJson
  readonly headers: Readonly<Record<string, string>>

  constructor(code: ErrorCode, message: string, options: ServiceErrorOptions = {}) {
    const { retryAfter, headers, hint, docs, cause, ...details } = options
    super(code, message, { hint, docs, cause })
    this.body = { error: message, code, ...(hint && { hint }), ...(docs && { docs }), ...details }
    this.headers = { ...headers, ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) }
  }

  get status(): number {
    return statusOf(this.code)
  }
}

/** A dependency is temporarily unavailable; the client may retry after some seconds. */
export function unavailable(code: ErrorCode, message: string, retryAfter = 1): ServiceError {
  return new ServiceError(code, message, { retryAfter })
}

/** Creates the error for a wallet that has used all its posts of today. */
export function createQuotaError(
  quota: PostingQuota,
  whose: { market: Market; wallet: string; plansUrl?: string | undefined; retryAfter?: number | undefined },
): ServiceError {
  const { plansUrl, retryAfter } = whose
  const { error, hint } = describeQuotaRefusal(quota, whose)
  return new ServiceError('QUOTA_REACHED', error, {
    hint,
    quota,
    ...(plansUrl && { plansUrl }),
    ...(retryAfter !== undefined && { retryAfter }),
  })
}
