import { formatAmount, formatTaskId, type Market, parseTaskId, SvcError, type TaskId } from '@svc/protocol'
import {
  type ActionName,
  type AnyAction,
  actions,
  buildCalls,
  type Call,
  type Cost,
  computeCost,
  describeCalls,
  encodeActionInput,
  type PrepareInput,
  parseActionInput,
  type TaskContext,
  type WalletBalances,
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
import { type Address, formatUnits, getAddress, type Hex, numberToHex } from 'viem'
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
import { completeSwap, encodePart, type Part, type PayFrom, planBefore } from './planBatch.ts'
import { type BoundedQuote, SwapRefusedError } from './quoteSwap.ts'
import { readWalletBalances } from './readWalletBalances.ts'
import { simulateCalls } from './simulate.ts'

/** An action to prepare, by name. Fields of the input that follow from the task may be left out. */
export interface PrepareQuery<N extends ActionName> {
  action: N
  input: PrepareInput<N>
  from: Address
  /** The domains whose sign-ins count as the poster's key statement. Any domain, if they are missing. */
  domains?: readonly string[] | undefined
  /**
   * Adds to the batch what must happen first: a top-up of the deposit and, with `usdc`, the purchase of the TOK that is missing.
   * Without it, only the action is prepared.
   */
  payFrom?: PayFrom | undefined
}

/** The same with an input that is not checked yet. */
export interface PrepareJsonQuery {
  action: AnyAction
  input: Readonly<Record<string, unknown>>
  from: Address
  domains?: readonly string[] | undefined
  payFrom?: PayFrom | undefined
}

/** A part of a batch: its action, its input as JSON, and which calls are its own: `to` is the index after the last. */
export interface PreparedPart {
  action: string
  input: Record<string, unknown>
  calls: { from: number; to: number }
}

/** The swap of a batch, in the smallest units as decimal strings; prices in dollars. */
interface PreparedSwap {
  side: 'buy' | 'sell'
  amountTokWei: string
  quoteUsdc: string
  limitUsdc: string
  fairUsdc: string
  poolUsdPerTok: string
  feedUsdPerTok: string
  deadline: number
}

/** What a batch takes from the wallet in USDC units, as decimal strings, and what of it comes back. */
interface PreparedTotal {
  usdc: string
  mostUsdc: string
  /** The part of it that goes into the deposit. */
  depositUsdc: string
  /** The exit deposit in TOK wei, which comes back when the task ends well. */
  exitDepositTokWei: string
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
  /** Only with `payFrom`, and of a swap. */
  parts?: PreparedPart[]
  swap?: PreparedSwap
  total?: PreparedTotal
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
  { action, input: given, from: caller, domains, payFrom }: PrepareJsonQuery,
): Promise<PreparedAction> {
  const from = getAddress(caller)
  const taskId = 'taskId' in action.input.shape ? parseTaskId(String(given.taskId)) : null
  const prepared = await readAtHead(providers, async (provider, block) => {
    const market = taskId?.market ?? (given.market as Market)
    const context = taskId && (await getTaskContext(provider, deployment.markets[taskId.market], taskId, [from], block))
    if (taskId && !context) throw new UnknownTaskError(taskId)
    const contracts = deployment.markets[market]
    const place = { provider, contracts, market, from, block }
    const { input, quote: own } = action.swap
      ? await completeSwap(place, { action, given, side: action.swap })
      : { input: parseActionInput(action, context ? completeInput(action, given, context, from) : given), quote: null }
    await assertPosterStatement(action, given, { provider, contracts, context, block }, domains)
    const balances = await readWalletBalances(provider, contracts, from, block)
    const { timestamp } = predictNextBlock(block)
    const step = context && findNextStep(action, context, from, timestamp, input)
    const cost = step?.cost ?? computeCost(action, input, { from, ...(context && { context }) })
    const planned = payFrom ? await planBefore(place, { action, context, cost, balances, payFrom }) : null
    const { calls: before, parts } = buildParts([...(planned?.before ?? [])], { from, contracts, balances })
    const calls = [...before, ...buildCalls(action, input, { from, contracts, balances, cost })]
    const quote = own ?? planned?.quote ?? null
    const total = computeTotal(planned?.before ?? [], cost, quote)
    return {
      market,
      chainId: numberToHex(provider.client.chain.id),
      title: formatActionTitle(action, input),
      explain: action.explain,
      calls,
      decoded: describeCalls(calls, market, deployment.markets),
      costs: [...describeBefore(planned?.before ?? []), ...describeCosts(cost, balances)],
      ...(action.name === 'claim-task' && context?.claimDigest && { claimDigest: context.claimDigest(from) }),
      simulation: describeSimulation(
        await simulateCalls(provider, contracts, {
          market,
          from,
          calls,
          block,
          cost: { ...cost, usdc: total.most },
          isBatch: before.length > 0,
          holders: listHolders(contracts, { from, context, input }),
        }),
      ),
      ...((planned || quote) && {
        parts: [
          ...parts,
          {
            action: action.name,
            input: encodeActionInput(action, input),
            calls: { from: before.length, to: calls.length },
          },
        ],
        ...(quote && { swap: formatSwap(quote) }),
        total: {
          usdc: String(total.now),
          mostUsdc: String(total.most),
          depositUsdc: String(total.deposit),
          exitDepositTokWei: String(cost.exitDepositTokWei),
        },
      }),
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
    // Without the rest of the batch, a person would hold TOK that they did not ask for.
    atomicRequired: prepared.swap !== undefined,
    deadline: describeDeadline(action),
    block: { ...block, number: Number(block.number) },
  }
}

/** Builds the calls of the parts before an action, one after the other. */
function buildParts(
  before: readonly Part[],
  place: { from: Address; contracts: MarketAddresses; balances: WalletBalances },
): { calls: Call[]; parts: PreparedPart[] } {
  const calls: Call[] = []
  const parts = before.map((part): PreparedPart => {
    const start = calls.length
    calls.push(...buildCalls(part.action, part.input, place))
    return { action: part.action.name, input: encodePart(part), calls: { from: start, to: calls.length } }
  })
  return { calls, parts }
}

/** The USDC that leaves the wallet: by the quote, at most, and what of it goes into the deposit. */
function computeTotal(before: readonly Part[], cost: Cost, quote: BoundedQuote | null) {
  const deposit = before.reduce(
    (sum, { input }) => sum + (typeof input.amountUsdc === 'bigint' ? input.amountUsdc : 0n),
    0n,
  )
  const bought = quote?.side === 'buy' ? quote : null
  // Bought for itself, the purchase is the action.
  const rest = deposit + (before.length === 0 && bought ? 0n : cost.usdc)
  return { deposit, now: rest + (bought?.quoteUsdc ?? 0n), most: rest + (bought?.limitUsdc ?? 0n) }
}

function describeBefore(before: readonly Part[]): CostLine[] {
  return before.flatMap(({ input: { amountTokWei, maxUsdc, amountUsdc } }) => [
    ...(typeof maxUsdc === 'bigint' && typeof amountTokWei === 'bigint'
      ? [{ what: `For ${formatAmount(amountTokWei, 'tok')}, at most`, amount: formatAmount(maxUsdc, 'usdc') }]
      : []),
    ...(typeof amountUsdc === 'bigint'
      ? [{ what: 'Into your deposit', amount: formatAmount(amountUsdc, 'usdc') }]
      : []),
  ])
}

function formatSwap({
  side,
  amountTokWei,
  quoteUsdc,
  limitUsdc,
  fairUsdc,
  price,
  deadline,
}: BoundedQuote): PreparedSwap {
  return {
    side,
    amountTokWei: String(amountTokWei),
    quoteUsdc: String(quoteUsdc),
    limitUsdc: String(limitUsdc),
    fairUsdc: String(fairUsdc),
    // With the 8 decimals of the feed: units have 6, TOK has 18.
    poolUsdPerTok: formatUnits((quoteUsdc * 10n ** 20n) / amountTokWei, 8),
    feedUsdPerTok: formatUnits(price, 8),
    deadline: Number(deadline),
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

const inputErrors = [UnknownTaskError, SwapRefusedError, StatementRequiredError, z.core.$ZodError]
