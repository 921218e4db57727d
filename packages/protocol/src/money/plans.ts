import { type Hex, stringToHex } from 'viem'
import type { planPrices } from './suite.ts'

/** The posting plans and their limits per UTC day. Every wallet has `free`; the contracts sell the others. */
export const postingPlans = [
  { id: 'free', dailyLimit: 3 },
  { id: 'basic', dailyLimit: 25 },
  { id: 'pro', dailyLimit: 200 },
] as const

/** The name of a plan. */
export type PostingTier = (typeof postingPlans)[number]['id']

/** The plans that the contracts sell. */
export const paidPlans = ['basic', 'pro'] as const satisfies readonly (keyof typeof planPrices)[]

export type PaidPlan = (typeof paidPlans)[number]

/**
 * Encodes a plan as its id on chain: the name in ASCII, left-aligned in 32 bytes.
 *
 * @example
 * ```ts
 * encodePlanId('pro') // '0x70726f00…'
 * ```
 */
export function encodePlanId(plan: PaidPlan): Hex {
  return stringToHex(plan, { size: 32 })
}

/**
 * Decodes a plan id from the chain. Returns null for a plan that this version does not know.
 *
 * @example
 * ```ts
 * decodePlanId(encodePlanId('basic')) // 'basic'
 * ```
 */
export function decodePlanId(planId: Hex): PaidPlan | null {
  return paidPlans.find((plan) => encodePlanId(plan) === planId.toLowerCase()) ?? null
}
