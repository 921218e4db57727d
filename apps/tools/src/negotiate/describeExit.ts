import { ChainReadError, DeploymentsError, UntrustedDeploymentError } from '@svc/chain'
import { InvalidDraftError, InvalidTermsError, SvcError, TextTooLongError } from '@svc/protocol'
import type { SvcErrorOptions } from '@svc/protocol/internal/base'
import { BrokenTranscriptError, InvalidAgreementError, MessageRefusedError } from '@svc/protocol/negotiation'
import { PinError, SiteConfigError } from '@svc/serve'
import { CommanderError } from 'commander'
import { exitCodes } from '../exitCodes.ts'
import { TransportError } from '../transport/transport.ts'
import { BusyError } from './fileLock.ts'
import { DamagedFileError } from './transcriptFile.ts'
import { UnknownNegotiationError } from './transcriptStore.ts'

/** Returns the exit code and message of an error. For a wrapped error, the cause with a known class decides. */
export function describeExit(error: unknown): { code: number; message: string } {
  if (error instanceof CommanderError)
    return { code: error.exitCode === 0 ? exitCodes.done.code : exitCodes.usage.code, message: error.message }
  for (let depth = 0, at = error; depth < 20 && at instanceof Error; depth++, at = at.cause) {
    const { message } = at
    for (const [code, kinds] of errorClasses) if (kinds.some((kind) => at instanceof kind)) return { code, message }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { code: 1, message: `Internal error, please report it: ${message}` }
}

/** Thrown for invalid or missing arguments. */
export class UsageError extends SvcError {
  override name = 'UsageError'

  constructor(message: string, options?: SvcErrorOptions) {
    super('USAGE', message, options)
  }
}

const errorClasses = [
  [exitCodes.usage.code, [UsageError, InvalidDraftError, DeploymentsError, UnknownNegotiationError, TextTooLongError]],
  [exitCodes.unreachable.code, [TransportError, ChainReadError, SiteConfigError]],
  [
    exitCodes.refused.code,
    [
      MessageRefusedError,
      BrokenTranscriptError,
      InvalidAgreementError,
      InvalidTermsError,
      BusyError,
      DamagedFileError,
      UntrustedDeploymentError,
      PinError,
    ],
  ],
] as const
