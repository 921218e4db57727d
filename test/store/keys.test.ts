import { createSigningContext } from '@svc/chain'
import { accounts } from '@svc/devnet'
import type { TaskId } from '@svc/protocol'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import {
  type BundleKind,
  buildStatementMessage,
  decryptKeyBackup,
  type ExpectedBundle,
  encryptKeyBackup,
  getReadingKey,
  hashStatement,
  openBundle,
  sealBundle,
} from '@svc/protocol/work'
import {
  createMemoryPartCache,
  type DeviceKeys,
  fetchBundle,
  findReaders,
  grantBundle,
  issueReceipt,
  restoreKeys,
  rotateKeys,
  uploadBundle,
} from '@svc/work'
import type { LocalAccount } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { fakeDeployments } from '../conformance/fakeDeployments.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'
import { runs } from '../harness/runs.ts'
import { startTestStore, type TestStore, testDomain } from '../harness/storeApp.ts'
import {
  connectKeys,
  createChecks,
  createMemoryKeyStore,
  createSignInOptions,
  getNow,
  type SignedInDevice,
  signInDevice,
} from './devices.ts'
import { type Engine, startEngine } from './engines.ts'
import { createFakeTasks } from './fakeTasks.ts'
import { signIn } from './storeClient.ts'

// Keys that are lost, rotated or stolen in the middle of a task, and a store that forgot a day.

const { ada, emeka } = accounts
const tasks = createFakeTasks()
const context = createSigningContext(fakeDeployments, 'micro')
const { chainId } = context
const checks = () => createChecks(chainId)
const passphrase = 'correct horse battery staple'
let taskId: TaskId = { market: 'micro', number: 0n }
let engine: Engine
let database: TestDatabase
let service: TestStore

const start = () =>
  startTestStore({
    objects: engine.objects,
    databaseUrl: database.url,
    tasks,
    deployments: fakeDeployments,
    verifySignature: verifyKeySignature,
  })

beforeAll(async () => {
  engine = await startEngine('folder')
  database = await createTestDatabase()
  service = await start()
})
afterAll(async () => {
  await service?.stop()
  await engine?.stop()
  await database?.drop()
})
beforeEach(() => {
  taskId = { market: 'micro', number: taskId.number + 1n }
  setRevisions(0)
})
// Statements of a wallet are not of one task: the next test begins without any.
afterEach(async () => {
  await service.sql`truncate store.statement, store.session, store.vault`
})

test.each(['recovery file', 'vault'] as const)(
  'a reading key that is restored from its %s opens old and new bundles',
  async (place) => {
    const [poster, worker] = [await enter(ada), await enter(emeka)]
    const old = await send(worker, ada, 'Before the loss')
    const backup = await encryptKeyBackup(pickBackup(poster.keys), passphrase, { workFactor: 8 })
    if (place === 'vault') await poster.putVault(backup)

    // The device is gone. A new one signs in, which is all that it takes to read the vault.
    const keyStore = createMemoryKeyStore()
    const fresh = await enter(ada, keyStore)
    await expect(fetchBundle(fresh, old)).rejects.toMatchObject({ code: 'NO_GRANT' })
    const between = await send(worker, ada, 'Between')
    const text = place === 'vault' ? await fresh.getVault() : backup
    await expect(decryptKeyBackup(text ?? '', `${passphrase}r`)).rejects.toMatchObject({ code: 'INVALID_BACKUP' })
    await restoreKeys(keyStore, await decryptKeyBackup(text ?? '', passphrase))
    const restored = await enter(ada, keyStore)
    expect(restored.keys.readingIdentity).toBe(poster.keys.readingIdentity)

    const late = await send(worker, ada, 'After the restore')
    for (const [expected, words] of [
      [old, 'Before the loss'],
      [between, 'Between'],
      [late, 'After the restore'],
    ] as const) {
      expect((await fetchBundle(restored, expected)).manifest.text).toBe(words)
    }
  },
)

