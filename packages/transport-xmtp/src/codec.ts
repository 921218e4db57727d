import { maxMessageBytes } from '@svc/protocol/negotiation'
import type { Dm } from '@xmtp/node-sdk'

type EncodedContent = Parameters<Dm['send']>[0]
type ContentTypeId = NonNullable<EncodedContent['type']>

/** The XMTP content type of our messages. Other applications use it to tell them from chat text. */
export const contentType = {
  authorityId: 'svc-xmtp-v1',
  typeId: 'signedMessage',
  versionMajor: 1,
  versionMinor: 0,
} as const satisfies ContentTypeId

/** Encodes a message's text as it is. Decodes at most one byte beyond the limit, because anyone can send these. */
export const codec = {
  contentType,
  encode: (text: string): EncodedContent => ({
    type: contentType,
    parameters: {},
    fallback: codec.fallback(),
    content: new TextEncoder().encode(text),
  }),
  decode: ({ content }: EncodedContent): string => new TextDecoder().decode(content.subarray(0, maxMessageBytes + 1)),
  fallback: () => 'A signed message of a task negotiation: see svc-negotiate.',
  shouldPush: () => true,
}

/** Returns whether a message has our content type. */
export function isNegotiationMessage(type: ContentTypeId | undefined): boolean {
  return type?.authorityId === contentType.authorityId && type.typeId === contentType.typeId
}
