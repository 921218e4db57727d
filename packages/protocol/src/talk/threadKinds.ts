import * as z from 'zod/mini'
import { bytes32, seconds, signature, tokWei } from '../base/wire.ts'
import { capabilities } from '../negotiation/messages/statements.ts'
import { cancelOffer } from '../negotiation/messages/work.ts'
import { prose } from '../tasks/taskText.ts'

/** The two sides of a thread: the poster of the task, and the wallet that talks with it. */
const threadSides = ['poster', 'other'] as const
export type ThreadSide = (typeof threadSides)[number]

interface ThreadKind {
  payload: z.ZodMiniType
  /** Who can write it. */
  by: ThreadSide | 'either'
  /** Whether the other side should react to it. */
  asks: boolean
}

const text = z.strictObject({ text: prose })

/** Every kind of message of a thread by its `type`. */
export const threadKinds = {
  /** A question about the task. */
  Question: { payload: text, by: 'either', asks: true },
  /** Answers a question or another request: `answers` is its hash. */
  Answer: { payload: z.strictObject({ text: prose, answers: bytes32 }), by: 'either', asks: false },
  /** The poster invites a wallet to apply for the task or to claim it. */
  Invitation: { payload: text, by: 'poster', asks: true },
  /** A worker applies for a task that needs a permit. Another price or time than posted is a wish: only signed terms bind. */
  Application: {
    payload: z.strictObject({
      ...capabilities.shape,
      amountTokWei: z.optional(tokWei),
      durationSeconds: z.optional(seconds),
    }),
    by: 'other',
    asks: true,
  },
  /** The poster chose the other side: its signed `ClaimPermit`, which `claim-task` takes. */
  Permit: { payload: z.strictObject({ settlementDigest: bytes32, permit: signature }), by: 'poster', asks: true },
  /** Text and files that were sealed for the other side: the hash of a bundle at the store. The message says whose it is, because no brief is on chain. */
  Brief: { payload: z.strictObject({ hash: bytes32 }), by: 'either', asks: false },
  /** Asks to be able to open work that was not shared with the sender's reading key. */
  AccessRequest: { payload: text, by: 'either', asks: true },
  /** Declines whatever the other side asked for. */
  Decline: { payload: z.strictObject({ reason: z.optional(prose) }), by: 'either', asks: false },
  /** A signed offer to end the task with a share for the worker. The same offer of the other side accepts it. */
  EndProposal: { payload: cancelOffer, by: 'either', asks: true },
} as const satisfies Record<string, ThreadKind>

export type ThreadType = keyof typeof threadKinds

/** A payload as JSON. */
export type ThreadPayloadJson<Type extends ThreadType> = z.input<(typeof threadKinds)[Type]['payload']>
/** A payload with amounts and times as bigint. */
export type ThreadPayload<Type extends ThreadType> = z.output<(typeof threadKinds)[Type]['payload']>

/** Every `type` of a message of a thread. */
export const threadTypes = [
  'Question',
  'Answer',
  'Invitation',
  'Application',
  'Permit',
  'Brief',
  'AccessRequest',
  'Decline',
  'EndProposal',
] as const satisfies readonly ThreadType[]
