import { createSigningContext } from '@svc/chain'
import { accounts } from '@svc/devnet'
import type { TaskId, TaskState } from '@svc/protocol'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import { type BundleSubject, encryptKeyBackup, sealBundle } from '@svc/protocol/work'
import {
  connectStore,
  createMemoryPartCache,
  fetchBundle,
  findReaders,
  grantBundle,
  issueReceipt,
  uploadBundle,
} from '@svc/work'
import type { LocalAccount } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeDeployments } from '../conformance/fakeDeployments.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'
import { startTestStore, type TestStore, testClerk } from '../harness/storeApp.ts'
import { createChecks, getNow, type SignedInDevice, signInDevice } from './devices.ts'
import { type Engine, startEngine } from './engines.ts'
import { createFakeTasks } from './fakeTasks.ts'

// The client of packages/work with a real store. Its own tests use routes in memory.

const tasks = createFakeTasks()
const context = createSigningContext(fakeDeployments, 'micro')
const taskId: TaskId = { market: 'micro', number: 1n }
const subject: BundleSubject = {
  kind: 'delivery',
  chainId: context.chainId,
  registry: context.taskRegistry,
  taskId,
  milestone: 0,
  revision: 0,
  author: accounts.emeka.address,
}
const checks = () => createChecks(context.chainId)
let engine: Engine
let database: TestDatabase
let service: TestStore
let poster: SignedInDevice
let worker: SignedInDevice

beforeAll(async () => {
  engine = await startEngine('folder')
  database = await createTestDatabase()
  const options = {
    databaseUrl: database.url,
    tasks,
    deployments: fakeDeployments,
    verifySignature: verifyKeySignature,
  }
  service = await startTestStore({ objects: engine.objects, ...options })
  setState('ACTIVE')
  poster = await connect(accounts.ada)
  worker = await connect(accounts.emeka)
})
afterAll(async () => {
  await service?.stop()
  await engine?.stop()
  await database?.drop()
})

function setState(state: TaskState): void {
  const [poster, worker, store] = [accounts.ada.address, accounts.emeka.address, accounts.store.address]
  tasks.set(taskId, { poster, worker, store, state })
}

const connect = (account: LocalAccount) => signInDevice(service.url, account, { chainId: context.chainId })

async function seal(content: Uint8Array) {
  const cache = createMemoryPartCache()
  const file = { name: 'a/map.bin', type: 'image/png', open: () => new Blob([new Uint8Array(content)]).stream() }
  const sealed = await sealBundle({
    subject,
    text: 'Done.',
    files: [file],
    readers: await findReaders(worker, [accounts.ada.address], checks()),
    savePart: cache.savePart,
  })
  return { sealed, readPart: cache.readPart, expected: { ...subject, hash: sealed.hash } }
}

test('a delivery goes up, gets a receipt, and is read by the poster and by whom the poster grants it', async () => {
  const content = Uint8Array.from({ length: 5_000_000 }, (_, at) => at * 7)
  const { sealed, readPart, expected } = await seal(content)
  await uploadBundle(worker, sealed, { readPart })
  const receipt = await issueReceipt(worker, sealed, { context, verifySignature: verifyKeySignature, now: getNow() })
  expect(receipt.until).toBeGreaterThan(BigInt(getNow()))
  const opened = await fetchBundle(poster, expected)
  expect(Buffer.compare(await opened.readFile('a/map.bin'), content)).toBe(0)

  const clerk = await connect(testClerk)
  await expect(fetchBundle(clerk, expected)).rejects.toMatchObject({ status: 403 })
  setState('DISPUTED')
  await expect(fetchBundle(clerk, expected)).rejects.toMatchObject({ code: 'NO_GRANT' })
  await grantBundle(poster, sealed.hash, opened, await findReaders(poster, [testClerk.address], checks()))
  expect((await fetchBundle(clerk, expected)).manifest).toEqual(opened.manifest)
  setState('ACTIVE')
  // A wallet without a role gets nothing, and neither does one without a session.
  const stranger = await connect(accounts.hana)
  await expect(fetchBundle(stranger, expected)).rejects.toMatchObject({ status: 403 })
  const anonymous = connectStore({ baseUrl: service.url, address: accounts.store.address, now: getNow })
  await expect(fetchBundle(anonymous, expected)).rejects.toMatchObject({ status: 401 })
})

test('an upload that failed goes on when the object store is back', async () => {
  const { sealed, readPart, expected } = await seal(new Uint8Array(3_000_000).map((_, at) => at * 13))
  engine.fail('cut')
  await expect(uploadBundle(worker, sealed, { readPart })).rejects.toMatchObject({ status: 503 })
  await expect(poster.getBundle(sealed.hash)).rejects.toMatchObject({ status: 404 })
  engine.fail(null)
  await uploadBundle(worker, sealed, { readPart })
  expect((await fetchBundle(poster, expected)).manifest.text).toBe('Done.')
})

test('a key backup comes back as it was stored', async () => {
  expect(await poster.getVault()).toBeNull()
  const { statement: _, formerIdentities: __, ...backup } = poster.keys
  const text = await encryptKeyBackup(backup, 'a long passphrase', { workFactor: 8 })
  await poster.putVault(text)
  expect(await poster.getVault()).toBe(text)
  expect(await worker.getVault()).toBeNull()
})

test('anyone sees the picture of a wallet, which it alone changes; what is no small PNG or WebP is refused', async () => {
  const png = Buffer.alloc(33)
  png.write('\x89PNG\r\n\x1a\n', 'latin1')
  png.write('IHDR', 12, 'latin1')
  png.writeUInt32BE(192, 16)
  png.writeUInt32BE(192, 20)
  const hash = await worker.putPicture(png)
  const path = (of: string, sha256: string) => `${service.url}/v1/pictures/${of}/${sha256}`
  const shown = await fetch(path(accounts.emeka.address, hash))
  expect([shown.status, Buffer.from(await shown.arrayBuffer()).equals(png)]).toEqual([200, true])
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'content-disposition': 'attachment',
  })
  expect((await fetch(path(accounts.ada.address, hash))).status).toBe(404)
  expect((await fetch(path(accounts.emeka.address, hash), { method: 'PUT', body: png })).status).toBe(401)
  for (const hostile of ['<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', '<script>alert(1)</script>'])
    await expect(worker.putPicture(Buffer.from(hostile))).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  await expect(worker.putPicture(Buffer.concat([png, Buffer.alloc(70_000)]))).rejects.toMatchObject({ status: 413 })
  const next = Buffer.concat([png, Buffer.from('new')])
  expect((await fetch(path(accounts.emeka.address, await worker.putPicture(next)))).status).toBe(200)
  expect((await fetch(path(accounts.emeka.address, hash))).status).toBe(404)
})
