import * as z from 'zod/mini'
import { prose } from '../../taskText.ts'
import { givenHash, milestone } from '../../wire.ts'
import { inWork } from '../inWork.ts'
import type { Kind } from '../kind.ts'
import { links } from './links.ts'

const payload = z.strictObject({
  milestone,
  /** As `markDelivered` takes it. */
  proofHash: givenHash,
  links: z.optional(links),
  note: z.optional(prose),
})

/** The worker delivered the milestone in work. */
export const deliveryNotice = {
  payload,
  apply: ({ milestone }, { state }) => inWork(milestone, state),
} as const satisfies Kind<z.output<typeof payload>>
