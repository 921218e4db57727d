import { maxMessageBytes } from '@svc/protocol/negotiation'
import { expect, test } from 'vitest'
import { codec, contentType, isOurs } from './codec.ts'

test('text comes out as it went in, and of too much only enough to see that', () => {
  const text = '{"note":"schön 👍"}'
  expect(codec.decode(codec.encode(text))).toBe(text)
  expect(codec.decode(codec.encode('x'.repeat(1_000_000)))).toHaveLength(maxMessageBytes + 1)
})

test('only our own content type is ours', () => {
  expect(isOurs(contentType)).toBe(true)
  expect(isOurs({ ...contentType, authorityId: 'xmtp.org' })).toBe(false)
  expect(isOurs(undefined)).toBe(false)
})
