import * as z from 'zod/mini'
import { milestone } from '../../wire.ts'
import { assertCurrentMilestone } from '../assertCurrentMilestone.ts'
import type { Kind } from '../kind.ts'

const payload = z.strictObject({ milestone })

/** The poster accepts a delivery, or concedes a dispute. The next milestone becomes the current one. */
export const acceptDelivery = {
  payload,
  apply: ({ milestone }, { state }) => ({
    ...assertCurrentMilestone(milestone, state),
    milestone: state.milestone + 1,
    revisions: 0,
  }),
} as const satisfies Kind<z.output<typeof payload>>
