import { SvcError } from '@svc/protocol'
import type { SvcErrorOptions } from '@svc/protocol/internal/base'
import { exitCodes } from '../exitCodes.ts'

/** The result of `svc-verify`: as lines for people, as JSON for programs. */
export interface Report {
  lines: readonly string[]
  json: Readonly<Record<string, unknown>>
  isTrue: boolean
}

/** The exit codes and their meanings. */
export const verifyExitCodes = {
  equal: { code: 0, description: 'true: equal, or a valid agreement or bundle' },
  different: { code: 1, description: 'different, or an invalid agreement or bundle' },
  usage: exitCodes.usage,
  unverified: {
    code: 3,
    description: 'not verified: the block is no longer available, or the chain or the service cannot be reached',
  },
} as const

/** Thrown if nothing could be verified. */
export class UnverifiedError extends SvcError {
  override name = 'UnverifiedError'

  constructor(message: string, options?: SvcErrorOptions) {
    super('UNVERIFIED', message, options)
  }
}
