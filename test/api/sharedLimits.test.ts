import { createDatabase, createRateLimit, createSharedCounts, limitsSchema, type SharedCounts } from '@svc/serve'
import postgres, { type Sql } from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'

let database: TestDatabase
let sql: Sql
const all: SharedCounts[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 4, onnotice: () => {}, fetch_types: false })
})
afterAll(async () => {
  for (const each of all) each.stop()
  await sql.end({ timeout: 1 })
  await database.drop()
})

/** A replica with its own connection to the counts. The test says when counts are exchanged and what time it is. */
function startReplica(now: () => number, { kind = 'reads', perMinute = 1_000, on = sql } = {}) {
  const shared = createSharedCounts({ database: createDatabase(on, limitsSchema), kind, intervalMs: 3_600_000 })
  all.push(shared)
  return { shared, limit: createRateLimit({ perMinute, shared, now }) }
}

/** Sends requests to the replicas in turn until all refuse. Returns how many were granted. */
async function spend(replicas: readonly ReturnType<typeof startReplica>[], client: string): Promise<number> {
  let granted = 0
  for (let refused = 0; refused < replicas.length; ) {
    refused = 0
    for (const { limit, shared } of replicas) {
      let taken = 0
      while (taken < 10 && limit.take(client) >= 0) taken++
      granted += taken
      if (taken === 0) refused++
      await shared.exchange()
    }
  }
  return granted
}

test('a client has one allowance over all replicas, also in the next minute', async () => {
  let now = 6_000_000
  const replicas = [1, 2, 3].map(() => startReplica(() => now))
  const granted = await spend(replicas, '203.0.113.9')
  expect(granted).toBeGreaterThanOrEqual(900)
  // A tenth more from each further replica, and what was under way.
  expect(granted).toBeLessThanOrEqual(1_000 + 2 * 100 + 30)
  // A replica that starts later learns of it with its first exchange.
  expect(await spend([startReplica(() => now)], '203.0.113.9')).toBeLessThanOrEqual(110)
  now += 90_000
  const later = await spend(replicas, '203.0.113.9')
  expect(later, 'half of the last minute still counts').toBeLessThanOrEqual(500 + 200 + 30)
  expect(await spend(replicas, '198.51.100.1'), 'others').toBeGreaterThanOrEqual(900)
})

test('without the exchange every replica grants it all', async () => {
  const replicas = [1, 2].map(() => startReplica(() => 12_000_000, { kind: 'alone' }))
  let granted = 0
  for (const { limit } of replicas) while (limit.take('203.0.113.9') >= 0) granted++
  expect(granted).toBe(2_000)
})

test('the addresses of a network are one client to all replicas', async () => {
  const replicas = [1, 2].map(() => startReplica(() => 18_000_000, { kind: 'networks', perMinute: 50 }))
  let granted = 0
  for (let host = 0; host < 256; host++) granted += await spend(replicas, `203.0.113.${host}`)
  expect(granted).toBeLessThanOrEqual(50 * 16 * 1.1 + 20)
})

test('while Postgres is away, every replica limits for itself, and counts are shared again afterwards', async () => {
  const away = postgres('postgres://nobody@127.0.0.1:1/none', { connect_timeout: 1, backoff: () => 0.01 })
  const { limit, shared } = startReplica(() => 24_000_000, { on: away })
  let granted = 0
  while (limit.take('203.0.113.9') >= 0) granted++
  await shared.exchange()
  expect({ granted, shared: shared.isShared() }).toEqual({ granted: 1_000, shared: false })
  await away.end({ timeout: 0 })

  let isAway = true
  const working = createDatabase(sql, limitsSchema)
  const flaky = createSharedCounts({
    database: (work) => (isAway ? Promise.reject(new Error('away')) : working(work)),
    kind: 'flaky',
    intervalMs: 3_600_000,
  })
  all.push(flaky)
  const first = createRateLimit({ perMinute: 1_000, shared: flaky, now: () => 24_000_000 })
  while (first.take('203.0.113.9') >= 0);
  await flaky.exchange()
  isAway = false
  await flaky.exchange()
  expect(flaky.isShared()).toBe(true)
  const second = startReplica(() => 24_000_000, { kind: 'flaky' })
  expect(await spend([second], '203.0.113.9'), 'what was counted meanwhile is not lost').toBeLessThanOrEqual(110)
})

test('old minutes are removed', async () => {
  let now = 60_000_000
  const { limit, shared } = startReplica(() => now, { kind: 'expiry' })
  for (const _ of [1, 2, 3, 4]) {
    for (let count = 0; count < 200; count++) limit.take('203.0.113.9')
    await shared.exchange()
    now += 240_000
  }
  const rows = await sql`select distinct minute from limits.minute_count where kind = 'expiry'`
  expect(rows).toHaveLength(1)
})
