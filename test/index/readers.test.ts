import { readFile } from 'node:fs/promises'
import type { MarketReader } from '@svc/chain'
import { createBuild, createIndexReader, dropBuild, getSchemaName, IndexUnavailableError, serveBuild } from '@svc/index'
import postgres, { type Sql } from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noPrices } from '../../bench/scale/noPrices.ts'
import { seedBuild } from '../../bench/scale/seed.ts'
import { createTextLists } from '../../packages/index/src/textLists.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'

const views = ['cursor', 'header', 'event', 'task', 'agent', 'arbitrator', 'entity', 'search', 'comparison']
let database: TestDatabase
let owner: Sql
let readonly: Sql

beforeAll(async () => {
  database = await createTestDatabase()
  owner = postgres(database.url, { max: 1, fetch_types: false, onnotice: () => {} })
  await seedBuild({ url: database.url, blocks: 12 })
  await serveBuild(owner, 'seed')
  readonly = postgres(database.url, {
    max: 1,
    fetch_types: false,
    onnotice: () => {},
    connection: { role: 'svc_read' },
  })
})
afterAll(async () => {
  await readonly?.end()
  await owner?.end()
  await database?.drop()
})

const migrations = new URL('../../packages/index/migrations/', import.meta.url)

test('the read role reads the build that serves, also after another build replaced it', async () => {
  const reader = createIndexReader(readonly, noPrices)
  const before = await reader.listRecent('standard', { limit: 100 })
  expect(before.tasks.length).toBeGreaterThan(0)
  for (const view of views) await readonly`select from ${readonly(`market.${view}`)} limit 1`

  await createBuild(owner, 'next')
  await owner.unsafe(`insert into index_next.cursor select * from index_seed.cursor`)
  await serveBuild(owner, 'next')
  expect((await reader.listRecent('standard', { limit: 100 })).tasks).toEqual([])
  await serveBuild(owner, 'seed')
  await dropBuild(owner, 'next')
  expect(await reader.listRecent('standard', { limit: 100 })).toEqual(before)
})

test('a build from before tasks had phases is emptied, and its views get the new columns', async () => {
  await owner.begin(async (step) => {
    await step.unsafe(`create schema index_old; set local search_path to index_old`)
    for (const file of ['0001_index.sql', '0002_comparison.sql']) {
      await step.unsafe(await readFile(new URL(file, migrations), 'utf8'))
      await step`insert into market.migration values ('index_old', ${file})`
    }
    await step.unsafe(
      `insert into cursor select market, number, hash, "timestamp", digest, events, finalized, halted from index_seed.cursor`,
    )
  })
  await serveBuild(owner, 'old')
  await createBuild(owner, 'old')
  await expect(createIndexReader(readonly, noPrices).listOpen('standard', { limit: 1 })).rejects.toThrow(
    'no blocks yet',
  )
  await readonly`select phase_end, early, late, posted from market.task`
  await serveBuild(owner, 'seed')
  await dropBuild(owner, 'old')
})

test('reads the index even where the chain reader has the same method', async () => {
  const names = Object.keys(createIndexReader(readonly, noPrices))
  const chain = Object.fromEntries(
    names.map((name) => [
      name,
      async () => {
        throw new Error(`${name} was read from the chain`)
      },
    ]),
  ) as unknown as MarketReader
  const reader = createIndexReader(readonly, chain)
  expect((await reader.listRecent('standard', { limit: 100 })).tasks.length).toBeGreaterThan(0)
  await reader.listOpen('standard', { limit: 1 })
  await reader.getTask('standard', 1n)
  await reader.getUnion('standard')
  await expect(reader.getPlanQuote('standard', 'basic', 'tok')).rejects.toThrow('getPlanQuote was read from the chain')
})

describe('while a row of the market differs from the chain', () => {
  const reader = () => createIndexReader(readonly, noPrices)
  const nobody = '0x00000000000000000000000000000000000000aA'
  let poster: `0x${string}`
  beforeAll(async () => {
    const { tasks } = await reader().listRecent('standard', { limit: 1 })
    poster = tasks[0]?.poster ?? expect.unreachable()
    await owner`update index_seed.cursor set suspects = '["arbitrator:0x00000000000000000000000000000000000000bB"]'`
  })
  afterAll(() => owner`update index_seed.cursor set suspects = '[]'`)

  test.each<[string, () => Promise<unknown>]>([
    ['a task', () => reader().getTask('standard', 1n << 40n)],
    ['a ledger', () => reader().getLedger('standard', nobody)],
    ['entries that were never paused', () => reader().getEntries('standard')],
    ['a wallet', () => reader().getAgent('standard', nobody)],
    ['one of several wallets', () => reader().getAgents('standard', [poster, nobody])],
    ['a track record', () => reader().getTrackRecord('standard', nobody)],
  ])('%s that the index does not have is read from the chain', async (_, read) => {
    await expect(read()).rejects.toThrow(IndexUnavailableError)
  })

  test('what it has still comes from the index', async () => {
    const { detail } = await reader().getTask('standard', 1n)
    expect(detail?.task.number).toBe(1n)
    expect((await reader().getAgents('standard', [poster, poster])).agents).toHaveLength(2)
    expect((await reader().getLedger('standard', poster)).ledger.buyer.taskCount).toBeGreaterThan(0)
    expect((await reader().listRecent('standard', { limit: 1 })).tasks).toHaveLength(1)
  })
})

test.each(views)('the read role cannot change %s, and reads it only through its view', async (view) => {
  const statements = [
    `insert into market.${view} select * from market.${view} limit 1`,
    `update market.${view} set market = market`,
    `delete from market.${view}`,
    `drop view market.${view}`,
    `select from ${getSchemaName('seed')}.${view}`,
  ]
  for (const statement of statements) await expect(readonly.unsafe(statement), statement).rejects.toMatchObject(denied)
})

test('the read role creates nothing and sees only the views', async () => {
  const statements = [
    'create table market.mine (id integer)',
    'create table public.mine (id integer)',
    'create schema mine',
    'select from market.migration',
    'insert into market.migration values (1, 1)',
    `create view market.mine as select 1`,
    `comment on schema market is 'mine'`,
  ]
  for (const statement of statements) await expect(readonly.unsafe(statement), statement).rejects.toMatchObject(denied)
  const seen = await readonly<{ name: string }[]>`
    select table_schema || '.' || table_name as name from information_schema.tables
    where table_schema = 'market' or table_schema like 'index_%' order by 1`
  expect(seen.map(({ name }) => name)).toEqual(views.map((view) => `market.${view}`).sort())
})

/** insufficient_privilege. Dropping an object of another owner has the same code. */
const denied = { code: '42501' }

test('a page as text is of one block, although a task changes between its two statements', async () => {
  let statements = 0
  const unsafe = ((...given: Parameters<Sql['unsafe']>) => {
    const sent = readonly.unsafe(...given)
    if (++statements !== 2) return sent
    const change = owner`update index_seed.task set json = '{"changed":1', mark = decode(repeat('ab', 15), 'hex')
      where market = 0 and key = (select max(key) from index_seed.task where market = 0)`
    return change.then(() => sent)
  }) as Sql['unsafe']
  const { text, marks } = await createTextLists({ unsafe })('standard', { of: 'recent' }, { limit: 3 })
  expect(text).toMatch(/^\{"changed":1,/)
  expect(Buffer.from(marks).toString('hex')).toMatch(/^(ab){15}/)
  // The second one found the new text, so the page needs only its tasks once more.
  expect(statements).toBe(3)
})
