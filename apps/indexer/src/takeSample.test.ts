import { expect, test } from 'vitest'
import { chooseWalkSize } from './takeSample.ts'

test('a walk visits all rows of a market within a day, as long as its steps stay small', () => {
  const days = (rows: number, seconds = 30) => (rows / chooseWalkSize(rows, seconds)) * (seconds / 86_400)
  expect(days(1_000_000)).toBeLessThanOrEqual(1)
  expect(days(2_880_000)).toBeLessThanOrEqual(1)
  expect(chooseWalkSize(10_000_000, 30)).toBe(1_000)
  expect(days(10_000_000)).toBeCloseTo(3.47, 1)
  expect(days(10_000_000, 10)).toBeCloseTo(1.16, 1)
})
