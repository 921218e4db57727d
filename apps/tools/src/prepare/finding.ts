import * as z from 'zod/mini'

/** One thing that was looked at. */
export const finding = z.object({
  what: z.string(),
  level: z.enum(['ok', 'warn', 'fail']),
  says: z.string(),
  /** The way out. */
  hint: z.optional(z.string()),
})

export type Finding = z.infer<typeof finding>

/** A finding; one that is ok needs no way out. */
export const found = (what: string, level: Finding['level'], says: string, hint?: string): Finding => ({
  what,
  level,
  says,
  ...(hint && level !== 'ok' && { hint }),
})
