import { bundleKinds } from '@svc/protocol/work'
import { listFilesInside } from '@svc/work/folder'
import { z } from 'zod'
import { address, buildMeta, meta, taskId } from '../fields.ts'
import { defineTool, type ToolDeps, ToolError } from '../tool.ts'
import { openPlace } from '../work/place.ts'
import { type SentWork, sendWork } from '../work/sendWork.ts'
import { withWorkErrors } from '../work/toolWork.ts'
import { prepare } from './prepare.ts'

/** Sends work of every kind. Files come from the operator's work folder only. */
export const sendWorkTool = defineTool({
  name: 'svc_send_work',
  title: 'Send work',
  description:
    'Encrypts text and files for the others of a task, stores them, and prepares the action that puts the hash on chain: a delivery (worker), a request for changes (revision) or brief (poster), evidence (party), a ruling (judge). Call it again after a failure.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    id: taskId,
    address: address.describe('Wallet that sends it.'),
    kind: z.enum(bundleKinds).describe('What it is.'),
    text: z.string().max(100_000).default('').describe('Text in Markdown.'),
    files: z.array(z.string().max(1_000)).max(100).default([]).describe('Paths in the work folder.'),
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
  run: ({ id, address, kind, text, files, actionInput }, deps) =>
    withWorkErrors(async () => {
      const local = files.length > 0 ? await listFilesInside(await deps.work.requireFolder(), files) : []
      const place = await openPlace(deps.work.openWallet(address), id)
      const sent = await sendWork(place, { kind, text, files: local })
      const { receipt, shared, ...rest } = sent
      const next = sent.next && { ...sent.next, input: { ...actionInput, ...sent.next.input } }
      const at = buildMeta(id.market, await deps.reader.head())
      return {
        ...rest,
        ...(receipt && { receipt }),
        ...(shared && { shared }),
        next: next ?? undefined,
        ...(await prepareNext(next, address, deps)),
        meta: at,
      }
    }),
})

/** Prepares the action. The work is stored already, so an error here is only a note. */
async function prepareNext(next: SentWork['next'], address: `0x${string}`, deps: ToolDeps) {
  if (!next) return { nextStep: 'Nothing goes on chain. Tell the others the hash.' }
  try {
    const prepared = await prepare.run({ ...next, address }, deps)
    return { prepared, nextStep: prepared.nextStep }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    const nextStep = `The work is stored. Call svc_prepare with next and ${JSON.stringify({ address })}.`
    return { prepareError: error.json, nextStep }
  }
}
