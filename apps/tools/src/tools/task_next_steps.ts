import { formatBlocked, formatSteps, type StepJson } from '@svc/operations'
import { deriveTaskPhase, formatTaskId, marketParams } from '@svc/protocol'
import { listNextSteps, type TaskContext } from '@svc/protocol/actions'
import { computeClaimableUntil } from '@svc/protocol/lifecycle'
import type { BundleKind } from '@svc/protocol/work'
import { type Address, isAddressEqual } from 'viem'
import { z } from 'zod'
import { address, buildMeta, meta, taskId, toTimeFields } from '../fields.ts'
import { createTaskNotFoundError } from '../taskAnswer.ts'
import { defineTool } from '../tool.ts'

/** Depends only on the state and the money of the task, never on its text. */
export const taskNextSteps = defineTool({
  name: 'svc_task_next_steps',
  title: 'What to do next',
  description:
    'What a wallet can do with a task now, from the chain: until when, cost, and the tool call that does it, with what to bring. blocked: the rule that stops an action, and its cure. others: what the other parties can do.',
  input: z.strictObject({ id: taskId, address: address.describe('Wallet that would act.') }),
  output: z.looseObject({
    role: z.string().describe('Role of the wallet in the task: poster, worker, judge, final court or stranger.'),
    steps: z
      .array(
        z.looseObject({
          action: z.string().describe('Name of the action.'),
          call: z.looseObject({}).describe('Tool and arguments that take it.'),
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
    return {
      taskId: formatTaskId(id),
      address,
      role: who,
      state: task.state,
      phase: deriveTaskPhase({ ...task, claimableUntil }, params, now) ?? 'SETTLED',
      steps: formatSteps(context, address, now).flatMap((step) => listToolSteps(step, context, address)),
      blocked: formatBlocked(context, address, now).map(({ waitUntil, ...each }) => ({
        ...each,
        ...toTimeFields('waitUntil', waitUntil),
      })),
      others: listOtherSteps(context, address, now),
      meta: buildMeta(block),
    }
  },
})

/** The step as a client of these tools takes it: a task with a store takes sealed work, and a permit begins with an application. */
function listToolSteps(
  { action, explain, costs, until, required, derived, claimDigest }: StepJson,
  { task, taskId }: TaskContext,
  address: Address,
) {
  const id = formatTaskId(taskId)
  const step = {
    action,
    explain,
    costs,
    ...toTimeFields('until', until),
    ...(claimDigest && { claimDigest }),
    bring: required.map(describeInputSource),
    call: { tool: 'svc_prepare', arguments: { action, input: derived, address } as Record<string, unknown> },
  }
  const kind = task.store ? workKinds[action] : undefined
  if (kind) return [{ ...step, bring: [], call: { tool: 'svc_send_work', arguments: { id, address, kind } } }]
  const isParty = [task.poster, task.worker].some((party) => party && isAddressEqual(party as Address, address))
  if (action === 'mutual-cancel' && isParty) {
    const bring = [describeInputSource('workerBps')]
    return [{ ...step, bring, call: { tool: 'svc_send_message', arguments: { id, address, kind: 'propose-end' } } }]
  }
  if (action !== 'claim-task' || !required.includes('permit')) return [step]
  const apply = {
    action: 'apply',
    explain: 'Applies to the poster, who chooses who may claim. Then svc_read_messages has the permit as next.',
    costs: [],
    ...toTimeFields('until', until),
    bring: [{ name: 'text', from: 'your abilities' }],
    call: { tool: 'svc_send_message', arguments: { id, address, kind: 'apply' } },
  }
  return [apply, step]
}

/** The work that belongs to the hash of an action. */
const workKinds: Readonly<Record<string, BundleKind>> = {
  'submit-proof': 'delivery',
  'request-revision': 'revision',
  'open-dispute': 'evidence',
  'submit-evidence': 'evidence',
  'resolve-dispute': 'ruling',
  'decide-dispute': 'ruling',
}

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
  permit: 'next of svc_read_messages, once the poster chose you',
  proofHash: 'keccak256 of your proof of delivery (svc_prepare hashes it as text)',
  evidenceHash: 'keccak256 of your evidence (svc_prepare hashes it as text)',
  reasonHash: 'keccak256 of your reasons (svc_prepare hashes it as text)',
  workerBps: "the worker's share, 0 to 10000",
  shareBps: "the worker's share that you accept, 0 to 10000",
  forWorker: "true for the worker's share, false for the poster's",
  receipt: 'svc_send_work, which gets it from the store',
  arbitrator: 'the wallet of a bonded arbitrator',
  worker: 'the wallet that may claim',
  posterSignature: 'next of svc_read_messages, once both agreed',
  workerSignature: 'next of svc_read_messages, once both agreed',
}

/** Describes where the value of an input comes from. */
const describeInputSource = (name: string) => ({ name, from: sources[name] ?? 'you' })
