import { accounts } from '@svc/devnet'
import { buildNotifyProof, buildSessionProof } from '@svc/protocol/internal/work'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import { buildStatementMessage, hashStatement } from '@svc/protocol/work'
import { createDatabase, createSessions, createStatements, createWalletRoom, openSession } from '@svc/serve'
import postgres, { type Sql } from 'postgres'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createInbox, type Inbox } from '../../apps/notifier/src/records/inbox.ts'
import { notifySchema } from '../../apps/notifier/src/records/schema.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'
import { makeReadingKey } from '../store/storeClient.ts'

const wallet = accounts.ada
let testDatabase: TestDatabase
let sql: Sql
let inbox: Inbox
let database: ReturnType<typeof createDatabase>

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  sql = postgres(testDatabase.url, { fetch_types: false, onnotice: () => {}, max: 4 })
  database = createDatabase(sql, notifySchema)
  inbox = createInbox(database)
  await database((open) => open`select 1`)
})
afterAll(async () => {
  await sql.end()
  await testDatabase.drop()
})

const write = async (count: number, to: string = wallet.address) => {
  for (let each = 0; each < count; each++) {
    await sql`insert into notify.notification
      (id, wallet, market, task, kind, urgency, title, text, url, deadline, created_at, data, block)
      values (${`n-${to}-${crypto.randomUUID()}`}, ${to}, 1, 7, 'delivered', 'action', 'Work', 'Look.', 'https://a', null, 1, '{}', 1)`
  }
}
const page = { show: 'all', limit: 10 } as const

test('a poller that passes the last cursor misses nothing and gets nothing twice', async () => {
  await write(3)
  const first = await inbox.list(wallet.address, { ...page, limit: 2 })
  expect([first.notifications.length, first.unread]).toEqual([2, 3])
  expect(first.next).not.toBeNull()
  const rest = await inbox.list(wallet.address, { ...page, before: first.next ?? '' })
  expect(rest.notifications).toHaveLength(1)

  const got: string[] = []
  let cursor = first.cursor
  await write(25)
  await write(5, accounts.bruno.address)
  for (let turn = 0; turn < 4; turn++) {
    const next = await inbox.list(wallet.address, { ...page, since: cursor })
    got.push(...next.notifications.map(({ id }) => id))
    cursor = next.cursor
  }
  expect([got.length, new Set(got).size]).toEqual([25, 25])
  expect(rest.notifications[0]).toMatchObject({ taskId: 'v2:micro:7', market: 'micro', acknowledged: false })
})

test('a wallet acknowledges its own notifications only', async () => {
  const mine = await inbox.list(wallet.address, page)
  const [newest] = mine.notifications
  expect(await inbox.acknowledge(accounts.bruno.address, { ids: [newest?.id ?? ''] })).toBe(0)
  expect(await inbox.acknowledge(wallet.address, { ids: [newest?.id ?? ''] })).toBe(1)
  expect(await inbox.acknowledge(wallet.address, { upTo: mine.cursor })).toBe(27)
  const unread = await inbox.list(wallet.address, { ...page, show: 'unread' })
  expect([unread.notifications, unread.unread]).toEqual([[], 0])
  expect((await inbox.list(accounts.bruno.address, page)).unread).toBe(5)
})

test('a proof for a store, for another domain, or that was used, opens no session here', async () => {
  const device = privateKeyToAccount(generatePrivateKey())
  const issuedAt = Math.floor(Date.now() / 1_000)
  const message = buildStatementMessage({
    wallet: wallet.address,
    readingKey: makeReadingKey(),
    deviceKey: device.address,
    revokes: [],
    domain: 'market.example',
    chainId: 8453,
    nonce: 'abcdef0123456789',
    issuedAt,
    expiresAt: issuedAt + 86_400,
  })
  const signature = await wallet.signMessage({ message })
  const statement = hashStatement(message)
  const deps = {
    sessions: createSessions(database, { schema: 'notify', signInPath: '/notify/v1/sessions' }),
    statements: createStatements(database, 'notify'),
    room: createWalletRoom(database, {
      schema: 'notify',
      isEstablished: async () => false,
      hasDeposit: async () => false,
    }),
    domains: ['market.example'],
    chainId: 8453,
    verifySignature: verifyKeySignature,
    now: Date.now,
  }
  const open = async (text: string) => {
    const proof = { issuedAt, signature: await device.signMessage({ message: text }) }
    return openSession(deps, { message, signature, proof }, '127.0.0.1', ({ domain, hash }, given) =>
      buildNotifyProof({ domain, statement: hash, ...given }),
    )
  }
  const refused = { code: 'INVALID_STATEMENT' }
  await expect(open(buildSessionProof({ store: accounts.store.address, statement, issuedAt }))).rejects.toMatchObject(
    refused,
  )
  await expect(open(buildNotifyProof({ domain: 'other.example', statement, issuedAt }))).rejects.toMatchObject(refused)
  const proof = buildNotifyProof({ domain: 'market.example', statement, issuedAt })
  const { token } = await open(proof)
  await expect(open(proof), 'a proof that somebody saw').rejects.toMatchObject({ code: 'PROOF_USED' })
  const headers = new Headers({ authorization: `Bearer ${token}` })
  expect(await deps.sessions.require(headers)).toBe(wallet.address)
  expect(await deps.sessions.close(headers, false)).toBe(1)
  await expect(deps.sessions.require(headers), 'signed out').rejects.toMatchObject({ code: 'SESSION_REQUIRED' })
})
