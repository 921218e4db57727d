import {
  ChainReadError,
  CourtCallError,
  SwapRefusedError,
  UnknownTaskError,
  UntrustedDeploymentError,
} from '@svc/chain'
import { type PreparedJson, type QuotaJson, quotaJson, type RequestJson, ServiceError } from '@svc/operations'
import { InvalidAmountError, InvalidTaskIdError, InvalidTermsError, SvcError, TextTooLongError } from '@svc/protocol'
import { formatIssue } from '@svc/protocol/internal/base'
import { CourtBatchError } from '@svc/protocol/internal/steps'
import { StatementRequiredError } from '@svc/protocol/internal/work'
import { EnvError, PinError, SiteConfigError } from '@svc/serve'
import { CommanderError } from 'commander'
import * as z from 'zod/mini'
import { type ExitName, exitCodes } from '../exitCodes.ts'

interface Details {
  /** What to do. */
  hint?: string
  /** The error code for programs. By default it follows from the exit code. */
  code?: string
  /** What the error is about. */
  prepared?: PreparedJson
  request?: RequestJson
  checks?: readonly unknown[]
  /** With QUOTA_REACHED. */
  quota?: QuotaJson
  plansUrl?: string
}

const codes: Readonly<Record<ExitName, string>> = {
  done: 'DONE',
  usage: 'USAGE',
  unreachable: 'UNREACHABLE',
  refused: 'REFUSED',
  timedOut: 'TIMED_OUT',
}

/** Thrown if a command fails: a message, a hint and the exit code. */
export class PrepareError extends SvcError {
  override name = 'PrepareError'
  readonly exit: ExitName
  readonly details: Details

  constructor(exit: ExitName, message: string, details: Details = {}) {
    super(details.code ?? codes[exit], message, { hint: details.hint })
    this.exit = exit
    this.details = details
  }
}

/** The schema of the JSON result of a failed command. */
export const errorAnswer = z.object({
  error: z.string(),
  code: z.string(),
  exit: z.int(),
  hint: z.optional(z.string()),
  prepared: z.optional(z.unknown()),
  request: z.optional(z.unknown()),
  checks: z.optional(z.array(z.unknown())),
  quota: z.optional(quotaJson),
  plansUrl: z.optional(z.string()),
})

/** Returns the exit code and the JSON result of an error. */
export function describeFailure(error: unknown): { exit: number; json: z.infer<typeof errorAnswer> } {
  const known = knownError(error)
  if (!known) {
    const message = error instanceof Error ? error.message : String(error)
    return { exit: 1, json: { error: `Internal error, please report it: ${message}`, code: 'FAULT', exit: 1 } }
  }
  const { code: exit } = exitCodes[known.exit]
  return {
    exit,
    json: { error: known.message, exit, ...known.details, code: known.code } as z.infer<typeof errorAnswer>,
  }
}

function knownError(error: unknown): PrepareError | null {
  if (error instanceof PrepareError) return error
  if (error instanceof CommanderError) {
    const message = toSentence(error.message.replace(/^error: /, '').replaceAll('\n', ' '))
    return new PrepareError('usage', message, { hint: 'See svc-prepare --help.' })
  }
  if (error instanceof ServiceError) {
    const { error: message, code, hint, quota, plansUrl } = error.body
    return new PrepareError('refused', message, {
      code,
      ...(hint && { hint }),
      ...(quota && { quota }),
      ...(plansUrl && { plansUrl }),
    })
  }
  if (error instanceof EnvError) return new PrepareError('usage', error.message)
  if (error instanceof SiteConfigError) return new PrepareError('unreachable', error.message, { code: error.code })
  if (error instanceof UntrustedDeploymentError || error instanceof PinError)
    return new PrepareError('refused', error.message, { code: error.code })
  if (error instanceof UnknownTaskError) {
    return new PrepareError('refused', error.message, { code: 'TASK_NOT_FOUND', hint: 'Check the market and number.' })
  }
  if (error instanceof StatementRequiredError || error instanceof SwapRefusedError) {
    const { message, code, hint } = error
    return new PrepareError('refused', message, { code, ...(hint && { hint }) })
  }
  if (error instanceof z.core.$ZodError) {
    return new PrepareError('usage', toSentence(formatIssue(error.issues[0])))
  }
  if (usageErrors.some((kind) => error instanceof kind)) return new PrepareError('usage', (error as Error).message)
  if (error instanceof ChainReadError) {
    return new PrepareError('unreachable', `The chain cannot be read: ${error.message}`, {
      code: 'CHAIN_UNREACHABLE',
      hint: 'Check CHAIN_RPC_URL with svc-prepare doctor, then try again.',
    })
  }
  return null
}

const usageErrors = [
  CourtBatchError,
  CourtCallError,
  InvalidTaskIdError,
  InvalidAmountError,
  InvalidTermsError,
  TextTooLongError,
]

/** Formats text as a sentence: capitalized, with a period. */
export const toSentence = (message: string): string => {
  const text = message.trim()
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}