test.each([
  ['poster', ada, emeka, 'delivery'],
  ['worker', emeka, ada, 'revision'],
] as const)(
  'a %s who lost a key without a backup reads on after the other party grants',
  async (_, owner, other, kind) => {
    const [, author] = [await enter(owner), await enter(other)]
    const old = await send(author, owner, 'Sealed for a key that is lost', kind)
    const device = await enter(owner)
    await expect(fetchBundle(device, old)).rejects.toMatchObject({ code: 'NO_GRANT' })

    const opened = await fetchBundle(author, old)
    await grantBundle(author, old.hash, opened, await findReaders(author, [owner.address], checks()))
    expect((await fetchBundle(device, old)).manifest.text).toBe('Sealed for a key that is lost')
    // The grant is for this wallet's key alone: another reader of the task gets nothing from it.
    const stranger = await enter(accounts.hana)
    await expect(fetchBundle(stranger, old)).rejects.toMatchObject({ status: 403 })
    const fromOtherKey = await openOffline(author, old, [stranger.keys.readingIdentity]).catch(({ code }) => code)
    expect(fromOtherKey).toBe('NO_GRANT')
  },
)

test('a key is rotated between a delivery and its revision: the new one opens both, the stolen one gets nothing from the store', async () => {
  const keyStore = createMemoryKeyStore()
  const [stolen, worker] = [await enter(ada, keyStore), await enter(emeka)]
  const first = await send(worker, ada, 'Version 1')
  expect((await fetchBundle(stolen, first)).manifest.text).toBe('Version 1')

  const rotated = await connect(await rotateKeys(createSignInOptions(ada, keyStore, chainId)))
  await rotated.getVault()
  setRevisions(1)
  const second = await send(worker, ada, 'Version 2', 'delivery', 1)
  for (const expected of [first, second]) {
    expect((await fetchBundle(rotated, expected)).descriptor.revision).toBe(expected.revision)
  }
  const { descriptor } = await fetchBundle(worker, second)
  expect(descriptor.grants.map(({ key }) => key)).not.toContain(await getReadingKey(stolen.keys.readingIdentity))

  // The thief has the old device: its open session has ended, and its keys open no other.
  for (const thief of [stolen, connect(stolen.keys)]) {
    await expect(thief.getBundle(second.hash)).rejects.toMatchObject({ code: 'INVALID_STATEMENT' })
    await expect(thief.putVault('x')).rejects.toMatchObject({ code: 'INVALID_STATEMENT' })
  }
  // Nor do the bytes help, wherever they come from.
  await expect(openOffline(worker, second, [stolen.keys.readingIdentity])).rejects.toMatchObject({ code: 'NO_GRANT' })
  expect((await openOffline(worker, first, [stolen.keys.readingIdentity])).manifest.text).toBe('Version 1')
})

test('a revocation does not end the sessions of other devices, nor can it be made by another wallet', async () => {
  const keyStore = createMemoryKeyStore()
  const [first, second, worker] = [await enter(ada, keyStore), await enter(ada), await enter(emeka)]
  await rotateKeys(createSignInOptions(ada, keyStore, chainId))
    .then(connect)
    .then(({ getVault }) => getVault())
  expect(await second.getVault()).toBeNull()
  await expect(first.getVault()).rejects.toMatchObject({ code: 'INVALID_STATEMENT' })
  // The worker's own statement names one of the poster's as revoked.
  const theirs = createMemoryKeyStore()
  await theirs.save({ ...worker.keys, statement: second.keys.statement })
  await rotateKeys(createSignInOptions(emeka, theirs, chainId))
    .then(connect)
    .then(({ getVault }) => getVault())
  expect(await connect(second.keys).getVault()).toBeNull()
})

test('a store that is restored from yesterday learns keys and revocations again from the clients', async () => {
  const keyStore = createMemoryKeyStore()
  const [stolen, worker] = [await enter(ada, keyStore), await enter(emeka)]
  const first = await send(worker, ada, 'Version 1')
  const tables = ['session', 'statement', 'vault']
  for (const table of tables) {
    await service.sql.unsafe(
      `drop table if exists yesterday_${table}; create table yesterday_${table} as table store.${table}`,
    )
  }
  const rotated = await connect(await rotateKeys(createSignInOptions(ada, keyStore, chainId)))
  await rotated.getVault()
  await expect(stolen.getVault()).rejects.toMatchObject({ code: 'INVALID_STATEMENT' })

  await service.stop()
  service = await start()
  for (const table of tables) {
    await service.sql.unsafe(`truncate store.${table}; insert into store.${table} table yesterday_${table}`)
  }
  // The revocation is forgotten until a client of the owner comes by. Its session is too, so it signs in by itself.
  expect(await connect(stolen.keys).getVault()).toBeNull()
  expect((await fetchBundle(rotated, first)).manifest.text).toBe('Version 1')
  await expect(connect(stolen.keys).getVault()).rejects.toMatchObject({ code: 'INVALID_STATEMENT' })
  const second = await send(worker, ada, 'Version 2')
  await expect(openOffline(worker, second, [stolen.keys.readingIdentity])).rejects.toMatchObject({ code: 'NO_GRANT' })

  // Everything is forgotten and the poster is away: the worker brings the poster's statement, and still gets a receipt.
  await service.sql`truncate store.session, store.statement`
  await expect(send(worker, ada, 'Version 3')).rejects.toMatchObject({ code: 'NO_READING_KEY' })
  const { statement } = rotated.keys
  if (!statement) throw new Error('The poster has not signed in.')
  await worker.calls.putStatement(statement)
  expect((await fetchBundle(rotated, await send(worker, ada, 'Version 3'))).manifest.text).toBe('Version 3')
})

