import {
  createBuild,
  createRegistry,
  dropOldGenerations,
  findNextRebuild,
  foldFingerprint,
  type Generation,
  getServingBuild,
  getWriterLockKey,
  listGenerations,
  serveBuild,
  startGeneration,
} from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import postgres, { type Sql } from 'postgres'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  chooseBuilds,
  createBuildSupervisor,
  mayTakeOver,
  type SupervisorOptions,
} from '../../apps/indexer/src/buildSupervisor.ts'
import { serveOnRequest } from '../../apps/indexer/src/serveOnRequest.ts'
import { computeFoldFingerprint } from '../../scripts/gen/foldFingerprint.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'

let database: TestDatabase
let sql: Sql
beforeEach(async () => {
  database = await createTestDatabase()
  sql = postgres(database.url, { fetch_types: false, onnotice: () => {}, max: 4 })
})
afterEach(async () => {
  await Promise.all(connections.splice(0).map((each) => each.end({ timeout: 1 })))
  await sql.end({ timeout: 1 })
  await database.drop()
})

const hour = 3_600
let now = 1_800_000_000
/** Those that hold the locks of writers. */
const connections: Sql[] = []

/** A process whose builds reach the head at once. It holds the writers' locks of what it follows, unless another one does. */
async function startProcess(fingerprint: string, others: Partial<SupervisorOptions> = {}) {
  const own = postgres(database.url, { fetch_types: false, onnotice: () => {}, max: 1 })
  connections.push(own)
  const followed = new Set<string>()
  const outcomes: string[] = []
  const said: string[] = []
  const say = (_: unknown, text?: string) => void said.push(text ?? '')
  const lock = (build: string, market: Market) =>
    own`select pg_try_advisory_lock(hashtextextended(${getWriterLockKey(build, market)}, 0))`
  const unlock = (build: string, market: Market) =>
    own`select pg_advisory_unlock(hashtextextended(${getWriterLockKey(build, market)}, 0))`
  let locked: Promise<unknown> = Promise.resolve()
  const supervisor = createBuildSupervisor({
    sql,
    name: 'a',
    fingerprint,
    start: (build) => {
      followed.add(build)
      locked = Promise.all(markets.map((market) => lock(build, market)))
      for (const market of markets) supervisor.caughtUp(build, market, 1n)
      return {
        stop: async () => {
          followed.delete(build)
          await Promise.all(markets.map((market) => unlock(build, market)))
        },
      }
    },
    compare: async () => [],
    log: { info: say, warn: say, error: say },
    onRebuild: (outcome) => outcomes.push(outcome),
    now: () => now * 1000,
    ...others,
  })
  await supervisor.prepare()
  await locked
  return {
    ...supervisor,
    followed: () => [...followed].sort(),
    outcomes,
    said,
    /** Stops to write a market, or all of them. */
    release: (market?: Market) =>
      Promise.all([...followed].flatMap((build) => (market ? [market] : markets).map((each) => unlock(build, each)))),
  }
}

const states = async () => (await listGenerations(sql, 'a')).map(({ build, state }) => `${build} ${state}`)

test('the fingerprint of the fold is that of the sources', async () => {
  // If this fails, run `pnpm gen`: the next start of the indexer then fills a new build.
  expect(foldFingerprint).toBe(await computeFoldFingerprint())
})

test('a changed fold fills a build of its own and takes over; the old fold does not come back', async () => {
  const old = await startProcess('one')
  await old.update()
  expect([await getServingBuild(sql), old.followed()]).toEqual(['a', ['a']])
  const next = await startProcess('two')
  // Each fold writes its own build only.
  expect([old.followed(), next.followed()]).toEqual([['a'], ['a_2']])
  await next.update()
  expect(await getServingBuild(sql)).toBe('a_2')
  await old.update()
  expect([await getServingBuild(sql), old.followed()]).toEqual(['a_2', ['a']])
  const restarted = await startProcess('one')
  await restarted.update()
  expect(await getServingBuild(sql)).toBe('a_2')
  expect(await states()).toEqual(['a replaced', 'a_2 served'])
})

