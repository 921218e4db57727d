import * as z from 'zod/mini'
import { prose } from '../../taskText.ts'
import { milestone } from '../../wire.ts'
import type { Kind } from '../kind.ts'
import { assertAllowed } from '../messageErrors.ts'

const payload = z.strictObject({ milestone, note: z.optional(prose) })

/** The worker requests payment for a delivered milestone, whether it was accepted or not. */
export const paymentRequest = {
  payload,
  apply: ({ milestone }, { state }) => {
    const delivered = state.milestone + (state.phase === 'DELIVERED' ? 1 : 0)
    assertAllowed(milestone < BigInt(delivered), `milestone index ${milestone} has not been delivered yet.`)
    return {}
  },
} as const satisfies Kind<z.output<typeof payload>>