function setRevisions(revisions: number): void {
  const [poster, worker, store] = [ada.address, emeka.address, accounts.store.address]
  tasks.set(taskId, { poster, worker, store, revisions })
}

/** Reaches the store that runs now, also after a restart on another port. */
const reach = async (request: Request) => {
  const { method, headers, signal } = request
  const { pathname, search } = new URL(request.url)
  // Bytes, because a request that is made from another one sends them without a length.
  const body = method === 'GET' ? null : await request.arrayBuffer()
  return fetch(new URL(pathname + search, service.url), { method, headers, signal, body })
}
const connect = (keys: DeviceKeys): SignedInDevice => ({ ...connectKeys('http://store.example', keys, reach), keys })
const enter = (account: LocalAccount, keyStore = createMemoryKeyStore()) =>
  signInDevice('http://store.example', account, { chainId, keyStore, fetch: reach })

const pickBackup = ({ statement: _, formerIdentities: __, ...backup }: DeviceKeys) => backup

/** Seals a bundle for its author and the current keys of a reader, and stores it. A delivery must get its receipt. */
async function send(
  author: SignedInDevice,
  reader: LocalAccount,
  text: string,
  kind: BundleKind = 'delivery',
  revision = 0,
): Promise<ExpectedBundle> {
  const { savePart, readPart } = createMemoryPartCache()
  const place = { chainId, registry: context.taskRegistry, taskId, milestone: 0, revision }
  const subject = { ...place, kind, author: author.keys.wallet }
  const readers = await findReaders(author, [reader.address], checks())
  const sealed = await sealBundle({ subject, text, readers, savePart })
  await uploadBundle(author, sealed, { readPart })
  if (kind === 'delivery') {
    await issueReceipt(author, sealed, { context, verifySignature: verifyKeySignature, now: getNow() })
  }
  return { ...subject, hash: sealed.hash }
}

/** Opens a bundle with keys, from bytes that somebody else fetched. */
async function openOffline({ getBundle, getPart }: SignedInDevice, expected: ExpectedBundle, keys: readonly string[]) {
  const bytes = await getBundle(expected.hash)
  return openBundle({ bytes, expected, keys, fetchPart: (part) => getPart(expected.taskId, part) })
}

test('after a hundred sign-ins a wallet still signs in, and still revokes a stolen device', async () => {
  const now = getNow()
  const signInAt = (issuedAt: number) => signIn(service.url, ada, accounts.store.address, { now: issuedAt })
  const first = await signInAt(now - 290)
  for (let count = 0; count < runs(105); count++) await signInAt(now - 280 + count)
  const stolen = await signInAt(now + 260)
  const message = buildStatementMessage({
    wallet: ada.address,
    readingKey: stolen.readingKey,
    deviceKey: emeka.address,
    revokes: [hashStatement(stolen.signed.message)],
    domain: testDomain,
    chainId,
    nonce: 'revocation',
    issuedAt: now + 270,
    expiresAt: now + 86_400,
  })
  const revocation = { message, signature: await ada.signMessage({ message }) }
  expect((await first.client.send('PUT', '/v1/statements', revocation)).status).toBe(200)
  expect((await stolen.client.send('GET', '/v1/mail')).status).toBe(401)
  const [kept] = await service.sql<{ count: number }[]>`select count(*)::int as count from store.statement`
  expect(kept?.count).toBeLessThanOrEqual(101)
})
