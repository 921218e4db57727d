import { expect, test } from 'vitest'
import { followIndex } from '../../apps/notifier/src/follow.ts'
import { runLife } from '../../chaos/notify/life.ts'
import { createTestDatabase } from '../harness/postgres.ts'
import { runs } from '../harness/runs.ts'

/** Two in CI; RUNS=25 makes it fifty. */
const lives = runs(2)

test('over random lives with reorganisations, every rule fires when its table says, and receivers hear what was taken back', async () => {
  let [corrected, written, matched] = [0, 0, 0]
  for (let seed = 1; seed <= lives; seed++) {
    const database = await createTestDatabase()
    const report = await runLife({ seed, url: database.url, rounds: 15 })
    await database.drop()
    expect(report.faults.slice(0, 5), `seed ${seed}`).toEqual([])
    corrected += report.corrected
    written += report.written
    matched += report.matched
  }
  expect(written).toBeGreaterThan(20 * lives)
  expect(corrected).toBeGreaterThan(0)
  expect(matched).toBeGreaterThan(0)
})

test('a follower that does not look back after a reorganisation is noticed', async () => {
  const faults: string[] = []
  for (let seed = 1; seed <= 6 && faults.length === 0; seed++) {
    const database = await createTestDatabase()
    const report = await runLife({ seed, url: database.url, rounds: 20, follow: followWithoutLookingBack })
    await database.drop()
    faults.push(...report.faults)
  }
  expect(faults).not.toEqual([])
})

/** It believes that the block it read last is still there. */
const followWithoutLookingBack: typeof followIndex = async (sql, options) => {
  await sql`update notify.cursor c set hash = h.hash from market.header h
    where h.market = c.market and h.number = least(c.number, (select number from market.cursor i where i.market = c.market))`
  await sql`update notify.cursor c set number = least(c.number, i.number) from market.cursor i where i.market = c.market`
  await sql`truncate notify.touched`
  return followIndex(sql, options)
}
