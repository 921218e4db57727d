import * as z from 'zod/mini'
import { prose } from '../../taskText.ts'
import { milestone } from '../../wire.ts'
import type { Kind } from '../kind.ts'
import { demand } from '../refusal.ts'

const payload = z.strictObject({ milestone, note: z.optional(prose) })

/** The worker asks for the money of a milestone that was delivered, accepted or not. */
export const paymentRequest = {
  payload,
  apply: ({ milestone }, { state }) => {
    const delivered = state.milestone + (state.phase === 'DELIVERED' ? 1 : 0)
    demand(milestone < BigInt(delivered), `milestone index ${milestone} was not delivered yet.`)
    return {}
  },
} as const satisfies Kind<z.output<typeof payload>>
