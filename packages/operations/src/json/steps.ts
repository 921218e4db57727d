import {
  describeCosts,
  describeDeadline,
  encodeActionField,
  listNextSteps,
  type NextStep,
  type TaskContext,
} from '@svc/protocol/actions'
import type { Address } from 'viem'
import * as z from 'zod'
import { momentOrNull } from './scalars.ts'

/** What an action costs, for display. */
export const costsJson = z
  .array(
    z.object({
      what: z.string().describe('What is paid, reserved or put at risk.'),
      amount: z.string().describe('Amount with its unit.'),
    }),
  )
  .describe('What the action costs.')

/** An action that a wallet can take on a task now. */
export const stepJson = z.object({
  action: z.string().describe('Name of the action.'),
  verb: z.string().describe('Label for a button.'),
  title: z.string().describe('Heading for the action.'),
  explain: z.string().describe('What the action does, in one sentence.'),
  leadsTo: z.string().describe('State or phase that it leads to.'),
  derived: z.record(z.string(), z.unknown()).describe('Input fields that follow from the task, with their values.'),
  required: z.array(z.string()).describe('Names of the input fields that you must supply.'),
  costs: costsJson,
  deadline: z.nullable(z.string()).describe('Deadline that the action starts, in a sentence; null if none.'),
  until: momentOrNull.describe('Until when it is possible, in unix seconds; null if there is no limit.'),
})

export type StepJson = z.infer<typeof stepJson>

/** What a wallet can do with a task at `now` (unix seconds), on the wire. */
export function formatSteps(context: TaskContext, wallet: Address, now: number): StepJson[] {
  const { credits } = context.account(wallet)
  return listNextSteps(context, wallet, now).map((step) => ({
    action: step.action.name,
    verb: step.action.verb,
    title: step.action.title,
    explain: step.action.explain,
    leadsTo: leadsTo(step, context),
    derived: Object.fromEntries(
      Object.entries(step.derived).map(([name, value]) => [name, encodeActionField(step.action, name, value)]),
    ),
    required: step.required,
    costs: describeCosts(step.cost, { credits }),
    deadline: describeDeadline(step.action),
    until: step.until,
  }))
}

function leadsTo({ row }: NextStep, { task }: TaskContext): string {
  return typeof row.to === 'string' ? row.to : row.to[task.scope]
}
