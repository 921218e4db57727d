import type { PayFrom } from '@svc/chain'
import type { Address } from 'viem'
import type * as z from 'zod/mini'
import type { ToolsEnv } from '../env.ts'
import type { Markets } from '../market.ts'
import type { Field } from './field.ts'
import type { Io } from './io.ts'
import type { Line } from './lines.ts'

/** The result of a command, for programs and for people. */
export interface Answer {
  json: unknown
  lines: readonly Line[]
  /** The exit code; 0 by default. */
  exit?: number
}

/** What a command works with. */
export interface Call {
  /** The input as JSON by wire names. Each value is validated by its schema. */
  input: Readonly<Record<string, unknown>>
  /** The positional arguments. */
  operands: readonly string[]
  /** The wallet that will sign. */
  from: Address | null
  dryRun: boolean
  /** What comes before the action: a top-up and, with usdc, the purchase of TOK. */
  payFrom: PayFrom | undefined
  /** Whether to wait until a request is settled, and how long. */
  wait: boolean
  timeoutMs: number
  io: Io
  /** Reads the configuration and opens the markets. Throws `EnvError`. */
  open: () => Promise<{ env: ToolsEnv; markets: Markets }>
  /** Prints lines before the result. With --json, prints nothing. */
  show: (lines: readonly Line[]) => void
  /** Prints progress to stderr. */
  progress: (line: string) => void
}

/** One command: its help, its arguments and its implementation. It sends nothing to the chain. */
export interface Command {
  name: string
  summary: string
  /** Lines at the end of its help. */
  notes?: readonly string[]
  operands?: readonly { name: string; description: string; choices?: readonly string[] }[]
  fields: readonly Field[]
  from?: 'required' | 'optional'
  /** Set if it creates a request at the gateway. It then has `--dry-run`. */
  sends?: true
  /** Set if it can be paid from another asset. It then has `--pay-from`. */
  paysFrom?: true
  /** Set if it can wait for a request. It then has `--no-wait` and `--timeout`. */
  waits?: true
  /** Set if it needs neither the chain nor the contracts. */
  offline?: true
  /** The schema of its JSON result. */
  answer: z.ZodMiniType
  run: (call: Call) => Promise<Answer>
}

/** Returns the wallet of a command that requires one. */
export function requireWallet({ from }: Call): Address {
  if (!from) throw new TypeError('The command does not declare that it requires a wallet.')
  return from
}
