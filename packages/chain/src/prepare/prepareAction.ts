import { formatTaskId, type Market, parseTaskId, SvcError, type TaskId } from '@svc/protocol'
import {
  type ActionName,
  type AnyAction,
  actions,
  buildCalls,
  type Call,
  computeCost,
  describeCalls,
  type PrepareInput,
  parseActionInput,
  type TaskContext,
} from '@svc/protocol/actions'
import {
  type CostLine,
  type DescribedCall,
  deriveInput,
  describeCosts,
  describeDeadline,
  encodeActionField,
  formatActionTitle,
} from '@svc/protocol/internal/actions'
import { findNextStep } from '@svc/protocol/internal/steps'
import { checkPosterStatement, StatementRequiredError } from '@svc/protocol/internal/work'
import { type Address, getAddress, type Hex, numberToHex } from 'viem'
import * as z from 'zod/mini'
import type { MarketAddresses, MarketDeployment } from '../market.ts'
import { predictNextBlock } from '../nextBlock.ts'
import type { Provider, Providers } from '../providers.ts'
import { readAtHead } from '../readAtHead.ts'
import type { BlockRef } from '../reader.ts'
import { getTaskContext } from '../reads/getTaskContext.ts'
import { readTasks } from '../reads/listTasks.ts'
import { readTexts } from '../reads/readTexts.ts'
import { createClientVerifier } from '../verifySignature.ts'
import { type DescribedSimulation, describeSimulation } from './describeSimulation.ts'
import { listHolders } from './holders.ts'
import { readWalletBalances } from './readWalletBalances.ts'
import { simulateCalls } from './simulate.ts'

/** An action to prepare, by name. Fields of the input that follow from the task may be left out. */
export interface PrepareQuery<N extends ActionName> {
  action: N
  input: PrepareInput<N>
  from: Address
  /** The domains whose sign-ins count as the poster's key statement. Any domain, if they are missing. */
  domains?: readonly string[] | undefined
}

/** The same with an input that is not checked yet. */
export interface PrepareJsonQuery {
  action: AnyAction
  input: Readonly<Record<string, unknown>>
  from: Address
  domains?: readonly string[] | undefined
}

/** An action that is ready to be signed: `version`, `chainId`, `from`, `atomicRequired` and `calls` are those of EIP-5792. */
export interface PreparedAction {
  action: string
  title: string
  explain: string
  market: Market
  taskId?: string
  version: '2.0.0'
  chainId: Hex
  from: Address
  atomicRequired: boolean
  calls: Call[]
  /** The same calls for display, decoded from their bytes. */
  decoded: DescribedCall[]
  costs: CostLine[]
  /** The deadline that the action starts, in a sentence; null if none. */
  deadline: string | null
  /** Only of claim-task: the digest of the terms with `from` as worker. */
  claimDigest?: Hex
  simulation: DescribedSimulation
  /** The block at which all of this is true. */
  block: Omit<BlockRef, 'number'> & { number: number }
}

/**
 * Prepares a write action for signing, at the newest block: its calls with exact token approvals, their description, cost and
 * simulation. An action that would revert is prepared too; its simulation has the reason. Throws `UnknownTaskError` if the
 * task does not exist, and `StatementRequiredError` for posting or claiming a task that names a store but has no key statement.
 *
 * @example
 * ```ts
 * await prepareAction(providers, deployment, { action: 'claim-task', input: { taskId: 'v2:micro:7', settlementDigest }, from })
 * ```
 */
export function prepareAction<N extends ActionName>(
  providers: Providers,
  deployment: MarketDeployment,
  { action, ...rest }: PrepareQuery<N>,
): Promise<PreparedAction> {
  return prepareActionJson(providers, deployment, { ...rest, action: actions[action] })
}

