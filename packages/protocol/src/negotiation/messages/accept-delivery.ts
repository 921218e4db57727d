import * as z from 'zod/mini'
import { milestone } from '../../wire.ts'
import { inWork } from '../inWork.ts'
import type { Kind } from '../kind.ts'

const payload = z.strictObject({ milestone })

/** The poster takes a delivery, in a dispute as a concession; the next milestone is in work. */
export const acceptDelivery = {
  payload,
  apply: ({ milestone }, { state }) => ({ ...inWork(milestone, state), milestone: state.milestone + 1, revisions: 0 }),
} as const satisfies Kind<z.output<typeof payload>>
