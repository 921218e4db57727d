import type { CourtCase } from '@svc/protocol/internal/steps'
import { zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { type Expected, judgeSigns } from './judgeSigns.ts'
import type { Signs } from './readSigns.ts'

const start = 1_800_000_000
const hour = 3_600
const expected: Expected = {
  guardian: zeroAddress,
  timelock: zeroAddress,
  minJudges: 0,
  overdueSeconds: hour,
  courtGap: 100n,
}

/** Signs of two quiet markets; `standard` has these cases before the final court. */
function createSigns(timestamp: number, cases: readonly CourtCase[]): Signs {
  const quiet = {
    paused: false,
    sunsetAt: 0,
    guardian: zeroAddress,
    owner: zeroAddress,
    pendingOwner: zeroAddress,
    judges: 0,
    freeJudges: 0,
    due: { count: 0, oldest: null },
    court: { cases: [], truncated: false },
    escrowSurplus: 0n,
    depositSurplus: 0n,
    stakingSurplus: 0n,
  }
  return {
    block: { number: 1n, timestamp },
    markets: { standard: { ...quiet, court: { cases, truncated: false } }, micro: quiet },
    queue: [],
    roleChanges: 0,
    oracleAge: null,
    hasOracle: false,
  }
}

test('somebody is told of each of fifty cases within the last day of its window and not before, and woken for a large one', () => {
  const cases = Array.from({ length: 50 }, (_, at): CourtCase => {
    const amount = BigInt(((at * 7_919) % 50) ** 3 + 1)
    return {
      number: BigInt(at + 1),
      round: 1,
      amount,
      gap: amount,
      offerBps: 0,
      askBps: 10_000,
      openedBy: 'poster',
      appealAgainst: null,
      silent: [],
      decideFrom: start,
      courtEnd: start + (1 + ((at * 37) % 150)) * hour,
    }
  })
  const toldAt = new Map<string, number>()
  const woken = new Set<string>()
  for (let now = start; now <= start + 151 * hour; now += hour) {
    const open = cases.filter(({ courtEnd }) => courtEnd >= now)
    for (const { subject, level } of judgeSigns(createSigns(now, open), expected)) {
      if (level === 'page') woken.add(subject)
      if (!toldAt.has(subject)) toldAt.set(subject, now)
    }
  }
  expect(toldAt.size).toBe(50)
  const large = cases.filter(({ gap }) => gap >= expected.courtGap).map(({ number }) => `standard ${number} 1`)
  expect([...woken].sort()).toEqual(large.sort())
  for (const { number, courtEnd } of cases) {
    const left = courtEnd - (toldAt.get(`standard ${number} 1`) ?? 0)
    expect(left).toBe(Math.min(24 * hour, courtEnd - start))
  }
})
