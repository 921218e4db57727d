import postgres, { type Sql } from 'postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTargets } from '../../bench/scale/cases.ts'
import { multiplyHistory } from '../../bench/scale/multiply.ts'
import { explainReads, findPlanFaults } from '../../bench/scale/plans.ts'
import { seedBuild } from '../../bench/scale/seed.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'

let database: TestDatabase
let sql: Sql

beforeAll(async () => {
  database = await createTestDatabase()
  sql = postgres(database.url, { max: 1, fetch_types: false, onnotice: () => {} })
  await seedBuild({ url: database.url, blocks: 400 })
})
afterAll(async () => {
  await sql?.end()
  await database?.drop()
})

test('every read is a bounded index range scan, with generic and custom plans', async () => {
  const { busiest } = await multiplyHistory(sql, { tasks: 30_000, events: 40_000 })
  const targets = await findTargets(sql, busiest)
  const plans = await explainReads(database.url, targets)
  expect(plans.flatMap(findPlanFaults)).toEqual([])

  // The check itself must detect an unbounded read.
  await sql.unsafe(
    'drop index index_full.task_poster; drop index index_full.event_task; drop index index_full.event_plan',
  )
  const faults = (await explainReads(database.url, targets)).flatMap(findPlanFaults).join('\n')
  expect(faults).toMatch(/poster list/)
  expect(faults).toMatch(/one task and its timeline/)
  expect(faults).toMatch(/paid plans of a wallet/)
})
