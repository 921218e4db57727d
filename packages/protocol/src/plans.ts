import { type Hex, stringToHex } from 'viem'
import type { planPrices } from './suite.ts'

/** How many posts a day each plan allows; a day is a UTC day. `free` is everybody's; the others are sold by the contracts. */
export const postingPlans = [
  { id: 'free', dailyLimit: 3 },
  { id: 'basic', dailyLimit: 25 },
  { id: 'pro', dailyLimit: 200 },
] as const

/** The name of a plan. */
export type PostingTier = (typeof postingPlans)[number]['id']

/** The plans that are for sale. */
export const paidPlans = ['basic', 'pro'] as const satisfies readonly (keyof typeof planPrices)[]

export type PaidPlan = (typeof paidPlans)[number]

/** A plan's id on chain: its name in ASCII, left-aligned in 32 bytes. */
export function planIdOf(plan: PaidPlan): Hex {
  return stringToHex(plan, { size: 32 })
}

/** The plan of an id on chain; null for one this package does not know. */
export function planOfId(planId: Hex): PaidPlan | null {
  return paidPlans.find((plan) => planIdOf(plan) === planId.toLowerCase()) ?? null
}
