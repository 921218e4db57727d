import { accounts } from '@svc/devnet'
import { createBuild, getSchemaName, isEstablished, serveBuild } from '@svc/index'
import { pauseThreshold } from '@svc/protocol'
import { depositVaultAbi } from '@svc/protocol/abis'
import { createAgentRecord, serializeEntity } from '@svc/protocol/internal/fold'
import { migrateSchema } from '@svc/serve'
import postgres, { type Sql } from 'postgres'
import { concat, encodeAbiParameters, encodeEventTopics, type Hex, hexToBytes } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { leaveOutInvitations } from '../../apps/notifier/src/records/invitations.ts'
import { notifySchema } from '../../apps/notifier/src/records/schema.ts'
import { findMatches } from '../../apps/notifier/src/records/searches.ts'
import { contractNumber } from '../../packages/index/src/events.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'

const { ada, emeka } = accounts
const now = 1_800_000_000
const day = 86_400
let database: TestDatabase
let sql: Sql

beforeAll(async () => {
  database = await createTestDatabase()
  sql = postgres(database.url, { fetch_types: false, onnotice: () => {}, max: 4 })
  await createBuild(sql, 'a')
  await serveBuild(sql, 'a')
  await migrateSchema(sql, notifySchema)
})
afterAll(async () => {
  await sql.end()
  await database.drop()
})
beforeEach(async () => {
  for (const table of ['event', 'agent', 'task', 'cursor'])
    await sql`delete from ${sql(`${getSchemaName('a')}.${table}`)}`
  await sql`insert into ${sql(getSchemaName('a'))}.cursor (market, number, hash, "timestamp", digest, events, finalized)
    values (0, 1000000, '', ${now}, '', 0, 1000000)`
})

const toBytes = (hex: Hex) => Buffer.from(hexToBytes(hex))
const setAgent = (change: object) =>
  sql`insert into ${sql(getSchemaName('a'))}.agent (market, key, score, ranked, state)
    values (0, ${toBytes(ada.address)}, 0, false, ${serializeEntity({ ...createAgentRecord(ada.address), ...change })})`

let block = 990_000
async function change(eventName: 'ToppedUp' | 'Withdrawn', amount: bigint, secondsAgo: number): Promise<void> {
  const args = { agent: ada.address, payer: emeka.address, to: emeka.address }
  const topics = encodeEventTopics({ abi: depositVaultAbi, eventName, args })
  const data = encodeAbiParameters([{ type: 'uint256' }], [amount])
  await sql`insert into ${sql(getSchemaName('a'))}.event (block, "timestamp", log_index, market, contract, topics, data, tx)
    values (${++block}, ${now - secondsAgo}, 0, 0, ${contractNumber('depositVault')},
      ${toBytes(concat(topics.filter((each) => typeof each === 'string')))}, ${toBytes(data)}, '')`
}

test.each([
  ['nothing', 0n, [], false],
  ['a deposit that is there for a day', pauseThreshold, [['ToppedUp', pauseThreshold, day + 60]], true],
  ['a deposit of an hour', pauseThreshold, [['ToppedUp', pauseThreshold, 3_600]], false],
  ['more since an hour', pauseThreshold + 5n, [['ToppedUp', 5n, 3_600]], true],
  [
    'a deposit that went round other wallets for a moment',
    pauseThreshold,
    [
      ['Withdrawn', pauseThreshold, 7_200],
      ['ToppedUp', pauseThreshold, 7_100],
    ],
    false,
  ],
  ['a deposit that is gone', 0n, [['Withdrawn', pauseThreshold, 60]], false],
] as const)('established with %s', async (_, deposit, changes, expected) => {
  await setAgent({ deposit })
  for (const [name, amount, ago] of changes) await change(name, amount, ago)
  expect(await isEstablished(sql, ada.address)).toBe(expected)
})

