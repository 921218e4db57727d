import { accounts } from '@svc/devnet'
import { createBuild, getSchemaName, serveBuild } from '@svc/index'
import { createAgentRecord, serializeEntity } from '@svc/protocol/internal/fold'
import { lowDeposit, walletRules } from '@svc/protocol/internal/notifications'
import { migrateSchema } from '@svc/serve'
import postgres, { type Sql } from 'postgres'
import { hexToBytes } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findLowDeposits } from '../../apps/notifier/src/records/lowDeposits.ts'
import { notifySchema } from '../../apps/notifier/src/records/schema.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'

const { ada, emeka } = accounts
let database: TestDatabase
let sql: Sql

beforeAll(async () => {
  database = await createTestDatabase()
  sql = postgres(database.url, { fetch_types: false, onnotice: () => {}, max: 2 })
  await createBuild(sql, 'a')
  await serveBuild(sql, 'a')
  await migrateSchema(sql, notifySchema)
  await sql`insert into ${sql(getSchemaName('a'))}.task (market, key, poster, worker, state, json, mark, early, late, posted)
    values (0, 7, ${toBytes(ada.address)}, ${toBytes(emeka.address)}, '', '', '', '', '', true)`
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})

const toBytes = (hex: `0x${string}`) => Buffer.from(hexToBytes(hex))

/** Sets the deposits of both parties, and returns who is warned. */
async function setDeposits(deposits: Readonly<Record<'ada' | 'emeka', bigint>>): Promise<string[]> {
  for (const person of ['ada', 'emeka'] as const) {
    const record = { ...createAgentRecord(accounts[person].address), deposit: deposits[person] }
    await sql`insert into ${sql(getSchemaName('a'))}.agent (market, key, score, ranked, state)
      values (0, ${toBytes(accounts[person].address)}, 0, false, ${serializeEntity(record)})
      on conflict (market, key) do update set state = excluded.state`
  }
  const found = await sql.begin((step) => findLowDeposits(step, 0, [7n]))
  return found.map(({ wallet, deposit }) => `${wallet} ${deposit}`)
}

test('a wallet is warned once when its deposit becomes low, and again after it was high', async () => {
  expect(await setDeposits({ ada: lowDeposit, emeka: 25_000_000n })).toEqual([])
  expect(await setDeposits({ ada: lowDeposit - 1n, emeka: 25_000_000n })).toEqual([`${ada.address} ${lowDeposit - 1n}`])
  expect(await setDeposits({ ada: 8_500_000n, emeka: 9_000_000n })).toEqual([`${emeka.address} 9000000`])
  expect(await setDeposits({ ada: 30_000_000n, emeka: 9_000_000n })).toEqual([])
  expect(await setDeposits({ ada: 9_000_000n, emeka: 9_000_000n })).toEqual([`${ada.address} 9000000`])
  expect(walletRules.depositLow.title({ deposit: 9_000_000n })).toBe('Your deposit is down to 9.00 USDC')
})
