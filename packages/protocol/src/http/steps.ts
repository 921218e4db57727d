import type { Address } from 'viem'
import * as z from 'zod/mini'
import { writeField } from '../action.ts'
import { type NextStep, nextSteps } from '../nextSteps.ts'
import { clockWords, costLines } from '../preview.ts'
import type { Standing } from '../standing.ts'
import { momentOrNull } from './scalars.ts'

/** Something that a wallet can do with a task now. */
export const stepJson = z.object({
  action: z.string(),
  summary: z.string(),
  /** The state or phase that it leads to. */
  leadsTo: z.string(),
  /** The part of the input that the task answers. */
  known: z.record(z.string(), z.unknown()),
  /** The names of what the wallet brings. */
  needs: z.array(z.string()),
  costs: z.array(z.object({ what: z.string(), amount: z.string() })),
  /** The clock that it starts, in words. */
  clock: z.nullable(z.string()),
  until: momentOrNull,
})

export type StepJson = z.infer<typeof stepJson>

/** What a wallet can do with a task at `now` (unix seconds), on the wire. */
export function stepsJsonOf(standing: Standing, wallet: Address, now: number): StepJson[] {
  const { credits } = standing.account(wallet)
  return nextSteps(standing, wallet, now).map((step) => ({
    action: step.action.name,
    summary: step.action.summary,
    leadsTo: leadsTo(step, standing),
    known: Object.fromEntries(
      Object.entries(step.known).map(([name, value]) => [name, writeField(step.action, name, value)]),
    ),
    needs: step.needs,
    costs: costLines(step.cost, { credits }),
    clock: clockWords(step.action),
    until: step.until,
  }))
}

function leadsTo({ row }: NextStep, { task }: Standing): string {
  return typeof row.to === 'string' ? row.to : row.to[task.scope]
}
