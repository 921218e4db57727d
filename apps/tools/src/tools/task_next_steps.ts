import { formatBlocked, formatSteps } from '@svc/operations'
import { deriveTaskPhase, formatTaskId, marketParams } from '@svc/protocol'
import { listNextSteps, type TaskContext } from '@svc/protocol/actions'
import { computeClaimableUntil } from '@svc/protocol/lifecycle'
import { type Address, isAddressEqual } from 'viem'
import { z } from 'zod'
import { address, buildMeta, meta, taskId, toTimeFields } from '../fields.ts'
import { formatPrepareCommand } from '../prepareCommand.ts'
import { createTaskNotFoundError } from '../taskAnswer.ts'
import { defineTool } from '../tool.ts'

/** Depends only on the state and the money of the task, never on its text. */
export const taskNextSteps = defineTool({
  name: 'svc_task_next_steps',
  title: 'What to do next',
  description:
    'What a wallet can do with a task now, from its state on chain: deadline, cost, required inputs, and the command that prepares it (svc_prepare does the same). blocked: the rule that stops an action, what is missing, and the action that cures it. others: what the poster and the worker can do.',
  input: z.strictObject({ id: taskId, address: address.describe('Wallet that would act.') }),
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
  async run({ id, address }, deps) {
    const { context, block } = await deps.readTaskContext(id, address)
    if (!context) throw createTaskNotFoundError(id)
    const now = block.timestamp
    const { task, entriesPaused, sunsetAt } = context
    const params = marketParams[id.market]
    const claimableUntil = computeClaimableUntil(task, params, { entriesPaused, sunsetAt }, now) ?? 0
    const who = findRole(context, address)
    const given = { taskId: formatTaskId(id), from: address }
    return {
      taskId: formatTaskId(id),
      address,
      role: who,
      state: task.state,
      phase: deriveTaskPhase({ ...task, claimableUntil }, params, now) ?? 'SETTLED',
      steps: formatSteps(context, address, now).map(({ required, until, ...step }) => ({
        ...step,
        who,
        ...toTimeFields('until', until),
        bring: required.map(describeInputSource),
        command: formatPrepareCommand(step.action, given, required),
      })),
      blocked: formatBlocked(context, address, now).map(({ waitUntil, ...each }) => ({
        ...each,
        ...toTimeFields('waitUntil', waitUntil),
      })),
      others: listOtherSteps(context, address, now),
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

/** Where an agent gets the inputs of an action, by name. */
const sources: Readonly<Record<string, string>> = {
  settlementDigest: 'claimDigest of this step, or of svc_get_task with your address',
  permit: "the poster's signed ClaimPermit",
  proofHash: 'keccak256 of your proof of delivery (svc_prepare hashes it as text)',
  evidenceHash: 'keccak256 of your evidence (svc_prepare hashes it as text)',
  reasonHash: 'keccak256 of your reasons (svc_prepare hashes it as text)',
  workerBps: "the worker's share, 0 to 10000",
  shareBps: "the worker's share that you accept, 0 to 10000",
  forWorker: "true for the worker's share, false for the poster's",
  receipt: "the store's signed StorageReceipt for this delivery",
  arbitrator: 'the wallet of a bonded arbitrator',
  worker: 'the wallet that may claim',
  posterSignature: "the poster's signed MutualCancel",
  workerSignature: "the worker's signed MutualCancel",
}

/** Describes where the value of an input comes from. */
const describeInputSource = (name: string) => ({ name, from: sources[name] ?? 'you' })
