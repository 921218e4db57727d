import type { At, Deployments, MarketReader } from '@svc/chain'
import type { ErrorCode } from '@svc/operations'
import { type Market, SvcError, type TaskId } from '@svc/protocol'
import type { TaskContext } from '@svc/protocol/actions'
import type { TaskRecord } from '@svc/protocol/records'
import type { Address } from 'viem'
import type { z } from 'zod'
import type { WalletFacts } from './readWallet.ts'

/** The dependencies of the tools. They only read and contain no key. */
export interface ToolDeps {
  deployments: Deployments
  reader: MarketReader
  /** Reads the published texts of open tasks, by task number. */
  readTexts: (market: Market, tasks: readonly TaskRecord[]) => Promise<ReadonlyMap<bigint, string>>
  /** Reads everything that decides what a wallet can do with a task; null if the task does not exist. */
  readTaskContext: (taskId: TaskId, wallet: Address) => Promise<At<{ context: TaskContext | null }>>
  readWallet: (market: Market, wallet: Address) => Promise<At<WalletFacts>>
  /** Gets JSON from a path of the local gateway. Throws `ToolError`. */
  askGateway: (path: string) => Promise<unknown>
}

/** One tool: its description for the agent, and its implementation. */
export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  name: `svc_${string}`
  title: string
  /** Tells the agent when to call it and what it returns, in one or two sentences. */
  description: string
  input: Input
  output: Output
  // A method, so that every tool fits into a table of tools without a cast.
  run(input: z.output<Input>, deps: ToolDeps): Promise<z.input<Output>>
}

/** Identity function for type inference. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): Tool<Input, Output> {
  return tool
}

/** The error result of a tool. */
export interface ToolErrorJson {
  error: string
  code: ErrorCode | 'GATEWAY_UNREACHABLE' | 'TERMS_REFUSED' | 'TOO_LARGE'
  /** Whether the same call can succeed later. */
  retryable: boolean
  /** What to do now. */
  nextStep: string
}

/** Thrown by a tool, with the next step for the agent. */
export class ToolError extends SvcError<ToolErrorJson['code']> {
  override name = 'ToolError'
  readonly json: ToolErrorJson

  constructor(code: ToolErrorJson['code'], error: string, nextStep: string, retryable = false) {
    super(code, error, { hint: nextStep })
    this.json = { error, code, retryable, nextStep }
  }
}
