import { expect, test } from 'vitest'
import { parseByteRange } from './byteRange.ts'

test.each([
  ['bytes=0-9', { start: 0, end: 9 }],
  ['bytes=90-', { start: 90, end: 99 }],
  ['bytes=90-500', { start: 90, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-500', { start: 0, end: 99 }],
  ['bytes=-', null],
  ['bytes=0-1,5-6', null],
  ['rows=0-1', null],
  [undefined, null],
])('%s of 100 bytes', (header, range) => {
  expect(parseByteRange(header, 100)).toEqual(range)
})

test.each(['bytes=100-', 'bytes=9-3', 'bytes=-0'])('%s lies outside of 100 bytes', (header) => {
  expect(() => parseByteRange(header, 100)).toThrow('100 bytes')
})
