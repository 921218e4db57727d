import { expect, test } from 'vitest'
import { findFirstUnread } from './written.ts'

const [me, other] = ['0xaA', '0xb0']

test.each<[when: string, senders: string[], shown: number, first: number]>([
  ['nothing was shown', [other, other], 0, 0],
  ['this device has shown the first', [other, other], 1, 1],
  ['an answer, also from another device, comes after reading', [other, '0xAa', other], 0, 2],
  ['own messages are never new', [other, me], 0, 2],
])('%s', (_, senders, shown, first) => {
  expect(findFirstUnread(senders, me, shown)).toBe(first)
})
