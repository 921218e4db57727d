import { createHash, randomBytes } from 'node:crypto'
import { accounts } from '@svc/devnet'
import { formatTaskId, type TaskId } from '@svc/protocol'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import { createClientResolver } from '@svc/serve'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeDeployments } from '../conformance/fakeDeployments.ts'
import { sendRequest } from '../deploy/sendRequest.ts'
import { type Nginx, startNginx } from '../harness/nginx.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'
import { sendSlowBodies, visit } from '../harness/slowClients.ts'
import { startTestStore, type TestStore } from '../harness/storeApp.ts'
import { type Engine, startEngine } from './engines.ts'
import { createFakeTasks } from './fakeTasks.ts'
import { signIn } from './storeClient.ts'

// The store behind the shipped nginx.conf. A visitor of another network must not notice who sends slowly.

const taskId: TaskId = { market: 'micro', number: 1n }
const partPath = (sha256: string) => `/store/v1/tasks/${formatTaskId(taskId)}/parts/${sha256}`
const attackers = ['127.55.0.1', '127.55.0.2', '127.55.0.3', '127.55.0.4']
let database: TestDatabase
let engine: Engine
let store: TestStore
let nginx: Nginx
let tokens: { poster: string; worker: string }

beforeAll(async () => {
  engine = await startEngine('folder')
  database = await createTestDatabase()
  const tasks = createFakeTasks()
  const [poster, worker] = [accounts.ada, accounts.emeka]
  tasks.set(taskId, { poster: poster.address, worker: worker.address, store: accounts.store.address })
  store = await startTestStore({
    objects: engine.objects,
    databaseUrl: database.url,
    tasks,
    deployments: fakeDeployments,
    verifySignature: verifyKeySignature,
    resolveClient: createClientResolver(['127.0.0.1']),
    requestMs: 120_000,
  })
  nginx = await startNginx([1], { storePort: store.port })
  const [first, second] = [poster, worker].map((account) => signIn(store.url, account, accounts.store.address))
  tokens = { poster: (await first)?.token ?? '', worker: (await second)?.token ?? '' }
})
afterAll(async () => {
  await nginx?.stop()
  await store?.stop()
  await engine?.stop()
  await database?.drop()
})

/** Calls of somebody else that end at once. */
const calls = [
  { path: '/store/v1/store' },
  { path: '/store/v1/sessions', method: 'POST', body: '{}' },
  { path: partPath('missing'), method: 'POST', body: '{}' },
]

test.for([
  { to: 'a call that nginx waits for', path: '/store/v1/sessions', closes: false },
  { to: 'a path that nginx passes through', path: partPath('missing'), closes: true },
])('1,100 half-sent bodies from four addresses, to $to', async ({ path, closes }) => {
  const requests = Array.from({ length: 1_100 }, (_, index) => ({
    method: 'POST',
    path,
    length: 500,
    sent: Buffer.from('{'),
    from: attackers[index % attackers.length] ?? '',
  }))
  const slow = await sendSlowBodies(nginx.url, requests)
  const seen = await visit(nginx.url, calls)
  expect(seen.statuses).toEqual([200, 400])
  expect(seen.p90).toBeLessThan(500)
  expect(slow.statuses()[429], 'four addresses have 200 places at most').toBeGreaterThanOrEqual(900)
  if (closes) await expect.poll(() => slow.countOpen(), { timeout: 15_000 }).toBe(0)
  slow.stop()
})

test('34 uploads of one poster that send nothing more: one byte, or enough to take a place', async () => {
  const requests = Array.from({ length: 34 }, (_, index) => ({
    method: 'PUT',
    path: partPath(index.toString(16).padStart(64, '0')),
    headers: { authorization: `Bearer ${tokens.poster}`, 'content-type': 'application/octet-stream' },
    length: 4_000_000,
    sent: Buffer.alloc(index % 2 === 0 ? 1 : 40_000),
    from: '127.55.1.1',
  }))
  const slow = await sendSlowBodies(nginx.url, requests)
  const part = randomBytes(1_000).toString('hex')
  const upload = {
    path: partPath(createHash('sha256').update(part).digest('hex')),
    method: 'PUT',
    body: part,
    headers: { authorization: `Bearer ${tokens.worker}`, 'content-length': String(part.length) },
  }
  const seen = await visit(nginx.url, [upload, ...calls.slice(0, 1)])
  expect(seen.statuses).toEqual([200, 201])
  expect(seen.p90).toBeLessThan(500)
  await expect.poll(() => slow.statuses()[408] ?? 0, { timeout: 15_000 }).toBeGreaterThanOrEqual(17)
  slow.stop()
  expect((await sendRequest(nginx.url, upload.path, { ...upload, from: '127.55.1.1' })).status).toBe(201)
})
