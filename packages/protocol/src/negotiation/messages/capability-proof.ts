import * as z from 'zod/mini'
import { prose } from '../../taskText.ts'
import type { Kind } from '../kind.ts'
import { links } from './links.ts'

/** What a worker says about their abilities: in a negotiation, or in an application. */
export const capabilities = z.strictObject({
  claims: z.array(prose).check(z.minLength(1), z.maxLength(16)),
  links: z.optional(links),
})

/** The worker's description of their abilities. Nothing in it is verified. */
export const capabilityProof = { payload: capabilities, apply: () => ({}) } as const satisfies Kind<
  z.output<typeof capabilities>
>
