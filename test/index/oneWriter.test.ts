import {
  appendBatch,
  type Cursor,
  CursorMovedError,
  createBuild,
  createConnector,
  createRowCache,
  getSchemaName,
  getWriterLockKey,
  loadOrCreateCursor,
  rollback,
} from '@svc/index'
import type { Sql } from 'postgres'
import { type Hex, numberToHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'

let database: TestDatabase
let [writer, other]: Sql[] = []
beforeAll(async () => {
  database = await createTestDatabase()
  const connect = createConnector(database.url)
  ;[writer, other] = [connect(getSchemaName('a')), connect(getSchemaName('a'))]
})
afterAll(async () => {
  await Promise.all([writer?.end({ timeout: 1 }), other?.end({ timeout: 1 })])
  await database.drop()
})

const hash = (number: bigint): Hex => numberToHex(number, { size: 32 })
const append = (sql: Sql, cursor: Cursor) => {
  const number = cursor.number + 1n
  const headers = [{ number, hash: hash(number), timestamp: Number(number) }]
  const batch = {
    headers,
    logs: [],
    finalized: 0n,
    settled: 0n,
    more: false,
    contractAt: new Map(),
    registry: zeroAddress,
  }
  return appendBatch(sql, 0, cursor, batch, createRowCache())
}

// `chaos index --from 62` never ended: a client that had lost its connection opened another one by itself and wrote without the
// lock, beside the writer that had it by then. One waited for the row that the other had locked.
test('a connection without the lock of the writer neither writes nor waits', async () => {
  if (!writer || !other) return expect.unreachable()
  await createBuild(writer, 'a')
  const key = getWriterLockKey('a', 'standard')
  await writer`select pg_advisory_lock(hashtextextended(${key}, 0))`
  const start = await loadOrCreateCursor(writer, 0, async () => ({ number: 6n, hash: hash(6n), timestamp: 6 }))
  await writer.begin(async (step) => {
    await step`select from cursor where market = 0 for update`
    if (other) await expect(append(other, start)).rejects.toThrow(CursorMovedError)
  })
  const next = await append(writer, start)
  expect(next.number).toBe(7n)
  await expect(rollback(other, 0, next, 6n, createRowCache(), zeroAddress)).rejects.toThrow(
    'another process moved the cursor',
  )
  await writer`select pg_advisory_unlock(hashtextextended(${key}, 0))`
  expect((await append(other, next)).number).toBe(8n)
})
