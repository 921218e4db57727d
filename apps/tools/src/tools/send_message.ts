import { normalizeText } from '@svc/protocol/internal/base'
import type { TalkThread } from '@svc/work'
import { z } from 'zod'
import { address, buildMeta, meta, taskId } from '../fields.ts'
import { defineTool, ToolError } from '../tool.ts'
import { findNextAction, threadToJson } from '../work/describeThread.ts'
import { buildSubject, computePermitDigest, openTaskTalk, readEndPlace, shareTask } from '../work/openTalk.ts'
import { openPlace } from '../work/place.ts'
import { withWorkErrors } from '../work/toolWork.ts'
import { runTwoSteps, walletSignature } from '../work/twoSteps.ts'
import { shorten } from './read_messages.ts'

export const messageKinds = [
  'ask',
  'answer',
  'apply',
  'invite',
  'decline',
  'choose',
  'propose-end',
  'accept-end',
] as const

/** Writes to the other side of a task. The device key signs; the wallet only what binds on chain. */
export const sendMessage = defineTool({
  name: 'svc_send_message',
  title: 'Send a message',
  description:
    'Writes to the other side of a task. choose (an applicant), propose-end and accept-end (split the escrow) first return typedData to sign.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  input: z.strictObject({
    id: taskId,
    address: address.describe('Wallet that writes.'),
    kind: z.enum(messageKinds).describe('What it is.'),
    to: address.optional().describe('Whom a poster writes to; default the worker.'),
    text: z.string().max(8_192).default('').describe('Text; for apply, your abilities.'),
    workerBps: z.int().min(0).max(10_000).optional().describe("propose-end: the worker's share."),
    signature: walletSignature.optional(),
  }),
  output: z.looseObject({
    thread: z
      .looseObject({})
      .optional()
      .describe('The thread after it, with whose turn it is; absent if nothing was sent.'),
    typedData: z.looseObject({}).optional().describe('What the wallet must sign first; absent otherwise.'),
    next: z.looseObject({}).optional().describe('Action and input for svc_prepare; absent if there is none yet.'),
    nextStep: z.string().describe('What to do now.'),
    meta,
  }),
  run: ({ id, address, kind, to, text: given, workerBps, signature }, deps) =>
    withWorkErrors(async () => {
      const place = await openPlace(deps.work.openWallet(address), id)
      const talk = openTaskTalk(place)
      const subject = buildSubject(place, to)
      const text = normalizeText(given)
      const shared = shareTask(place, subject)
      const [now, at] = [place.settings.now(), buildMeta(await deps.reader.head())]
      const done = (thread: TalkThread) => ({ thread: shorten(threadToJson(thread)), ...describeNext(thread) })
      await talk.mailbox.sync()
      const before = await talk.readThread(subject)
      switch (kind) {
        case 'ask':
          return { ...done(await talk.write(subject, 'Question', { text }, shared)), meta: at }
        case 'answer': {
          const { status, me } = before
          const asked = status.open.find(
            ({ side, type }) => side === me && ['Question', 'AccessRequest'].includes(type),
          )
          if (!asked) throw refuse('The other side has no open question.')
          return { ...done(await talk.write(subject, 'Answer', { text, answers: asked.hash }, shared)), meta: at }
        }
        case 'apply':
          return { ...done(await talk.write(subject, 'Application', { claims: [text] })), meta: at }
        case 'invite':
          return { ...done(await talk.write(subject, 'Invitation', { text })), meta: at }
        case 'decline':
          return { ...done(await talk.write(subject, 'Decline', text ? { reason: text } : {}, shared)), meta: at }
        case 'choose': {
          const digest = computePermitDigest(place, subject.other)
          const chosen = await runTwoSteps(signature, 7 * 86_400, now, async (signing) =>
            done(await talk.choose(subject, digest, signing)),
          )
          return { ...chosen, meta: at }
        }
        default: {
          const offered = before.status.ends[before.me === 'poster' ? 'other' : 'poster']?.workerBps
          const share = kind === 'accept-end' ? offered : workerBps
          if (share === undefined) {
            throw refuse(
              kind === 'accept-end' ? 'The other side has not offered to end the task.' : 'workerBps is missing.',
            )
          }
          const ended = await runTwoSteps(signature, 86_400, now, async (signing) =>
            done(await talk.proposeEnd(subject, Number(share), readEndPlace(place), signing)),
          )
          return { ...ended, meta: at }
        }
      }
    }),
})

/** The action that a thread makes possible for this wallet, or whose turn it is. */
function describeNext(found: TalkThread) {
  const next = findNextAction(found)
  if (next) return { next, nextStep: `Call svc_prepare with next and the address: ${next.action} is possible now.` }
  const isMine = found.status.turn === found.me || found.status.turn === 'both'
  return {
    nextStep: isMine ? 'Sent. You still have something to answer.' : 'Sent. Read the answer with svc_read_messages.',
  }
}

const refuse = (why: string) => new ToolError('WORK_REFUSED', why, 'Read the thread with svc_read_messages first.')
