import { expect, test } from 'vitest'
import { type CourtCase, sortCourtCases } from './courtCases.ts'

const now = 1_800_000_000
const hour = 3_600
const openCase = (number: number, gap: number, hours: number): CourtCase => ({
  number: BigInt(number),
  round: 1,
  amount: BigInt(gap),
  gap: BigInt(gap),
  offerBps: 0,
  askBps: 10_000,
  openedBy: 'poster',
  appealAgainst: null,
  silent: [],
  decideFrom: now,
  courtEnd: now + hours * hour,
})

test('what closes within a day comes first, then the largest sum; missed cases are left out', () => {
  const cases = [
    openCase(1, 500, 100),
    openCase(2, 5, 23),
    openCase(3, 50_000, 100),
    openCase(4, 900, -1),
    openCase(5, 500, 90),
    openCase(6, 70, 24),
  ]
  expect(sortCourtCases(cases, now).map(({ number }) => Number(number))).toEqual([6, 2, 3, 5, 1])
})

test('fifty cases: many small ones hide no large one, and every case is in the first band before it closes', () => {
  const cases = Array.from({ length: 50 }, (_, at) =>
    openCase(at + 1, ((at * 7_919) % 50) ** 3 + 1, 1 + ((at * 37) % 150)),
  )
  const seenUrgent = new Set<bigint>()
  for (let passed = 0; passed <= 151; passed++) {
    const at = now + passed * hour
    const sorted = sortCourtCases(cases, at)
    const urgent = sorted.filter(({ courtEnd }) => courtEnd - at <= 24 * hour)
    for (const { number } of urgent) seenUrgent.add(number)
    expect(sorted.slice(0, urgent.length)).toEqual(urgent)
    const gaps = (list: readonly CourtCase[]) => list.map(({ gap }) => gap)
    for (const band of [urgent, sorted.slice(urgent.length)])
      expect(gaps(band)).toEqual(gaps(band).toSorted((a, b) => Number(b - a)))
  }
  expect(seenUrgent.size).toBe(50)
})
