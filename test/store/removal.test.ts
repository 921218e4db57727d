import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveDeployments } from '@svc/chain'
import { accounts, publicKeys } from '@svc/devnet'
import { parseTaskId } from '@svc/protocol'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import { encodeDescriptor, hashDescriptor } from '@svc/protocol/work'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolderStore } from '../../apps/store/src/objects/folderStore.ts'
import { type AppProcess, startAppProcess } from '../../chaos/shared/appProcess.ts'
import { fakeDeployments } from '../conformance/fakeDeployments.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'
import { startTestStore, type TestStore, testDomain } from '../harness/storeApp.ts'
import { createFakeTasks } from './fakeTasks.ts'
import { createStoreClient, makeBundle, readBody, type StoreClient, signIn, type TestBundle } from './storeClient.ts'

const { ada, emeka, hana, store } = accounts
const tasks = createFakeTasks()
const taskId = parseTaskId('v2:micro:1')
const reason = 'A court order of 12 November (file 4 O 33/26).'
let folder: string
let database: TestDatabase
let service: TestStore
let worker: StoreClient
let poster: StoreClient
let stranger: StoreClient

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'removal-'))
  database = await createTestDatabase()
  tasks.set(taskId, { poster: ada.address, worker: emeka.address, store: store.address })
  service = await startTestStore({
    objects: createFolderStore(join(folder, 'parts')),
    databaseUrl: database.url,
    tasks,
    deployments: fakeDeployments,
    verifySignature: verifyKeySignature,
  })
  await saveDeployments(join(folder, 'deployments.json'), fakeDeployments)
  const enter = async (wallet: typeof ada) => (await signIn(service.url, wallet, store.address)).client
  ;[worker, poster, stranger] = [await enter(emeka), await enter(ada), await enter(hana)]
})
afterAll(async () => {
  await service?.stop()
  await database?.drop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** Runs the operator's command. */
async function remove(hash: string, why: string): Promise<AppProcess> {
  const command = startAppProcess(
    'store',
    {
      CHAIN_RPC_URL: 'http://127.0.0.1:1',
      SVC_DEPLOYMENTS: join(folder, 'deployments.json'),
      SVC_DATABASE_URL: database.url,
      SVC_STORE_DOMAINS: testDomain,
      SVC_STORE_KEY: publicKeys.store,
      SVC_STORE_FOLDER: join(folder, 'parts'),
    },
    ['remove-bundle', hash, '--reason', why],
  )
  await command.exited
  return command
}

const where = { chainId: fakeDeployments.chainId, registry: fakeDeployments.markets.micro.taskRegistry, taskId }
const readGrants = (client: StoreClient, { hash }: TestBundle) =>
  client.send('GET', `/v1/grants/${hash}/${hana.address}`)

test('a bundle that was removed by notice is gone; its readers are told why, and nobody brings it back', async () => {
  const readers = [{ reader: ada.address, key: `age1${'q'.repeat(58)}` }]
  const bad = makeBundle({ ...where, author: emeka.address }, [1_000, 2_000], readers)
  const open = makeBundle({ ...where, kind: 'brief', author: ada.address }, [500])
  expect((await worker.upload(bad)).status).toBe(201)
  expect((await poster.upload(open)).status).toBe(201)
  // Another bundle of the task has the same grant file, so that part stays.
  const own = makeBundle({ ...where, author: emeka.address }, [700], readers)
  const bytes = encodeDescriptor({ ...own.descriptor, grants: bad.descriptor.grants })
  const good = { hash: hashDescriptor(bytes) }
  for (const each of own.parts.values()) await worker.putPart(taskId, each)
  expect((await worker.send('PUT', `/v1/bundles/${good.hash}`, bytes)).status).toBe(201)

  expect((await remove(bad.hash, '')).exitStatus()).toEqual({ code: 1 })
  expect((await remove(`0x${'0'.repeat(64)}`, reason)).exitStatus()).toEqual({ code: 1 })
  expect((await worker.send('GET', `/v1/bundles/${bad.hash}`)).status).toBe(200)
  const removal = await remove(bad.hash, reason)
  expect(removal.exitStatus()).toEqual({ code: 0 })
  const [line] = removal.lines.filter(({ msg }) => msg === 'removed by notice')
  expect(line).toMatchObject({ bundle: bad.hash, task: 'v2:micro:1', reason, parts: bad.parts.size - 1 })
  await remove(open.hash, reason)

  const [name = ''] = bad.parts.keys()
  const part = bad.parts.get(name) ?? Buffer.alloc(0)
  for (const client of [worker, poster]) {
    for (const answer of [
      await client.send('GET', `/v1/bundles/${bad.hash}`),
      await client.getPart(taskId, name),
      await readGrants(client, bad),
      await client.askReceipt(bad.hash),
    ]) {
      expect(answer.status).toBe(451)
      const { code, error } = await readBody(answer)
      expect([code, error]).toEqual(['BUNDLE_REMOVED', expect.stringContaining(reason)])
    }
  }
  // Whoever could not read it learns nothing.
  const outsiders = [stranger, createStoreClient(service.url)]
  for (const client of outsiders) {
    for (const answer of [await client.send('GET', `/v1/bundles/${bad.hash}`), await client.getPart(taskId, name)]) {
      expect([401, 403]).toContain(answer.status)
      expect(await answer.text()).not.toContain('court order')
    }
    // A public bundle was for everyone, and so is the reason.
    expect((await client.send('GET', `/v1/bundles/${open.hash}`)).status).toBe(451)
    expect((await client.getPart(taskId, [...open.parts.keys()][0] ?? '')).status).toBe(451)
  }
  expect((await worker.putPart(taskId, part)).status).toBe(451)
  expect((await worker.upload(bad)).status).toBe(451)
  expect((await worker.send('PUT', `/v1/bundles/${bad.hash}`, bad.bytes)).status).toBe(451)
  // The rest of the task goes on.
  expect((await poster.send('GET', `/v1/bundles/${good.hash}`)).status).toBe(200)
  expect((await poster.getPart(taskId, bad.descriptor.grants[0]?.sha256 ?? '')).status).toBe(200)
  expect((await worker.upload(makeBundle({ ...where, author: emeka.address }, [700], readers))).status).toBe(201)
})
