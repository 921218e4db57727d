import * as z from 'zod/mini'

/** The result of one check. */
export const finding = z.object({
  what: z.string(),
  level: z.enum(['ok', 'warn', 'fail']),
  says: z.string(),
  /** How to fix it. */
  hint: z.optional(z.string()),
})

export type Finding = z.infer<typeof finding>

/** Creates a finding. The hint is omitted if everything is ok. */
export const createFinding = (what: string, level: Finding['level'], says: string, hint?: string): Finding => ({
  what,
  level,
  says,
  ...(hint && level !== 'ok' && { hint }),
})
