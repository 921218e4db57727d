import { ChainReadError, UnknownTaskError } from '@svc/chain'
import { InvalidAmountError, InvalidTaskIdError, InvalidTermsError, TextTooLongError } from '@svc/protocol'
import type { PreparedJson, RequestJson } from '@svc/protocol/http'
import { EnvError } from '@svc/serve'
import { CommanderError } from 'commander'
import * as z from 'zod/mini'
import { type Exit, exits } from '../exits.ts'

interface Details {
  /** The way out. */
  hint?: string
  /** What programs tell refusals apart by; the exit's name unless told. */
  code?: string
  /** What it was about. */
  prepared?: PreparedJson
  request?: RequestJson
  checks?: readonly unknown[]
}

/** Why a command ends without what was asked for: a sentence, the way out, and the exit code. */
export class PrepareError extends Error {
  override name = 'PrepareError'
  readonly exit: Exit
  readonly details: Details

  constructor(exit: Exit, message: string, details: Details = {}) {
    super(message)
    this.exit = exit
    this.details = details
  }
}

/** A failed command as one JSON document. */
export const errorAnswer = z.object({
  error: z.string(),
  code: z.string(),
  exit: z.int(),
  hint: z.optional(z.string()),
  prepared: z.optional(z.unknown()),
  request: z.optional(z.unknown()),
  checks: z.optional(z.array(z.unknown())),
})

/** The exit code of an error, and the document that tells of it. */
export function failureOf(error: unknown): { exit: number; json: z.infer<typeof errorAnswer> } {
  const known = knownError(error)
  if (!known) {
    const said = error instanceof Error ? error.message : String(error)
    return { exit: 1, json: { error: `This is a fault of the program: ${said}`, code: 'FAULT', exit: 1 } }
  }
  const { code: exit } = exits[known.exit]
  const { code = codes[known.exit], ...details } = known.details
  return { exit, json: { error: known.message, code, exit, ...details } as z.infer<typeof errorAnswer> }
}

const codes: Readonly<Record<Exit, string>> = {
  done: 'DONE',
  usage: 'USAGE',
  unreachable: 'UNREACHABLE',
  refused: 'REFUSED',
  timedOut: 'TIMED_OUT',
}

function knownError(error: unknown): PrepareError | null {
  if (error instanceof PrepareError) return error
  if (error instanceof CommanderError) {
    const message = sentence(error.message.replace(/^error: /, '').replaceAll('\n', ' '))
    return new PrepareError('usage', message, { hint: 'Look at svc-prepare --help.' })
  }
  if (error instanceof EnvError) return new PrepareError('usage', error.message)
  if (error instanceof UnknownTaskError) {
    return new PrepareError('refused', error.message, { code: 'TASK_NOT_FOUND', hint: 'Check the market and number.' })
  }
  if (error instanceof z.core.$ZodError) {
    const [issue] = error.issues
    return new PrepareError('usage', sentence(`${issue?.path.join('.') || 'the input'}: ${issue?.message}`))
  }
  if (usageErrors.some((kind) => error instanceof kind)) return new PrepareError('usage', (error as Error).message)
  if (error instanceof ChainReadError) {
    return new PrepareError('unreachable', `The chain does not answer: ${error.message}`, {
      code: 'CHAIN_UNREACHABLE',
      hint: 'Check CHAIN_RPC_URL with svc-prepare doctor, then try again.',
    })
  }
  return null
}

const usageErrors = [InvalidTaskIdError, InvalidAmountError, InvalidTermsError, TextTooLongError]

/** Words as a sentence: a large letter first, a full stop last. */
export const sentence = (words: string): string => {
  const text = words.trim()
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}
