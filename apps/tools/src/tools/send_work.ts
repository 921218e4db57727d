import { SvcError } from '@svc/protocol'
import { type BundleKind, bundleKinds } from '@svc/protocol/work'
import { listFilesInside } from '@svc/work/folder'
import type { Address } from 'viem'
import { z } from 'zod'
import { address, buildMeta, meta, taskId } from '../fields.ts'
import { defineTool, type ToolDeps, ToolError } from '../tool.ts'
import { readBriefFiles } from '../work/brief.ts'
import { openPlace, type WorkPlace } from '../work/place.ts'
import { type SentWork, sendWork } from '../work/sendWork.ts'
import { withWorkErrors } from '../work/toolWork.ts'
import { prepare } from './prepare.ts'

/** Sends work of every kind. Files come from the operator's work folder only. */
export const sendWorkTool = defineTool({
  name: 'svc_send_work',
  title: 'Send work',
  description:
    'Seals text and files for the others of a task, stores them, and prepares the action that puts the hash on chain: a delivery (worker), a request for changes (revision, poster), a brief or evidence (party), a ruling (judge). Repeat it after a failure.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    id: taskId,
    address: address.describe('Wallet that sends it.'),
    kind: z.enum(bundleKinds).describe('What it is.'),
    text: z.string().max(100_000).default('').describe('Text in Markdown.'),
    files: z
      .array(z.string().max(1_000))
      .max(100)
      .default([])
      .describe('Names in <work folder>/<task>/outbox, such as v2-micro-7/outbox; of a brief also new/outbox.'),
    calls: z.boolean().default(false).describe('As of svc_prepare.'),
    actionInput: z.looseObject({}).default({}).describe('More inputs of the action: forWorker, shareBps.'),
  }),
  output: z.looseObject({
    hash: z.string().describe('Hash of the work, for the chain.'),
    receipt: z.looseObject({}).optional().describe("The store's receipt; absent if there is none."),
    next: z.looseObject({}).optional().describe('Action and input for svc_prepare; absent if nothing goes on chain.'),
    prepared: z
      .looseObject({})
      .optional()
      .describe('Result of svc_prepare for it; absent if it could not be prepared.'),
    nextStep: z.string().describe('What to do now.'),
    meta,
  }),
  run: ({ id, address, kind, text, files, actionInput, calls }, deps) =>
    withWorkErrors(async () => {
      const place = await openPlace(deps.work.openWallet(address), id)
      const local = files.length > 0 ? await listOutbox(place, kind, files, deps) : []
      const sent = await sendWork(place, { kind, text, files: local })
      const { receipt, shared, isAnnounced, publicHash, ...rest } = sent
      const next = sent.next && { ...sent.next, input: { ...actionInput, ...sent.next.input } }
      const at = buildMeta(await deps.reader.head())
      return {
        ...rest,
        ...(receipt && { receipt }),
        ...(shared && { shared }),
        ...(isAnnounced && { isAnnounced }),
        ...(publicHash && { publicHash }),
        next: next ?? undefined,
        ...(await prepareNext(next, { address, calls }, deps)),
        meta: at,
      }
    }),
})

/**
 * The files that may be sent for this task. Those of another one are out of reach, whatever a text asks for. What its own text names
 * may come from the folder of new tasks, where it was when the task was posted.
 */
async function listOutbox(place: WorkPlace, kind: BundleKind, files: readonly string[], { work }: ToolDeps) {
  const named = kind === 'brief' ? readBriefFiles(place) : []
  if (files.every((each) => named.some(({ name }) => name === each))) {
    const { path } = await work.openTaskFolder('new', 'outbox')
    const found = await listFilesInside(path, files).catch(() => null)
    if (found) return found
  }
  const { path, name } = await work.openTaskFolder(place.taskId, 'outbox')
  return listFilesInside(path, files).catch((error: unknown) => {
    if (!(error instanceof SvcError)) throw error
    const nextStep = `Only files in ${name} of the work folder can be sent for this task.`
    throw new ToolError('WORK_REFUSED', error.message, nextStep)
  })
}

/** Prepares the action. The work is stored already, so an error here is only a note. */
async function prepareNext(next: SentWork['next'], use: { address: Address; calls: boolean }, deps: ToolDeps) {
  if (!next)
    return {
      nextStep:
        'Nothing goes on chain. svc_read_work lists it for the worker, and a message announces it. If there is no worker yet, call svc_read_work once there is one: it shares the sealed files.',
    }
  try {
    const prepared = await prepare.run({ ...next, ...use }, deps)
    return { prepared, nextStep: prepared.nextStep }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    const nextStep = `The work is stored. Call svc_prepare with next and ${JSON.stringify({ address: use.address })}.`
    return { prepareError: error.json, nextStep }
  }
}