test('one rebuild at once, which takes over in every process; the next one must wait, each time longer', async () => {
  const [writer, standby] = [await startProcess('one'), await startProcess('one')]
  await writer.update()
  await Promise.all([writer.requestRebuild('a', 'a row differs'), standby.requestRebuild('a', 'a row differs')])
  expect(await states()).toEqual(['a served', 'a_2 filling'])
  await writer.update()
  await standby.update()
  expect([writer.followed(), standby.followed()]).toEqual([['a_2'], ['a_2']])
  expect(await getServingBuild(sql)).toBe('a_2')
  await writer.requestRebuild('a_2', 'a row differs')
  expect(await states()).toEqual(['a replaced', 'a_2 served'])
  now += hour
  await writer.requestRebuild('a_2', 'a row differs')
  await writer.update()
  expect(await getServingBuild(sql)).toBe('a_3')
  expect(writer.outcomes).toEqual(['started', 'served', 'postponed', 'started', 'served'])
  // Only the build that was replaced last is kept.
  expect(await sql`select nspname from pg_namespace where nspname like 'index_%' order by 1`).toMatchObject([
    { nspname: 'index_a_2' },
    { nspname: 'index_a_3' },
  ])
})

test('the wait between rebuilds doubles up to a day', () => {
  const rebuilds = (count: number): Generation[] =>
    Array.from({ length: count + 1 }, (_, index) => ({
      build: `a_${index}`,
      number: index + 1,
      fingerprint: 'one',
      reason: '',
      started: now,
      state: 'useless',
    }))
  const minutes = (count: number) => (findNextRebuild(rebuilds(count), now) - now) / 60
  expect([1, 2, 3, 20].map(minutes)).toEqual([10, 20, 40, 1440])
  expect(findNextRebuild(rebuilds(0), now)).toBe(0)
})

test('a build that was rolled back returns once nobody has written the serving one for 30 s', async () => {
  let old = await startProcess('one')
  await old.update()
  let whileComparing = async () => {}
  const compare = async () => {
    await whileComparing()
    return []
  }
  const next = await startProcess('two', { compare })
  await next.update()
  await serveOnRequest(sql, 'a', true)
  /** Lets time pass while these processes look every ten seconds. Returns the build that serves then. */
  const pass = async (seconds: number, ...processes: Pick<typeof old, 'update'>[]) => {
    for (let passed = 0; passed < seconds; passed += 10) {
      now += 10
      for (const each of processes) await each.update()
    }
    return getServingBuild(sql)
  }
  // While both run, nobody replaces the other, and a wrong build of the one that does not serve is not replaced either.
  expect(await pass(120, old, next)).toBe('a')
  await next.requestRebuild('a_2', 'a row differs')
  expect(await states()).toEqual(['a served', 'a_2 replaced'])
  // A process whose other market is halted holds one lock only.
  await old.release('standard')
  expect(await pass(60, next)).toBe('a')
  await old.release('micro')
  // Restarts that take less than 30 s change nothing, however many there are.
  for (let restart = 0; restart < 3; restart++) {
    expect(await pass(20, next)).toBe('a')
    old = await startProcess('one')
    expect(await pass(10, next, old)).toBe('a')
    await old.release()
  }
  // Nor does one that ends while the builds are compared.
  whileComparing = async () => {
    old = await startProcess('one')
  }
  expect(await pass(50, next)).toBe('a')
  await old.release()
  whileComparing = async () => {}
  // What happened between two looks that are far apart is not known.
  expect(await pass(20, next)).toBe('a')
  now += 60
  expect(await pass(10, next)).toBe('a')
  expect(await pass(20, next)).toBe('a')
  expect(await pass(10, next)).toBe('a_2')
  expect(await states()).toEqual(['a replaced', 'a_2 served'])
  expect(next.said).toEqual([
    'a new build is filled',
    'serving',
    'replaced',
    'nobody wrote the serving build, so this one took over',
    'serving',
  ])
  // The old one comes back, and stays replaced.
  old = await startProcess('one')
  expect(await pass(60, old, next)).toBe('a_2')
  expect(old.said).toEqual(['replaced'])
})

