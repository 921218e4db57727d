import * as z from 'zod/mini'
import { prose } from '../../taskText.ts'
import type { Kind } from '../kind.ts'
import { links } from './links.ts'

const payload = z.strictObject({
  claims: z.array(prose).check(z.minLength(1), z.maxLength(16)),
  links: z.optional(links),
})

/** The worker's description of their abilities. Nothing in it is verified. */
export const capabilityProof = { payload, apply: () => ({}) } as const satisfies Kind<z.output<typeof payload>>
