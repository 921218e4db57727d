import * as z from 'zod/mini'
import { prose } from '../../taskText.ts'
import { milestone, nonZeroHash } from '../../wire.ts'
import { assertCurrentMilestone } from '../assertCurrentMilestone.ts'
import type { Kind } from '../kind.ts'
import { links } from './links.ts'

const payload = z.strictObject({
  milestone,
  /** The hash that `markDelivered` takes. */
  proofHash: nonZeroHash,
  links: z.optional(links),
  note: z.optional(prose),
})

/** The worker delivered the current milestone. */
export const deliveryNotice = {
  payload,
  apply: ({ milestone }, { state }) => assertCurrentMilestone(milestone, state),
} as const satisfies Kind<z.output<typeof payload>>
