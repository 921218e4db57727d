import postgres, { type Sql } from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTargets } from '../../bench/scale/cases.ts'
import { multiply } from '../../bench/scale/multiply.ts'
import { explainReads, faultsOf } from '../../bench/scale/plans.ts'
import { seedBuild } from '../../bench/scale/seed.ts'
import { createDatabase, type TestDatabase } from '../harness/postgres.ts'

let database: TestDatabase
let sql: Sql

beforeAll(async () => {
  database = await createDatabase()
  sql = postgres(database.url, { max: 1, fetch_types: false, onnotice: () => {} })
  await seedBuild({ url: database.url, blocks: 400 })
})
afterAll(async () => {
  await sql?.end()
  await database?.drop()
})

test('every read is a bounded range of an index, whatever plan is chosen', async () => {
  const { busiest } = await multiply(sql, { tasks: 30_000, events: 40_000 })
  const targets = await findTargets(sql, busiest)
  const plans = await explainReads(database.url, targets)
  expect(plans.flatMap(faultsOf)).toEqual([])

  // The same check must find what it is there to find.
  await sql.unsafe('drop index index_full.task_poster; drop index index_full.event_task')
  const faults = (await explainReads(database.url, targets)).flatMap(faultsOf).join('\n')
  expect(faults).toMatch(/poster list/)
  expect(faults).toMatch(/one task and its timeline/)
})
