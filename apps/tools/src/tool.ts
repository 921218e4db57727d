import type { At, Deployments, MarketReader, PayFrom } from '@svc/chain'
import type { ErrorCode, PreparedJson, RequestJson } from '@svc/operations'
import { type Market, SvcError, type TaskId } from '@svc/protocol'
import type { AnyAction, TaskContext } from '@svc/protocol/actions'
import type { TaskSnapshot } from '@svc/protocol/internal/records'
import type { TaskRecord } from '@svc/protocol/records'
import type { SignedStatement } from '@svc/protocol/work'
import type { Address } from 'viem'
import type { z } from 'zod'
import type { CourtDesk } from './court.ts'
import type { Drafts } from './drafts.ts'
import type { ProfileFinder } from './profileFinder.ts'
import type { WalletFacts } from './readWallet.ts'
import type { TaskSearch } from './searchInput.ts'
import type { WorkWallet } from './work/place.ts'

/** A prepared action, with what the wallet agrees to. */
export interface PreparedAction {
  prepared: PreparedJson
  /** For a claim: the digest of the terms with the wallet as worker. */
  claimDigest: string | null
  /** The terms that are claimed or posted, in wire form; null if the action has none. */
  terms: unknown
  /** The text that belongs to the terms, by whoever wrote it; null if there is none. */
  text: string | null
}

/** How tools send and read work. Reading and device keys are in files; the wallet's key is elsewhere. */
export interface ToolWork {
  /** Opens the keys of a wallet. Signing in is a tool of its own: the wallet is never asked here. Throws `ToolError`. */
  openWallet: (wallet: Address) => WorkWallet
  /**
   * The folder of a task whose files may be sent for it, or into which its work is saved: what one client sent is never in reach of
   * another task. Throws `ToolError` if the operator named no work folder.
   */
  openTaskFolder: (taskId: TaskId | 'new', box: 'outbox' | 'inbox') => Promise<TaskFolder>
  /** The market's own store; null if it has none. Throws `ToolError` if nobody can say. */
  findMarketStore: (market: Market) => Promise<{ address: Address } | null>
  /** The key statement of a wallet that signed in on this machine. Throws `ToolError` for another one. */
  readStatement: (wallet: Address) => Promise<SignedStatement | null>
}

/** A folder of one task below the work folder. */
interface TaskFolder {
  path: string
  /** The same, relative to the work folder: what an agent is told. */
  name: string
}

/** The dependencies of the tools. They contain no key. */
export interface ToolDeps {
  deployments: Deployments
  reader: MarketReader
  /** Reads the published texts of open tasks, by task number. */
  readTexts: (market: Market, tasks: readonly TaskRecord[]) => Promise<ReadonlyMap<bigint, string>>
  /** Reads tasks by number, in this order, without those that do not exist. */
  readTasks: (market: Market, numbers: readonly bigint[]) => Promise<At<{ tasks: readonly TaskSnapshot[] }>>
  /** Reads everything that decides what a wallet can do with a task; null if the task does not exist. */
  readTaskContext: (taskId: TaskId, wallet: Address) => Promise<At<{ context: TaskContext | null }>>
  readWallet: (market: Market, wallet: Address) => Promise<At<WalletFacts>>
  /** Reads what the final court is, and the cases that wait for it. */
  readCourt: (market: Market) => Promise<CourtDesk>
  /** Gets JSON from a path of the local gateway. Throws `ToolError`. */
  askGateway: (path: string) => Promise<unknown>
  /** Prepares an action from a checked input. Throws what `toToolError` converts. */
  prepare: (
    action: AnyAction,
    input: Readonly<Record<string, unknown>>,
    wallet: Address,
    payFrom?: PayFrom,
  ) => Promise<PreparedAction>
  /** Profiles that wallets signed, through the API of the market. */
  profiles: ProfileFinder
  /** Finds the numbers of tasks through the API of the market, in its order. Throws `ToolError`. */
  findTasks: (input: TaskSearch) => Promise<{ numbers: readonly bigint[]; nextCursor: string | null }>
  /** Work and its keys on this machine. */
  work: ToolWork
  /** Null where another replica may answer the next call. */
  drafts: Drafts | null
  /** Creates a request at the local gateway; null if none is running. Throws `PrepareError`. */
  requestApproval: (prepared: PreparedJson, payFrom?: PayFrom) => Promise<RequestJson | null>
}

/** One tool: its description for the agent, and its implementation. */
export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  name: `svc_${string}`
  title: string
  /** Tells the agent when to call it and what it returns, in one or two sentences. */
  description: string
  /** Hints for clients. By default the tool only reads. */
  annotations?: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean }
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

/** What can stop sending and reading work. */
type WorkToolCode = 'NOT_SIGNED_IN' | 'STORE_UNREACHABLE' | 'NOTIFIER_UNREACHABLE' | 'WORK_REFUSED' | 'NOT_CONFIGURED'

/** The error result of a tool. */
export interface ToolErrorJson {
  error: string
  code: ErrorCode | 'GATEWAY_UNREACHABLE' | 'TERMS_REFUSED' | 'TOO_LARGE' | WorkToolCode
  /** Whether the same call can succeed later. */
  retryable: boolean
  /** What to do now. */
  nextStep: string
  /** What a service said about a refusal, in its own words. */
  untrustedReason?: string
}

/** Thrown by a tool, with the next step for the agent. */
export class ToolError extends SvcError<ToolErrorJson['code']> {
  override name = 'ToolError'
  readonly json: ToolErrorJson

  constructor(code: ToolErrorJson['code'], error: string, nextStep: string, retryable = false, untrustedReason = '') {
    super(code, error, { hint: nextStep })
    this.json = { error, code, retryable, nextStep, ...(untrustedReason && { untrustedReason }) }
  }
}
