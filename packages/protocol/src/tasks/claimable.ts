import { maxUint128, zeroAddress } from 'viem'
import type { MarketParams } from '../money/params.ts'
import { buildTaskRules, evaluate, findDeadline } from './evaluate.ts'
import { guards, type Situation, type TaskFacts } from './guards.ts'
import { lifecycle } from './lifecycle.ts'

/** The fields of a task that decide whether it can be claimed. */
export type ClaimFacts = Omit<TaskFacts, 'milestoneCount' | 'amount' | 'posterReserve' | 'allowedWorker'>

/** What a claim depends on besides the task and the wallet that claims. */
export interface ClaimSurroundings {
  entriesPaused: boolean
  /** When entries end for good, in unix seconds; zero if no end is set. */
  sunsetAt: number
}

const rules = /*#__PURE__*/ buildTaskRules({ lifecycle, guards })

/**
 * Computes the last second at which a task can be claimed, in unix seconds. Returns null if the contract would refuse every
 * claim at `now`. Derived from the rows of `claim`, for a worker who meets every condition of its own: deposit, fee, digest and,
 * where the terms ask for one, a permit. The end is that of the task: the market's entries may pause or end before it.
 *
 * @example
 * ```ts
 * computeClaimableUntil(task, marketParams.micro, { entriesPaused: false, sunsetAt: 0 }, block.timestamp)
 * ```
 */
export function computeClaimableUntil(
  task: ClaimFacts,
  params: MarketParams,
  surroundings: ClaimSurroundings,
  now: number,
): number | null {
  const allowed = evaluate(rules, 'claim', task.state, () => buildClaimSituation(task, params, surroundings, now))
  return typeof allowed === 'string' ? null : findDeadline(rules, allowed)
}

/**
 * Finds the last second at which a task can be claimed while entries are open, in unix seconds. Returns null if it cannot be
 * claimed until something happens to the task itself.
 *
 * @example
 * ```ts
 * const end = findClaimEnd(task, marketParams.micro)
 * const isClaimable = end !== null && entriesOpen && now <= end
 * ```
 */
export function findClaimEnd(task: ClaimFacts, params: MarketParams): number | null {
  return computeClaimableUntil(task, params, { entriesPaused: false, sunsetAt: 0 }, 0)
}

/** A claim by a wallet that can claim anything. */
function buildClaimSituation(
  task: ClaimFacts,
  params: MarketParams,
  { entriesPaused, sunsetAt }: ClaimSurroundings,
  now: number,
): Situation {
  return {
    now,
    params,
    entriesPaused,
    sunsetAt,
    // What no claim depends on, besides the task's own fields.
    task: { ...task, milestoneCount: 1, amount: 0n, posterReserve: 0n, allowedWorker: null },
    // No poster has this address.
    caller: zeroAddress,
    // The final court never claims, whichever it is.
    finalCourt: '',
    account: () => ({ deposit: maxUint128, free: maxUint128, tok: maxUint128, credits: 0n }),
    call: {
      milestone: 0,
      hashGiven: true,
      amount: 0n,
      workerBps: 0n,
      shareBps: 0n,
      receipt: 'none',
      worker: zeroAddress,
      digestMatches: true,
      permitted: true,
      signed: true,
    },
  }
}
