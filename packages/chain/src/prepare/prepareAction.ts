import { formatTaskId, type Market, parseTaskId, type TaskId } from '@svc/protocol'
import { type AnyAction, callsOf, costOf, nextSteps, readInput, type Standing, writeField } from '@svc/protocol/actions'
import { clockWords, costLines, describeCalls, type PreparedJson, summaryOf } from '@svc/protocol/http'
import { type Address, getAddress, numberToHex } from 'viem'
import * as z from 'zod/mini'
import { atHead } from '../atHead.ts'
import type { MarketPlaces } from '../market.ts'
import { nextBlock } from '../nextBlock.ts'
import type { Providers } from '../providers.ts'
import { getStanding } from '../reads/getStanding.ts'
import { readPurse } from './readPurse.ts'
import { simulateCalls } from './simulate.ts'
import { simulationJsonOf } from './simulationJsonOf.ts'

/** What is to be prepared: the input as JSON, of which the task may answer a part. */
export interface PrepareQuery {
  action: AnyAction
  input: Readonly<Record<string, unknown>>
  from: Address
}

/**
 * A write action ready to be signed, as it stands at the newest block: its calls with exact allowances, what they mean, what
 * they cost, and what they would do. An action that the chain would refuse is prepared too; its simulation says why.
 * Throws zod's error for an input that cannot be read, `UnknownTaskError` for a task that is not there.
 */
export async function prepareAction(
  providers: Providers,
  places: MarketPlaces,
  { action, input: given, from: caller }: PrepareQuery,
): Promise<PreparedJson> {
  const from = getAddress(caller)
  const taskId = 'taskId' in action.input.shape ? parseTaskId(String(given.taskId)) : null
  const prepared = await atHead(providers, async (provider, block) => {
    const market = taskId?.market ?? (given.market as Market)
    const standing = taskId && (await getStanding(provider, places.markets[taskId.market], taskId, [from], block))
    if (taskId && !standing) throw new UnknownTaskError(taskId)
    const input = readInput(action, standing ? complete(action, given, standing, from) : given)
    const contracts = places.markets[market]
    const purse = await readPurse(provider, contracts, from, block)
    const { timestamp } = nextBlock(block)
    const step = standing && nextSteps(standing, from, timestamp).find((each) => each.action === action)
    // The row knows less than the input does where the caller chooses an amount.
    const cost = { ...costOf(action, input, { from }), ...(step && dueOf(step.cost)) }
    const calls = callsOf(action, input, { from, contracts, purse, cost })
    return {
      market,
      summary: summaryOf(action, input),
      calls,
      decoded: describeCalls(calls, market, places.markets),
      costs: costLines(cost, purse),
      simulation: simulationJsonOf(await simulateCalls(provider, contracts, { from, calls, block })),
    }
  }).catch((error: Error) => {
    // No provider is to blame for what the caller asked.
    const { cause } = error
    throw cause instanceof UnknownTaskError || cause instanceof z.core.$ZodError ? cause : error
  })
  const { block, ...rest } = prepared
  return {
    action: action.name,
    ...rest,
    ...(taskId && { taskId: formatTaskId(taskId) }),
    version: '2.0.0',
    chainId: numberToHex(8453) as '0x2105',
    from,
    atomicRequired: false,
    clock: clockWords(action),
    block: { ...block, number: Number(block.number) },
  }
}

/** What the row decides of a cost. */
const dueOf = ({ fee, reserveUsdc, penaltyUsdc }: ReturnType<typeof costOf>) => ({ fee, reserveUsdc, penaltyUsdc })

/** The input with what the task answers in it; what was given stands. */
function complete(
  action: AnyAction,
  given: Readonly<Record<string, unknown>>,
  standing: Standing,
  from: Address,
): Record<string, unknown> {
  const known = Object.entries(action.known?.(standing, from) ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, writeField(action, name, value)])
  return { ...Object.fromEntries(known), ...given }
}

/** A task that does not exist, or not yet. */
export class UnknownTaskError extends Error {
  override name = 'UnknownTaskError'

  constructor(taskId: TaskId) {
    super(`Task ${formatTaskId(taskId)} is not found.`)
  }
}
