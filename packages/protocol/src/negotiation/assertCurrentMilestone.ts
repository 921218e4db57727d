import type { Changes } from './kind.ts'
import { assertAllowed } from './messageErrors.ts'
import type { Negotiation } from './state.ts'

/** Rejects a message about a milestone other than the current one. Changes nothing. */
export function assertCurrentMilestone(milestone: bigint, state: Negotiation): Changes {
  assertAllowed(
    milestone === BigInt(state.milestone),
    `it is about milestone index ${milestone}, but the current one is ${state.milestone}.`,
  )
  return {}
}
