import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../../test/harness/runs.ts'
import {
  formatAmount,
  formatDuration,
  formatShortAmount,
  formatTime,
  InvalidAmountError,
  parseAmount,
} from './units.ts'

test.each([
  [0n, 'tok', '0 TOK'],
  [1n, 'tok', '0.000000000000000001 TOK'],
  [1_234_567n * 10n ** 18n + 5n * 10n ** 17n, 'tok', '1,234,567.5 TOK'],
  [25_000_000n, 'usdc', '25.00 USDC'],
  [2_500_000n, 'usdc', '2.50 USDC'],
  [1n, 'usdc', '0.000001 USDC'],
] as const)('%d of %s is %s', (amount, token, shown) => {
  expect(formatAmount(amount, token)).toBe(shown)
})

test.each([
  [0n, 'tok', '0 TOK', '0 TOK'],
  [1_000n * 10n ** 18n, 'tok', '1,000 TOK', '1,000 TOK'],
  [1_234_567_890_123_456_789n, 'tok', '1.234 TOK', '1.235 TOK'],
  [1_000_000_000_000_000_001n, 'tok', '1 TOK', '1.001 TOK'],
  [1_234_560_000_000_000_000_000n, 'tok', '1,234 TOK', '1,235 TOK'],
  [12_345_678_900_000_000_000_000n, 'tok', '12,345 TOK', '12,346 TOK'],
  [12_500_000_000_000_000_000n, 'tok', '12.5 TOK', '12.5 TOK'],
  [4_000_000_000_000_000n, 'tok', '0.004 TOK', '0.004 TOK'],
  [120_000_000_000n, 'tok', '0.00000012 TOK', '0.00000012 TOK'],
  [123_456_789n, 'tok', '0.0000000001234 TOK', '0.0000000001235 TOK'],
  [999_999_999_999_999_999n, 'tok', '0.9999 TOK', '1 TOK'],
  [-1_234_567_890_123_456_789n, 'tok', '-1.234 TOK', '-1.234 TOK'],
  [12_500_000n, 'usdc', '12.50 USDC', '12.50 USDC'],
  [25_100_009n, 'usdc', '25.10 USDC', '25.11 USDC'],
  [1_234_567_890n, 'usdc', '1,234.56 USDC', '1,234.57 USDC'],
  [4_000n, 'usdc', '0.004 USDC', '0.004 USDC'],
] as const)('%d of %s is about %s, and at most %s', (amount, token, down, up) => {
  expect(formatShortAmount(amount, token)).toBe(down)
  expect(formatShortAmount(amount, token, 'up')).toBe(up)
})

test('a formatted amount parses back exactly', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 27n), fc.constantFrom('tok' as const, 'usdc' as const), (amount, token) => {
      const most = amount % (token === 'usdc' ? 10n ** 20n : 10n ** 27n)
      expect(parseAmount(formatAmount(most, token), token)).toBe(most)
    }),
    { numRuns: runs(100) },
  )
})

test.each(['', '-1', '1,5', '1.', '.5', '1e3', '0x10', '1.0000001', '1,000,00', '1 000', '٣'])(
  '%j is no amount of USDC',
  (text) => {
    expect(() => parseAmount(text, 'usdc')).toThrow(InvalidAmountError)
  },
)

test('times contain the zone, durations the units', () => {
  expect(formatTime(1_794_718_800)).toBe('2026-11-15 05:00:00 UTC')
  expect([0, 59, 90, 5_400, 259_200, 90_061].map(formatDuration)).toEqual([
    '0 s',
    '59 s',
    '1 min 30 s',
    '1 h 30 min',
    '3 d',
    '1 d 1 h',
  ])
})
