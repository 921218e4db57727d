import { maxMessageBytes } from '@svc/protocol/negotiation'
import { expect, test } from 'vitest'
import { codec, contentType, isNegotiationMessage } from './codec.ts'

test('decodes what was encoded, and cuts text that is too long one byte beyond the limit', () => {
  const text = '{"note":"schön 👍"}'
  expect(codec.decode(codec.encode(text))).toBe(text)
  expect(codec.decode(codec.encode('x'.repeat(1_000_000)))).toHaveLength(maxMessageBytes + 1)
})

test('accepts only our own content type', () => {
  expect(isNegotiationMessage(contentType)).toBe(true)
  expect(isNegotiationMessage({ ...contentType, authorityId: 'xmtp.org' })).toBe(false)
  expect(isNegotiationMessage(undefined)).toBe(false)
})