test('a build that differs from contract storage does not return; it is compared again every 30 s', async () => {
  const old = await startProcess('one')
  await old.update()
  let compared = 0
  const next = await startProcess('two', { compare: async () => (compared++ > 0 ? [{ row: 'union', parts: [] }] : []) })
  await next.update()
  await serveOnRequest(sql, 'a', true)
  await old.release()
  for (let look = 0; look < 14; look++) {
    now += 5
    await next.update()
  }
  expect([await getServingBuild(sql), compared]).toEqual(['a', 3])
  expect(await states()).toEqual(['a served', 'a_2 replaced'])
})

test('the first build does not serve if it differs from contract storage, nor does the second, and the third must wait', async () => {
  const liar = await startProcess('one', { compare: async () => [{ row: 'task v2:micro:1', parts: [] }] })
  for (let look = 0; look < 3; look++) await liar.update()
  expect([await getServingBuild(sql), liar.followed(), await states()]).toEqual([
    null,
    [],
    ['a useless', 'a_2 useless'],
  ])
  expect(liar.outcomes).toEqual(['useless', 'started', 'useless'])
  now += hour
  const honest = await startProcess('one')
  await honest.update()
  expect(await getServingBuild(sql)).toBe('a_3')
})

test('two processes that write one market each let their build serve when both have caught up', async () => {
  const process = await startProcess('one', { start: () => ({ stop: async () => {} }) })
  const moveOther = (block: number) => sql`
    insert into index_a.cursor (market, number, hash, "timestamp", digest, events, finalized)
    values (1, ${block}, '', 1, '', 0, 0) on conflict (market) do update set number = excluded.number`
  await moveOther(6)
  await process.update()
  process.caughtUp('a', 'standard', 7n)
  await process.update()
  expect(await getServingBuild(sql)).toBeNull()
  await moveOther(7)
  await process.update()
  expect(await getServingBuild(sql)).toBe('a')
})

test('a build that cannot be compared now does not serve, and is compared again', async () => {
  const compare = async () => {
    throw new Error('The provider does not answer.')
  }
  const process = await startProcess('one', { compare })
  for (let look = 0; look < 2; look++) await expect(process.update()).rejects.toThrow('does not answer')
  expect([await getServingBuild(sql), await states()]).toEqual([null, ['a filling']])
})

test('a new build with the same fault does not serve, and is not tried again soon', async () => {
  const process = await startProcess('one')
  await process.update()
  const liar = await startProcess('one', { compare: async () => [{ row: 'union', parts: [] }] })
  await liar.requestRebuild('a', 'two providers lie')
  await liar.update()
  await liar.update()
  await liar.requestRebuild('a', 'two providers lie')
  expect(liar.outcomes).toEqual(['started', 'useless', 'postponed'])
  expect([await getServingBuild(sql), liar.followed(), await states()]).toEqual([
    'a',
    ['a'],
    ['a served', 'a_2 useless'],
  ])
})

test('a build that cannot be completed is given up for another one, and one that has served is replaced', async () => {
  const process = await startProcess('one')
  await process.replaceBuild('a', 'events are missing')
  expect(await states()).toEqual(['a useless'])
  await process.update()
  expect([await getServingBuild(sql), process.followed(), await states()]).toEqual([
    'a_2',
    ['a_2'],
    ['a useless', 'a_2 served'],
  ])
  now += hour
  await process.replaceBuild('a_2', 'events are missing')
  expect(await states()).toEqual(['a useless', 'a_2 served', 'a_3 filling'])
  // The new one is no better: it must not keep the next one from being started.
  await process.replaceBuild('a_3', 'events are missing')
  await process.replaceBuild('a_2', 'events are missing')
  now += hour
  await process.replaceBuild('a_2', 'events are missing')
  await process.update()
  expect([await getServingBuild(sql), process.followed()]).toEqual(['a_4', ['a_4']])
  expect(process.outcomes).toEqual([
    'useless',
    'started',
    'served',
    'started',
    'useless',
    'postponed',
    'started',
    'served',
  ])
})

