import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../../test/harness/runs.ts'
import { markets } from '../base/market.ts'
import { formatTaskId, InvalidTaskIdError, parseTaskId } from './taskId.ts'
import { taskId } from './taskIdSchema.ts'

const maxNumber = 2n ** 256n - 1n
const anyTaskId = fc.record({ market: fc.constantFrom(...markets), number: fc.bigInt({ min: 1n, max: maxNumber }) })

test('reads both markets', () => {
  expect(parseTaskId('v2:standard:1')).toEqual({ market: 'standard', number: 1n })
  expect(parseTaskId(`v2:micro:${maxNumber}`)).toEqual({ market: 'micro', number: maxNumber })
})

test('round trip', () => {
  fc.assert(
    fc.property(anyTaskId, (id) => {
      expect(parseTaskId(formatTaskId(id))).toEqual(id)
    }),
    { numRuns: runs(100) },
  )
})

test('a task has exactly one id: a string is rejected or formats back unchanged', () => {
  const nearMiss = fc
    .tuple(
      fc.constantFrom('v2', 'v1', 'V2', ' v2', ''),
      fc.constantFrom('standard', 'micro', 'Micro', 'other', ''),
      fc.oneof(
        fc.bigInt({ min: -2n, max: maxNumber * 4n }).map(String),
        fc.constantFrom('01', '+1', '1.0', '0x1', '1e3', '1 ', '1\n', '١', ''),
      ),
    )
    .map((parts) => parts.join(':'))
  fc.assert(
    fc.property(fc.oneof(nearMiss, fc.string()), (text) => {
      try {
        expect(formatTaskId(parseTaskId(text))).toBe(text)
      } catch (error) {
        expect(error).toBeInstanceOf(InvalidTaskIdError)
      }
    }),
    { numRuns: runs(1000) },
  )
})

test.each([
  '',
  '1',
  'v2:standard',
  'v2:standard:',
  'v2:standard:0',
  'v2:standard:01',
  'v2:standard:-1',
  'v2:standard:1\n',
  'v2:standard:1:1',
  'v2:other:1',
  'v2:Standard:1',
  'v1:standard:1',
  `v2:standard:${maxNumber + 1n}`,
  `v2:standard:${'9'.repeat(100_000)}`,
])('does not parse %j', (text) => {
  expect(() => parseTaskId(text)).toThrow(InvalidTaskIdError)
})

test.each([0n, -1n, maxNumber + 1n])('does not format number %s', (number) => {
  expect(() => formatTaskId({ market: 'standard', number })).toThrow(InvalidTaskIdError)
})

test('the message contains the invalid value and the rule, and stays short', () => {
  expect(() => parseTaskId('7')).toThrowErrorMatchingInlineSnapshot(
    `[InvalidTaskIdError: Not a valid task id: "7". Write v2:<market>:<number>, with market standard or micro and a number from 1 to 2^256 - 1.]`,
  )
  expect(new InvalidTaskIdError('9'.repeat(100_000)).message.length).toBeLessThan(300)
})

test('the schema parses like parseTaskId and reports its message', () => {
  expect(taskId.parse('v2:micro:7')).toEqual({ market: 'micro', number: 7n })
  const refused = taskId.safeParse('7')
  expect(refused.error?.issues[0]?.message).toBe(new InvalidTaskIdError('7').message)
})
