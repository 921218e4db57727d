import { expect, test } from 'vitest'
import { parseRetryAfter } from './retryAfter.ts'

const now = Date.parse('Sun, 06 Nov 1994 08:49:37 GMT') + 250

test.each([
  ['seconds', '120', 120_000],
  ['no seconds', '0', 0],
  ['more seconds than anybody waits', '999999999999', 999_999_999_999_000],
  ['a date ahead', 'Sun, 06 Nov 1994 08:49:40 GMT', 2_750],
  ['a date in the past', 'Sun, 06 Nov 1994 08:49:37 GMT', 0],
  ['no header, from fetch', null, null],
  ['no header, from node:http', undefined, null],
  ['an empty header', '', null],
  ['a word', 'soon', null],
])('parses %s', (_, text, ms) => {
  expect(parseRetryAfter(text, now)).toBe(ms)
})
