import {
  createBuild,
  createRegistry,
  dropOldGenerations,
  findNextRebuild,
  foldFingerprint,
  type Generation,
  getServingBuild,
  listGenerations,
  serveBuild,
  startGeneration,
} from '@svc/index'
import postgres, { type Sql } from 'postgres'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { chooseBuilds, createBuildSupervisor, type SupervisorOptions } from '../../apps/indexer/src/buildSupervisor.ts'
import { serveOnRequest } from '../../apps/indexer/src/promoteBuild.ts'
import { computeFoldFingerprint } from '../../scripts/gen/foldFingerprint.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'

let database: TestDatabase
let sql: Sql
beforeEach(async () => {
  database = await createTestDatabase()
  sql = postgres(database.url, { fetch_types: false, onnotice: () => {}, max: 4 })
})
afterEach(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
})

const hour = 3_600
let now = 1_800_000_000
const quiet = { info: () => {}, warn: () => {}, error: () => {} }

/** A process whose builds reach the head at once. */
async function startProcess(fingerprint: string, others: Partial<SupervisorOptions> = {}) {
  const followed = new Set<string>()
  const outcomes: string[] = []
  const supervisor = createBuildSupervisor({
    sql,
    name: 'a',
    fingerprint,
    start: (build) => {
      followed.add(build)
      supervisor.caughtUp(build, 'standard')
      supervisor.caughtUp(build, 'micro')
      return { stop: async () => void followed.delete(build) }
    },
    isBetter: async () => true,
    log: quiet,
    onRebuild: (outcome) => outcomes.push(outcome),
    now: () => now * 1000,
    ...others,
  })
  await supervisor.prepare()
  return { ...supervisor, followed: () => [...followed].sort(), outcomes }
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

test('a new build with the same fault does not serve, and is not tried again soon', async () => {
  const process = await startProcess('one')
  await process.update()
  const liar = await startProcess('one', { isBetter: async () => false })
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

test('only builds of the own fold are followed', () => {
  const made = (number: number, fingerprint: string, state: Generation['state']): Generation => ({
    build: `a_${number}`,
    number,
    fingerprint,
    reason: '',
    started: 0,
    state,
  })
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