/** Prepares an action from unchecked JSON. Throws a `ZodError` if the input does not match. */
export async function prepareActionJson(
  providers: Providers,
  deployment: MarketDeployment,
  { action, input: given, from: caller, domains }: PrepareJsonQuery,
): Promise<PreparedAction> {
  const from = getAddress(caller)
  const taskId = 'taskId' in action.input.shape ? parseTaskId(String(given.taskId)) : null
  const prepared = await readAtHead(providers, async (provider, block) => {
    const market = taskId?.market ?? (given.market as Market)
    const context = taskId && (await getTaskContext(provider, deployment.markets[taskId.market], taskId, [from], block))
    if (taskId && !context) throw new UnknownTaskError(taskId)
    const input = parseActionInput(action, context ? completeInput(action, given, context, from) : given)
    const contracts = deployment.markets[market]
    await assertPosterStatement(action, given, { provider, contracts, context, block }, domains)
    const balances = await readWalletBalances(provider, contracts, from, block)
    const { timestamp } = predictNextBlock(block)
    const step = context && findNextStep(action, context, from, timestamp, input)
    const cost = step?.cost ?? computeCost(action, input, { from, ...(context && { context }) })
    const calls = buildCalls(action, input, { from, contracts, balances, cost })
    return {
      market,
      chainId: numberToHex(provider.client.chain.id),
      title: formatActionTitle(action, input),
      explain: action.explain,
      calls,
      decoded: describeCalls(calls, market, deployment.markets),
      costs: describeCosts(cost, balances),
      ...(action.name === 'claim-task' && context?.claimDigest && { claimDigest: context.claimDigest(from) }),
      simulation: describeSimulation(
        await simulateCalls(provider, contracts, {
          market,
          from,
          calls,
          block,
          cost,
          holders: listHolders(contracts, { from, context, input }),
        }),
      ),
    }
  }).catch((error: Error) => {
    // An error of the caller's input is not an error of the provider.
    const { cause } = error
    throw inputErrors.some((kind) => cause instanceof kind) ? cause : error
  })
  const { block, ...rest } = prepared
  return {
    action: action.name,
    ...rest,
    ...(taskId && { taskId: formatTaskId(taskId) }),
    version: '2.0.0',
    from,
    atomicRequired: false,
    deadline: describeDeadline(action),
    block: { ...block, number: Number(block.number) },
  }
}

interface ReadPlace {
  provider: Provider
  contracts: MarketAddresses
  context: TaskContext | null
  block: BlockRef
}

/** Nobody should post or claim a task whose deliveries cannot be sealed for its poster. The contracts do not check this. */
async function assertPosterStatement(
  { name }: AnyAction,
  given: Readonly<Record<string, unknown>>,
  place: ReadPlace,
  domains: readonly string[] | undefined,
): Promise<void> {
  const { client } = place.provider
  const published =
    name === 'post-task'
      ? parseActionInput(actions['post-task'], given)
      : name === 'claim-task'
        ? await readPublished(place)
        : null
  if (!published) return
  // Statements carry the time of a clock. The last block may be older: a quiet chain makes none.
  const now = Math.max(place.block.timestamp, Math.floor(Date.now() / 1_000))
  const verifySignature = createClientVerifier(client)
  await checkPosterStatement({ ...published, domains, chainId: client.chain.id, now, verifySignature })
}

/** Reads what a task with a store was posted with; null if it has none. */
async function readPublished({ provider, contracts, context, block }: ReadPlace) {
  if (!context?.task.store) return null
  const [task] = await readTasks(provider, contracts, [context.taskId.number], block)
  if (!task?.store) return null
  const texts = await readTexts(provider, contracts, [task])
  return { terms: { poster: task.poster, store: task.store }, text: texts.get(task.number) ?? '' }
}

/** Completes the input with fields derived from the task. Given fields take precedence. */
function completeInput(
  action: AnyAction,
  given: Readonly<Record<string, unknown>>,
  context: TaskContext,
  from: Address,
): Record<string, unknown> {
  const derived = Object.entries(deriveInput(action, context, from))
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, encodeActionField(action, name, value)])
  return { ...Object.fromEntries(derived), ...given }
}

/** The task does not exist, or not yet. */
export class UnknownTaskError extends SvcError {
  override name = 'UnknownTaskError'
  readonly taskId: TaskId

  constructor(taskId: TaskId) {
    super('TASK_NOT_FOUND', `Task ${formatTaskId(taskId)} is not found.`)
    this.taskId = taskId
  }
}

const inputErrors = [UnknownTaskError, StatementRequiredError, z.core.$ZodError]
