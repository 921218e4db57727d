import { maxUint128, zeroAddress } from 'viem'
import { buildTaskRules, evaluate, findDeadline } from './evaluate.ts'
import { type Guard, guards, type Situation, type TaskFacts } from './guards.ts'
import { lifecycle } from './lifecycle.ts'
import type { MarketParams } from './params.ts'

/** The fields of a task that decide whether it can be claimed. A record with its poster's reserve has them. */
export type ClaimFacts = Omit<TaskFacts, 'milestoneCount' | 'amount'>

/** What a claim depends on besides the task and the wallet that claims. */
export interface ClaimSurroundings {
  entriesPaused: boolean
  /** When entries end for good, in unix seconds; zero if no end is set. */
  sunsetAt: number
  /** The part of the poster's deposit that no task reserves. */
  posterFree: bigint
}

/** When a task can be claimed while entries are open. */
export interface ClaimCondition {
  /** The last second, in unix seconds. */
  until: number
  /** The least free deposit of the poster, in USDC units. */
  posterFree: bigint
}

const rules = /*#__PURE__*/ buildTaskRules({ lifecycle, guards })

/**
 * Computes the last second at which a task can be claimed, in unix seconds. Returns null if the contract would refuse every
 * claim at `now`. Derived from the rows of `claim`, for a worker who meets every condition of its own: deposit, fee, digest and,
 * where the terms ask for one, a permit. The end is that of the task: the market's entries may pause or end before it.
 *
 * @example
 * ```ts
 * computeClaimableUntil(task, marketParams.micro, { entriesPaused: false, sunsetAt: 0, posterFree: 8_000_000n }, block.timestamp)
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
 * Finds the condition under which a task can be claimed, for stores that check it when they are read. Returns null if it cannot
 * be claimed until something happens to the task itself.
 *
 * @example
 * ```ts
 * const condition = findClaimCondition(task, marketParams.micro)
 * const isClaimable = condition && entriesOpen && now <= condition.until && free >= condition.posterFree
 * ```
 */
export function findClaimCondition(task: ClaimFacts, params: MarketParams): ClaimCondition | null {
  const best = { entriesPaused: false, sunsetAt: 0, posterFree: maxUint128 }
  const allowed = evaluate(rules, 'claim', task.state, () => buildClaimSituation(task, params, best, 0))
  if (typeof allowed === 'string') return null
  const needed = allowed.row.guards.flatMap((name) => (guards[name] as Guard).posterFree?.(allowed.s) ?? [])
  return {
    until: findDeadline(rules, allowed) ?? Number.MAX_SAFE_INTEGER,
    posterFree: needed.reduce((most, each) => (each > most ? each : most), 0n),
  }
}

/** A claim by a wallet that can claim anything. */
function buildClaimSituation(
  task: ClaimFacts,
  params: MarketParams,
  { entriesPaused, sunsetAt, posterFree }: ClaimSurroundings,
  now: number,
): Situation {
  const claimant = { deposit: maxUint128, free: maxUint128, tok: maxUint128, credits: 0n }
  return {
    now,
    params,
    entriesPaused,
    sunsetAt,
    // No claim depends on its milestones.
    task: { ...task, milestoneCount: 1, amount: 0n },
    // No poster has this address.
    caller: zeroAddress,
    // The final court never claims, whichever it is.
    finalCourt: '',
    account: (wallet) => (wallet === task.poster ? { ...claimant, free: posterFree } : claimant),
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
