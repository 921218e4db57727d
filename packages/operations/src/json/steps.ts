import { formatTaskId } from '@svc/protocol'
import { listBlockedActions, listNextSteps, type NextStep, type TaskContext } from '@svc/protocol/actions'
import { describeCosts, describeDeadline, encodeActionField } from '@svc/protocol/internal/actions'
import { formatShortAmount } from '@svc/protocol/internal/money'
import type { BlockedAction } from '@svc/protocol/internal/steps'
import { type Address, getAddress } from 'viem'
import * as z from 'zod'
import { hashText, momentOrNull } from './scalars.ts'

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
  claimDigest: z
    .optional(hashText)
    .describe('Only of claim-task: digest of the terms with you as worker. Pass it as `settlementDigest`.'),
})

export type StepJson = z.infer<typeof stepJson>

/** A rule that keeps a wallet from an action now, and what would change that. */
export const blockedJson = z.object({
  action: z.string().describe('Name of the action that is not possible now; `any` if the task has ended.'),
  rule: z.string().describe('The rule that does not hold.'),
  have: z.nullable(z.string()).describe('What there is, with its unit; null if it is not about an amount.'),
  need: z.nullable(z.string()).describe('What the rule needs, with its unit; null if it is not about an amount.'),
  missing: z.nullable(z.string()).describe('The difference, with its unit; null if it is not about an amount.'),
  waitUntil: momentOrNull.describe('When the rule holds by itself, in unix seconds; null if time does not help.'),
  cure: z
    .nullable(
      z.object({
        action: z.string().describe('Name of the action that helps.'),
        by: z.enum(['you', 'poster', 'worker']).describe('Who can take it.'),
        input: z.record(z.string(), z.string()).describe('Input of the action.'),
      }),
    )
    .describe('The action that would change it; null if there is none, such as for TOK that you must buy.'),
})

export type BlockedJson = z.infer<typeof blockedJson>

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
    ...(step.action.name === 'claim-task' && context.claimDigest && { claimDigest: context.claimDigest(wallet) }),
  }))
}

/** What keeps a wallet from acting on a task at `now` (unix seconds), on the wire. Never empty if the wallet has no step. */
export function formatBlocked(context: TaskContext, wallet: Address, now: number): BlockedJson[] {
  const blocked = listBlockedActions(context, wallet, now).map((each) => formatBlockedAction(each, context, wallet))
  if (blocked.length > 0 || listNextSteps(context, wallet, now).length > 0) return blocked
  const rule = `the task is ${context.task.state}, which is final`
  return [{ action: 'any', rule, have: null, need: null, missing: null, waitUntil: null, cure: null }]
}

function formatBlockedAction(
  { action, rule, amount, waitUntil, cure }: BlockedAction,
  { taskId, task }: TaskContext,
  wallet: Address,
): BlockedJson {
  const missing = amount ? amount.need - amount.have : 0n
  const inputs = {
    'top-up': { market: taskId.market, amountUsdc: String(missing) },
    'fund-task': { taskId: formatTaskId(taskId), amountTokWei: String(task.total - task.funded) },
    'submit-proof': { taskId: formatTaskId(taskId) },
    'accept-milestone': { taskId: formatTaskId(taskId) },
  }
  return {
    action: action.name,
    rule,
    have: amount ? formatShortAmount(amount.have, amount.token) : null,
    need: amount ? formatShortAmount(amount.need, amount.token, 'up') : null,
    missing: amount ? formatShortAmount(missing, amount.token, 'up') : null,
    waitUntil,
    cure: cure
      ? {
          action: cure.action,
          by: cure.by === getAddress(wallet) ? 'you' : cure.by === task.poster ? 'poster' : 'worker',
          input: inputs[cure.action],
        }
      : null,
  }
}

function leadsTo({ row }: NextStep, { task }: TaskContext): string {
  return typeof row.to === 'string' ? row.to : row.to[task.scope]
}
