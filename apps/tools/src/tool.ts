import type { At, Deployments, MarketReader } from '@svc/chain'
import type { Market, TaskId } from '@svc/protocol'
import type { Standing } from '@svc/protocol/actions'
import type { ErrorCode } from '@svc/protocol/http'
import type { TaskRecord } from '@svc/protocol/records'
import type { Address } from 'viem'
import type { z } from 'zod'
import type { WalletFacts } from './readWallet.ts'

/** What tools ask. All of it is reading; there is no key among it. */
export interface ToolDeps {
  deployments: Deployments
  reader: MarketReader
  /** The texts that open tasks published, by task number. */
  readTexts: (market: Market, tasks: readonly TaskRecord[]) => Promise<ReadonlyMap<bigint, string>>
  /** All that decides what a wallet may do with a task; null for one that does not exist. */
  readStanding: (taskId: TaskId, wallet: Address) => Promise<At<{ standing: Standing | null }>>
  readWallet: (market: Market, wallet: Address) => Promise<At<WalletFacts>>
  /** A path of the local gateway, as JSON. Throws `ToolError`. */
  askGateway: (path: string) => Promise<unknown>
}

/** One tool: what an agent reads of it, and what it does. */
export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  name: `svc_${string}`
  title: string
  /** For the agent: when to call it and what comes back, in a sentence or two. */
  description: string
  input: Input
  output: Output
  run: (input: z.output<Input>, deps: ToolDeps) => Promise<z.input<Output>>
}

/** A tool of which only the common part is known. */
// biome-ignore lint/suspicious/noExplicitAny: inputs differ by tool, and a table of tools holds all of them.
export type AnyTool = Tool<any, any>

/** Checks the types of a tool; it is the tool. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Tool<Input, Output>,
): Tool<Input, Output> {
  return tool
}

/** What an agent is told when a tool cannot answer. */
export interface ToolErrorJson {
  error: string
  code: ErrorCode | 'GATEWAY_UNREACHABLE' | 'TERMS_REFUSED' | 'TOO_LARGE'
  /** Whether the same call may do later. */
  retryable: boolean
  /** What to do now. */
  nextStep: string
}

/** A tool cannot answer, and says what to do instead. */
export class ToolError extends Error {
  override name = 'ToolError'
  readonly json: ToolErrorJson

  constructor(code: ToolErrorJson['code'], error: string, nextStep: string, retryable = false) {
    super(error)
    this.json = { error, code, retryable, nextStep }
  }
}