test('a task that two wallets share, or one that was completed, is enough; one that nobody took is not', async () => {
  const post = (worker: Hex | null) =>
    sql`insert into ${sql(getSchemaName('a'))}.task (market, key, poster, worker, state, json, mark, early, late, posted)
      values (0, ${worker ? 2 : 1}, ${toBytes(emeka.address)}, ${worker && toBytes(worker)}, '', '', '', '', '', true)`
  await post(null)
  expect(await isEstablished(sql, emeka.address)).toBe(false)
  await post(ada.address)
  expect([await isEstablished(sql, emeka.address), await isEstablished(sql, ada.address)]).toEqual([true, true])
  await sql`delete from ${sql(getSchemaName('a'))}.task`
  await setAgent({ completedAsWorker: 1 })
  expect(await isEstablished(sql, ada.address)).toBe(true)
})

test('5,000 searches of others leave the one of an established wallet its match, and each wallet gets a turn', async () => {
  await sql`insert into ${sql(getSchemaName('a'))}.search (market, key, poster, phase_end, pay, rate, closing, newest_window,
      pay_window, rate_window, closing_window, funded, permit, title, excerpt, tags, words)
    values (0, 9, ${toBytes(emeka.address)}, 0, 1, 1, 1, 0, 0, 0, 0, true, false, 'New task', '', '', '')`
  await sql`insert into notify.search (id, wallet, market, name, search, funded, established, created_at)
    select 'flood' || n, case when n <= 5600 then 'greedy' else 'free' || n end, 0, 'all', '', false, false, now() - interval '2 days'
    from generate_series(1, 6000) n`
  await sql`insert into notify.search (id, wallet, market, name, search, funded) values ('mine', ${ada.address}, 0, 'all', '', false)`
  const matches = await sql.begin((step) => findMatches(step, 0, [9n]))
  expect(matches).toHaveLength(5_000)
  expect(matches[0]?.id).toBe('mine')
  expect(new Set(matches.map(({ wallet }) => wallet)).size, 'every wallet before the second of one').toBe(402)
})

test('who allows everybody to claim reaches few of them, and never uses up what they hear of established posters', async () => {
  const posters = [ada, emeka, accounts.hana].map(({ address }) => address)
  const target = accounts.bruno.address
  for (const [index, poster] of posters.entries())
    await sql`insert into ${sql(getSchemaName('a'))}.task (market, key, poster, worker, state, json, mark, early, late, posted)
      values (0, ${50 + index}, ${toBytes(poster)}, null, '', '', '', '', '', true)`
  await sql`delete from notify.notification`
  await setAgent({ completedAsPoster: 1 })
  let serial = 0
  /** Sends what is left of this many invitations, and returns how many that are. */
  const invite = async (task: number, wallets: readonly Hex[]) => {
    const missing = wallets.map((wallet) => ({
      id: `invitation-${++serial}`,
      kind: 'allowed-to-claim',
      isReminder: false,
      urgency: 'action' as const,
      wallet,
      title: '',
      text: '',
      deadline: null,
      block: 1,
      createdAt: now,
    }))
    const [kept] = await sql.begin((step) => leaveOutInvitations(step, 0, [{ task: BigInt(task), missing }]))
    for (const { id, wallet } of kept?.missing ?? [])
      await sql`insert into notify.notification (id, wallet, market, task, kind, urgency, title, text, url, created_at, data, block)
        values (${id}, ${wallet}, 0, ${task}, 'allowed-to-claim', 'action', '', '', '', 1, '{}', 1)`
    return kept?.missing.length
  }
  const strangers = Array.from({ length: 60 }, (_, index): Hex => `0x${String(index).padStart(40, '7')}`)
  expect(await invite(51, strangers), 'one task').toBe(20)
  expect(await invite(51, strangers)).toBe(0)
  expect(
    await invite(
      52,
      Array.from({ length: 9 }, () => target),
    ),
    'one poster to one wallet',
  ).toBe(3)
  expect(await invite(50, [target, target]), 'a poster that is established').toBe(2)
})
