import type { Changes } from './kind.ts'
import { demand } from './refusal.ts'
import type { Negotiation } from './state.ts'

/** Milestones go one after another: refuses words about any but the one in work. Changes nothing. */
export function inWork(milestone: bigint, state: Negotiation): Changes {
  demand(
    milestone === BigInt(state.milestone),
    `it is about milestone index ${milestone}, but ${state.milestone} is in work.`,
  )
  return {}
}
