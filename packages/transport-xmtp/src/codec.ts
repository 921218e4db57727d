import { maxMessageBytes } from '@svc/protocol/negotiation'
import type { Dm } from '@xmtp/node-sdk'

type EncodedContent = Parameters<Dm['send']>[0]
type ContentTypeId = NonNullable<EncodedContent['type']>

/** How XMTP names our messages, so that other applications know that they are not text for people. */
export const contentType = {
  authorityId: 'svc-xmtp-v1',
  typeId: 'signedMessage',
  versionMajor: 1,
  versionMinor: 0,
} as const satisfies ContentTypeId

/** Carries a message's text as it is. Of one that is too long only as much as shows that: strangers write these. */
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

/** Whether a message is one of ours. */
export function isOurs(type: ContentTypeId | undefined): boolean {
  return type?.authorityId === contentType.authorityId && type.typeId === contentType.typeId
}