test('a build of an earlier version is replaced, because nobody knows its fold', async () => {
  await createBuild(sql, 'a')
  await serveBuild(sql, 'a')
  const process = await startProcess('one')
  expect(process.followed()).toEqual(['a_2'])
  await process.update()
  expect(await states()).toEqual(['a replaced', 'a_2 served'])
})

test('a build that is halted, wrong or of another fold serves only by force, which says why', async () => {
  await createRegistry(sql)
  await startGeneration(sql, { name: 'a', fingerprint: 'other', reason: '', now })
  const add = (market: number, halted: string | null, suspects: string) => sql`
    insert into index_a.cursor (market, number, hash, "timestamp", digest, events, finalized, halted, suspects)
    values (${market}, 1, '', 1, '', 0, 0, ${halted}, ${suspects})`
  await expect(serveOnRequest(sql, 'a', false)).rejects.toThrow('the standard market has no blocks yet')
  await add(0, 'The chain reorganised', '[]')
  await add(1, null, '["task:7"]')
  await expect(serveOnRequest(sql, 'a', false)).rejects.toThrow(
    'Build a should not serve: the standard market is halted (The chain reorganised); rows of the micro market differ from the chain: ["task:7"]; it was filled by another version of the fold. Add --force to serve it anyway.',
  )
  expect(await getServingBuild(sql)).toBeNull()
  expect(await serveOnRequest(sql, 'a', true)).toHaveLength(3)
  expect(await getServingBuild(sql)).toBe('a')
  expect(await dropOldGenerations(sql, 'a')).toEqual([])
})

const made = (number: number, fingerprint: string, state: Generation['state']): Generation => ({
  build: `a_${number}`,
  number,
  fingerprint,
  reason: '',
  started: 0,
  state,
})

const takeOvers = [
  ['nothing serves', [made(1, 'one', 'filling')], 1, null, true],
  ['a rebuild of the same fold', [made(1, 'one', 'served'), made(2, 'one', 'filling')], 2, 'a_1', true],
  ['an older build of the same fold', [made(1, 'one', 'served'), made(2, 'one', 'filling')], 1, 'a_2', false],
  ['a new fold', [made(1, 'one', 'served'), made(2, 'two', 'filling')], 2, 'a_1', true],
  [
    'a new fold after a useless build',
    [made(1, 'one', 'served'), made(2, 'two', 'useless'), made(3, 'two', 'filling')],
    3,
    'a_1',
    true,
  ],
  ['an older fold that is complete later', [made(1, 'one', 'filling'), made(2, 'two', 'served')], 1, 'a_2', false],
  [
    'an older fold with a new build',
    [made(1, 'one', 'useless'), made(2, 'two', 'served'), made(3, 'one', 'filling')],
    3,
    'a_2',
    false,
  ],
  [
    'a new build of a replaced fold',
    [made(1, 'one', 'served'), made(2, 'two', 'replaced'), made(3, 'two', 'filling')],
    3,
    'a_1',
    false,
  ],
  ['a new name', [made(1, 'one', 'filling')], 1, 'b', true],
  ['a replaced name', [made(1, 'one', 'served')], 1, 'b', false],
] as const

test('only a new fold, or a new build of the same fold, takes over from a build that is written', () => {
  for (const [what, generations, number, serving, expected] of takeOvers) {
    const build = generations.find((each) => each.number === number) ?? expect.unreachable()
    expect(mayTakeOver(generations, build, serving, false), what).toBe(expected)
    expect(mayTakeOver(generations, build, serving, true), what).toBe(true)
  }
})

test('only builds of the own fold are followed', () => {
  expect(chooseBuilds([], 'one')).toEqual({ current: null, next: null })
  expect(chooseBuilds([made(1, 'two', 'served'), made(2, 'two', 'filling')], 'one')).toEqual({
    current: null,
    next: null,
  })
  const own = [
    made(1, 'one', 'replaced'),
    made(2, 'one', 'served'),
    made(3, 'one', 'useless'),
    made(4, 'one', 'filling'),
  ]
  expect(chooseBuilds(own, 'one')).toEqual({ current: 'a_2', next: 'a_4' })
})
