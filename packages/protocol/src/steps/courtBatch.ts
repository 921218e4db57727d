import { type Address, encodeFunctionData, type Hex } from 'viem'
import { arbitrationAbi } from '../abis/arbitration.ts'
import type { Market } from '../base/market.ts'
import { SvcError } from '../base/svcError.ts'
import { formatTime } from '../money/units.ts'
import { formatTaskId } from '../tasks/taskId.ts'
import type { CourtCase } from './courtCases.ts'
import { createSafeBatch, type SafeBatch } from './safeBatch.ts'

/** A decision that the people of a court agreed on. */
export interface CourtDecision {
  /** The number of the task, and of its dispute. */
  number: bigint
  round: number
  /** The two shares that were decided between, so that a decision about others is refused. */
  offerBps: number
  askBps: number
  forWorker: boolean
  reasonHash: Hex
}

/** The most decisions of one batch: each takes about half a million gas. */
const maxDecisions = 20

interface BatchInput {
  chainId: number
  market: Market
  arbitration: Address
  court: { kind: string; address: Address }
  cases: readonly Pick<CourtCase, 'number' | 'round' | 'offerBps' | 'askBps' | 'decideFrom'>[]
  decisions: readonly CourtDecision[]
  /** Unix seconds. */
  now: number
}

/**
 * Builds the file with which the owners of a Safe decide cases in one transaction. Every decision must be about a case as it stands
 * now. One decision that comes too late makes the whole transaction fail, so cases that close soon are better decided alone.
 */
export function buildCourtBatch({ chainId, market, arbitration, court, cases, decisions, now }: BatchInput): SafeBatch {
  if (court.kind === 'reality')
    throw new CourtBatchError(`the final court ${court.address} asks the public; ask, answer and carry instead`)
  if (decisions.length === 0 || decisions.length > maxDecisions)
    throw new CourtBatchError(`there are ${decisions.length} decisions; a batch has 1 to ${maxDecisions}`)
  const seen = new Set<bigint>()
  const calls = decisions.map((decision) => {
    const { number, round, forWorker, reasonHash } = decision
    const name = formatTaskId({ market, number })
    if (seen.has(number)) throw new CourtBatchError(`${name} is decided twice`)
    seen.add(number)
    const fault = findFault(
      decision,
      cases.find((each) => each.number === number),
      now,
    )
    if (fault) throw new CourtBatchError(`${name} ${fault}`)
    const args = [number, BigInt(round), forWorker, reasonHash] as const
    return { to: arbitration, data: encodeFunctionData({ abi: arbitrationAbi, functionName: 'decide', args }) }
  })
  const text = decisions
    .map(({ number, forWorker }) => `${formatTaskId({ market, number })} for the ${forWorker ? 'worker' : 'poster'}`)
    .join(', ')
  return createSafeBatch({ chainId, safe: court.address, name: 'Decide disputes', description: text }, calls)
}

function findFault(
  decision: CourtDecision,
  found: BatchInput['cases'][number] | undefined,
  now: number,
): string | null {
  if (!found) return 'has no case before the final court'
  if (found.round !== decision.round) return `is at case ${found.round}, not at case ${decision.round}`
  if (found.offerBps !== decision.offerBps || found.askBps !== decision.askBps)
    return `is about ${found.offerBps} and ${found.askBps} bps, not about ${decision.offerBps} and ${decision.askBps}`
  return now < found.decideFrom ? `can be decided from ${formatTime(found.decideFrom)}` : null
}

/** A batch of decisions does not fit the cases. */
export class CourtBatchError extends SvcError {
  override name = 'CourtBatchError'

  constructor(reason: string) {
    super('COURT_BATCH', `Cannot build the batch: ${reason}.`)
  }
}
