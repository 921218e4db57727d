import type { Address } from 'viem'
import type * as z from 'zod/mini'
import type { Env } from '../env.ts'
import type { Markets } from '../market.ts'
import type { Field } from './field.ts'
import type { Io } from './io.ts'
import type { Line } from './line.ts'

/** What a command answers with, for a program and for a person. */
export interface Answer {
  json: unknown
  lines: readonly Line[]
  /** 0 unless told. */
  exit?: number
}

/** What a command works with. */
export interface Call {
  /** What was given, as JSON by the names of the wire, each value judged by its own schema. */
  input: Readonly<Record<string, unknown>>
  /** What stands behind the command's name. */
  operands: readonly string[]
  /** The wallet that would sign. */
  from: Address | null
  dryRun: boolean
  /** Whether to wait until a request settles, and for how long. */
  wait: boolean
  timeoutMs: number
  io: Io
  /** Where gateway, API and contracts are. Throws `EnvError`. */
  open: () => Promise<{ env: Env; markets: Markets }>
  /** Shows a person something before the answer is there; a program gets the answer alone. */
  show: (lines: readonly Line[]) => void
  /** Tells whoever waits how it goes, beside the answer. */
  progress: (line: string) => void
}

/** One command: its help, its arguments, and what it does. It sends nothing to the chain. */
export interface Command {
  name: string
  summary: string
  operands?: readonly { name: string; words: string; choices?: readonly string[] }[]
  fields: readonly Field[]
  from?: 'required' | 'optional'
  /** It may end at the gateway: it has `--dry-run`. */
  sends?: true
  /** It may wait for a request: it has `--no-wait` and `--timeout`. */
  waits?: true
  /** The JSON that it answers with. */
  answer: z.ZodMiniType
  run: (call: Call) => Promise<Answer>
}

/** The wallet of a command that cannot do without. */
export function walletOf({ from }: Call): Address {
  if (!from) throw new TypeError('This command is declared without a wallet.')
  return from
}
