import { formatBlocked, formatSteps } from '@svc/operations'
import { deriveTaskPhase, formatTaskId, marketParams } from '@svc/protocol'
import { listNextSteps, type TaskContext } from '@svc/protocol/actions'
import { computeClaimableUntil } from '@svc/protocol/lifecycle'
import { type Address, isAddressEqual } from 'viem'
import { z } from 'zod'
import { buildMeta, meta, taskId, toTimeFields, wallet } from '../fields.ts'
import { describeInputSource } from '../inputSources.ts'
import { formatPrepareCommand } from '../prepareCommand.ts'
import { createTaskNotFoundError } from '../taskAnswer.ts'
import { defineTool } from '../tool.ts'

/** Depends only on the state and the money of the task, never on its text. */
export const taskNextSteps = defineTool({
  name: 'svc_task_next_steps',
  title: 'What to do next',
  description:
    'What a wallet can do with a task now, from its state on chain: deadline, cost, required inputs, and the command that prepares it (svc_prepare does the same). blocked: the rule that stops an action, what is missing, and the action that cures it. others: what the poster and the worker can do.',
  input: z.strictObject({ id: taskId, wallet: wallet.describe('Wallet that would act.') }),
  output: z.looseObject({
    role: z.string().describe('Role of the wallet in the task: poster, worker, judge, final court or stranger.'),
    steps: z
      .array(
        z.looseObject({
          action: z.string().describe('Name of the action.'),
          command: z.string().describe('Command that prepares it.'),
        }),
      )
      .describe('What the wallet may do now; empty if nothing.'),
    blocked: z
      .array(z.looseObject({ action: z.string().describe('Name of the action.') }))
      .describe('Why the wallet cannot act: the rule, have, need, missing, waitUntil, and the action that cures it.'),
    others: z.array(z.looseObject({})).describe('What the other parties may do now.'),
    meta,
  }),
  async run({ id, wallet }, deps) {
    const { context, block } = await deps.readTaskContext(id, wallet)
    if (!context) throw createTaskNotFoundError(id)
    const now = block.timestamp
    const { task, entriesPaused, sunsetAt } = context
    const surroundings = { entriesPaused, sunsetAt, posterFree: context.account(task.poster).free }
    const claimableUntil = computeClaimableUntil(task, marketParams[id.market], surroundings, now) ?? 0
    const who = findRole(context, wallet)
    const given = { taskId: formatTaskId(id), from: wallet }
    return {
      taskId: formatTaskId(id),
      wallet,
      role: who,
      state: task.state,
      phase: deriveTaskPhase({ ...task, claimableUntil }, now) ?? 'SETTLED',
      steps: formatSteps(context, wallet, now).map(({ required, until, ...step }) => ({
        ...step,
        who,
        ...toTimeFields('until', until),
        bring: required.map(describeInputSource),
        command: formatPrepareCommand(step.action, given, required),
      })),
      blocked: formatBlocked(context, wallet, now).map(({ waitUntil, ...each }) => ({
        ...each,
        ...toTimeFields('waitUntil', waitUntil),
      })),
      others: listOtherSteps(context, wallet, now),
      meta: buildMeta(id.market, block),
    }
  },
})

/** Lists what the other parties can do. */
function listOtherSteps(context: TaskContext, wallet: Address, now: number) {
  return (['poster', 'worker'] as const).flatMap((by) => {
    const party = context.task[by] as Address | null
    if (!party || isAddressEqual(party, wallet)) return []
    return listNextSteps(context, party, now).map(({ action, until }) => ({
      action: action.name,
      by,
      ...toTimeFields('until', until),
    }))
  })
}

function findRole({ task, dispute, finalCourt }: TaskContext, wallet: Address): string {
  const is = (party: string | null) => party !== null && isAddressEqual(party as Address, wallet)
  if (is(task.poster)) return 'poster'
  if (is(task.worker)) return 'worker'
  if (dispute && is(dispute.judge)) return 'judge'
  return is(finalCourt) ? 'final court' : 'stranger'
}
