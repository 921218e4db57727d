import type { channelNames } from '@svc/operations'
import type { Market } from '@svc/protocol'
import type { Address } from 'viem'

/** Plain JSON. */
type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject
export interface JsonObject {
  readonly [name: string]: JsonValue
}

export type ChannelName = (typeof channelNames)[number]

/** What is sent to a person or an agent. */
export interface OutgoingMessage {
  /** The same for every attempt and every channel: receivers drop repeats by it. */
  id: string
  /** The name of the rule, or `corrected` for what a reorganisation took back. */
  kind: string
  wallet: Address
  /** Null if it belongs to none. */
  market: Market | null
  taskId: string | null
  title: string
  text: string
  /** Where to act: a page of the site. */
  url: string
  /** When the clock of this message runs out, unix seconds. */
  deadline: number | null
  createdAt: number
  data: JsonObject
}

export type SendResult =
  | { result: 'sent' }
  | { result: 'retry'; reason: string; afterMs?: number }
  | { result: 'gone'; reason: string }

/** Sends a message once. Retries, order and reports are the notifier's. */
export interface Channel<Target> {
  name: ChannelName
  send: (target: Target, message: OutgoingMessage, signal: AbortSignal) => Promise<SendResult>
}
