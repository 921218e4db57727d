import { ChainReadError, DeploymentsError } from '@svc/chain'
import { InvalidTermsError, TextTooLongError } from '@svc/protocol'
import { BrokenTranscriptError, InvalidAgreementError, MessageRefusedError } from '@svc/protocol/negotiation'
import { CommanderError } from 'commander'
import { exits } from '../exits.ts'
import { TransportError } from '../transport/transport.ts'
import { UnknownNegotiationError } from './book.ts'
import { BusyError } from './locked.ts'
import { DamagedFileError } from './transcriptFile.ts'

/** The exit code of an error, and what to tell the one who called: of an error that others wrapped, the one that says why. */
export function exitOf(error: unknown): { code: number; message: string } {
  if (error instanceof CommanderError)
    return { code: error.exitCode === 0 ? exits.done.code : exits.usage.code, message: error.message }
  for (let depth = 0, at = error; depth < 20 && at instanceof Error; depth++, at = at.cause) {
    const { message } = at
    for (const [code, kinds] of kindsOf) if (kinds.some((kind) => at instanceof kind)) return { code, message }
  }
  const said = error instanceof Error ? error.message : String(error)
  return { code: 1, message: `This is a fault of the program: ${said}` }
}

/** A command that cannot be understood, or lacks something. */
export class UsageError extends Error {
  override name = 'UsageError'
}

const kindsOf = [
  [exits.usage.code, [UsageError, DeploymentsError, UnknownNegotiationError, TextTooLongError]],
  [exits.unreachable.code, [TransportError, ChainReadError]],
  [
    exits.refused.code,
    [MessageRefusedError, BrokenTranscriptError, InvalidAgreementError, InvalidTermsError, BusyError, DamagedFileError],
  ],
] as const
