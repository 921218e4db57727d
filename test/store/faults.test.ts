import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { accounts } from '@svc/devnet'
import { formatTaskId, parseTaskId, type TaskId } from '@svc/protocol'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import { workLimits } from '@svc/protocol/work'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { partKey } from '../../apps/store/src/heldParts.ts'
import { fakeDeployments } from '../conformance/fakeDeployments.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'
import { startTestStore, type TestStore } from '../harness/storeApp.ts'
import { type Engine, listEngines, startEngine } from './engines.ts'
import { createFakeTasks } from './fakeTasks.ts'
import { createStoreClient, makeBundle, readBody, type SignIn, sha256, signIn, type TestBundle } from './storeClient.ts'

const store = accounts.store.address
const MiB = 1_048_576
let taskCount = 0

describe.each(listEngines())('on %s', (engineName) => {
  const tasks = createFakeTasks()
  let engine: Engine
  let database: TestDatabase
  let replicas: TestStore[]
  let poster: SignIn
  let worker: SignIn
  let taskId: TaskId

  beforeAll(async () => {
    engine = await startEngine(engineName)
    database = await createTestDatabase()
    const options = {
      objects: engine.objects,
      databaseUrl: database.url,
      tasks,
      deployments: fakeDeployments,
      verifySignature: verifyKeySignature,
    }
    replicas = [await startTestStore(options), await startTestStore(options)]
    poster = await signIn(replica(0).url, accounts.ada, store)
    worker = await signIn(replica(0).url, accounts.emeka, store)
  })
  afterAll(async () => {
    for (const each of replicas ?? []) await each.stop()
    await engine?.stop()
    await database?.drop()
  })
  beforeEach(() => {
    taskId = parseTaskId(`v2:standard:${++taskCount}`)
    tasks.set(taskId, { poster: accounts.ada.address, worker: accounts.emeka.address, store })
  })
  afterEach(async () => {
    engine.fail(null)
    expect(await engine.countLeftovers()).toBe(0)
  })

  test('a delivery is stored, listed, served and receipted', async () => {
    const bundle = makeDelivery([3_000, 5 * MiB])
    expect((await worker.client.upload(bundle)).status).toBe(201)
    const listed = await poster.client.send('GET', `/v1/tasks/${formatTaskId(taskId)}/bundles`)
    expect(await listed.json()).toMatchObject({ bundles: [{ hash: bundle.hash, kind: 'delivery', isPublic: false }] })
    for (const [name, bytes] of bundle.parts) {
      const part = await poster.client.getPart(taskId, name)
      expect(part.headers.get('content-disposition')).toBe('attachment')
      expect(sha256(await part.bytes())).toBe(name)
      const head = await poster.client.send('HEAD', `/v1/tasks/${formatTaskId(taskId)}/parts/${name}`)
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)])
      const range = await poster.client.getPart(taskId, name, { range: 'bytes=10-29' })
      expect(range.status).toBe(206)
      expect(Buffer.from(await range.bytes())).toEqual(bytes.subarray(10, 30))
    }
    const receipt = await worker.client.askReceipt(bundle.hash)
    expect(await receipt.json()).toMatchObject({ proofHash: bundle.hash, worker: accounts.emeka.address })
  })

  test('100 files, uploaded again after an interruption, are stored once', async () => {
    const bundle = makeDelivery(Array.from({ length: 101 }, () => 20_000))
    const half = [...bundle.parts.values()].slice(0, 50)
    for (const bytes of half) expect((await worker.client.putPart(taskId, bytes)).status).toBe(201)
    const parts = [...bundle.parts.keys()]
    const path = `/v1/tasks/${formatTaskId(taskId)}/parts/missing`
    const missing = await worker.client.send('POST', path, { parts })
    expect((await readBody(missing)).missing).toEqual(parts.slice(50))
    expect((await worker.client.upload(bundle)).status).toBe(201)
    expect((await worker.client.upload(bundle)).status).toBe(201)
  })

  test.each([
    ['cut', 503, 'OBJECTS_UNREACHABLE'],
    ['silent', 503, 'OBJECTS_UNREACHABLE'],
    ['full', 507, 'STORE_FULL'],
  ] as const)('an object store that fails in the middle of a part (%s) leaves nothing', async (fault, status, code) => {
    const bytes = randomBytes(3 * MiB)
    engine.fail(fault)
    // A first refusal can be lost with its connection. From then on, the engine is asked before it gets bytes.
    if (fault === 'full') expect((await worker.client.putPart(taskId, bytes)).status).toBeGreaterThanOrEqual(503)
    const answer = await worker.client.putPart(taskId, bytes)
    expect([answer.status, (await readBody(answer)).code]).toEqual([status, code])
    expect(await engine.objects.head(partKey(taskId, sha256(bytes)))).toBeNull()
    expect(await countRows()).toBe(0)
    engine.fail(null)
    expect((await worker.client.putPart(taskId, bytes)).status).toBe(201)
  })

  test('other bytes than the hash says are refused and leave nothing', async () => {
    const [said, sent] = [randomBytes(2 * MiB), randomBytes(2 * MiB)]
    const answer = await worker.client.putPart(taskId, sent, sha256(said))
    expect([answer.status, (await readBody(answer)).code]).toEqual([422, 'WRONG_BYTES'])
    expect(await engine.objects.head(partKey(taskId, sha256(said)))).toBeNull()
    expect(await countRows()).toBe(0)
  })

  test('a part that is too large is refused with the reason, not with a broken connection', async () => {
    const { partBytes } = workLimits
    for (const size of [partBytes + 1, 3 * partBytes]) {
      const answer = await worker.client.putPart(taskId, randomBytes(size))
      expect([answer.status, (await readBody(answer)).code]).toEqual([413, 'BODY_TOO_LARGE'])
      // The whole body was taken, so nothing cuts off a client that still sends.
      expect(answer.headers.get('connection')).toBe('keep-alive')
    }
    const stranger = await signIn(replica(0).url, accounts.jun, store)
    const answer = await stranger.client.putPart(taskId, randomBytes(partBytes))
    expect([answer.status, (await readBody(answer)).code]).toEqual([403, 'NOT_ALLOWED'])
    expect(await countRows()).toBe(0)
  })

  test('an engine that takes over the check of hashes, or does none, gets no wrong bytes past it', async () => {
    // By now an engine that checks has been found out; each upload after that relies on it.
    for (let round = 0; round < 3; round++) {
      const [said, sent] = [randomBytes(MiB), randomBytes(MiB)]
      expect((await worker.client.putPart(taskId, sent)).status).toBe(201)
      const answer = await worker.client.putPart(taskId, sent, sha256(said))
      expect([answer.status, (await readBody(answer)).code]).toEqual([422, 'WRONG_BYTES'])
      expect(await engine.objects.head(partKey(taskId, sha256(said)))).toBeNull()
    }
    expect(await countRows()).toBe(3)
  })

  test('a client that goes away in the middle of a part leaves nothing', async () => {
    const bytes = randomBytes(2 * MiB)
    const name = sha256(bytes)
    const { hostname, port } = new URL(replica(0).url)
    const upload = request({
      hostname,
      port,
      method: 'PUT',
      path: `/v1/tasks/${formatTaskId(taskId)}/parts/${name}`,
      headers: { authorization: `Bearer ${worker.token}`, 'content-length': bytes.length },
    })
    upload.on('error', () => {})
    upload.write(bytes.subarray(0, MiB))
    await expect.poll(countRows).toBe(1)
    upload.destroy()
    await expect.poll(countRows).toBe(0)
    expect(await engine.objects.head(partKey(taskId, name))).toBeNull()
  })

  test('two replicas that receive the same part at once both store it', async () => {
    const bytes = randomBytes(4 * MiB)
    const other = createStoreClient(replica(1).url, worker.token)
    const answers = await Promise.all([
      worker.client.putPart(taskId, bytes),
      other.putPart(taskId, bytes),
      worker.client.putPart(taskId, randomBytes(4 * MiB), sha256(bytes)),
    ])
    expect(answers.map((answer) => answer.status)).toEqual([201, 201, 422])
    const part = await poster.client.getPart(taskId, sha256(bytes))
    expect(sha256(await part.bytes())).toBe(sha256(bytes))
  })

  test('racing uploads cannot exceed the quota of a task, and a poster cannot use up the room of the worker', async () => {
    taskId = parseTaskId(`v2:micro:${++taskCount}`)
    tasks.set(taskId, { poster: accounts.ada.address, worker: accounts.emeka.address, store })
    await replica(0).sql`insert into store.task values (${formatTaskId(taskId)})`
    const { bundleBytes, taskBytes } = workLimits
    for (const [wallet, size] of [
      [accounts.ada.address, bundleBytes.micro - 0.5 * MiB],
      [accounts.emeka.address, taskBytes.micro - 2.5 * MiB],
    ] as const) {
      await replica(0).sql`
        insert into store.part (task, sha256, size, held_at, wallet)
        values (${formatTaskId(taskId)}, ${sha256(randomBytes(8))}, ${size}, now(), ${wallet})`
    }
    expect((await poster.client.putPart(taskId, randomBytes(MiB))).status).toBe(413)
    const clients = replicas.flatMap(({ url }) => Array.from({ length: 3 }, () => createStoreClient(url, worker.token)))
    const answers = await Promise.all(clients.map((client) => client.putPart(taskId, randomBytes(MiB))))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, 201, 413, 413, 413, 413])
  })

  test('a bundle whose parts are missing is not stored, and gets no receipt', async () => {
    const bundle = makeDelivery([1_000, 2_000])
    const answer = await worker.client.send('PUT', `/v1/bundles/${bundle.hash}`, bundle.bytes)
    expect(answer.status).toBe(409)
    expect((await readBody(answer)).missing).toEqual([...bundle.parts.keys()])
    expect((await worker.client.askReceipt(bundle.hash)).status).toBe(404)
  })

  test('after a restore of the bucket from yesterday there is no receipt until the bytes are back', async () => {
    const bundle = makeDelivery([1_000, 2_000])
    await worker.client.upload(bundle)
    const [lost = ''] = bundle.parts.keys()
    await engine.objects.delete(partKey(taskId, lost))
    const refused = await worker.client.askReceipt(bundle.hash)
    expect([refused.status, (await readBody(refused)).missing]).toEqual([409, [lost]])
    expect((await poster.client.getPart(taskId, lost)).status).toBe(404)
    expect((await worker.client.upload(bundle)).status).toBe(201)
    expect((await worker.client.askReceipt(bundle.hash)).status).toBe(200)
  })

  test('after a restore of the database from yesterday an upload repairs what it forgot', async () => {
    const bundle = makeDelivery([1_000, 2_000])
    await worker.client.upload(bundle)
    await replica(0).sql`delete from store.task where task = ${formatTaskId(taskId)}`
    expect((await worker.client.askReceipt(bundle.hash)).status).toBe(404)
    expect((await worker.client.upload(bundle)).status).toBe(201)
    expect((await worker.client.askReceipt(bundle.hash)).status).toBe(200)
  })

  test('the sweep removes old parts without a bundle, and never a part of a bundle', async () => {
    const bundle = makeDelivery([1_000])
    await worker.client.upload(bundle)
    const loose = randomBytes(1_000)
    const fresh = randomBytes(1_000)
    await worker.client.putPart(taskId, loose)
    await worker.client.putPart(taskId, fresh)
    await replica(0).sql`
      update store.part set touched_at = now() - interval '25 hours'
      where task = ${formatTaskId(taskId)} and sha256 <> ${sha256(fresh)}`
    expect((await replica(0).sweep()).parts).toBe(1)
    expect(await engine.objects.head(partKey(taskId, sha256(loose)))).toBeNull()
    expect(await engine.objects.head(partKey(taskId, sha256(fresh)))).toEqual({ size: 1_000 })
    expect((await worker.client.askReceipt(bundle.hash)).status).toBe(200)
  })

  test('everything of a task goes 180 days after its end, not earlier', async () => {
    const bundle = makeDelivery([1_000])
    const [name = ''] = bundle.parts.keys()
    await worker.client.upload(bundle)
    tasks.set(taskId, { poster: accounts.ada.address, worker: accounts.emeka.address, store, state: 'COMPLETED' })
    expect((await replica(0).sweep()).tasks).toBe(0)
    expect((await poster.client.getPart(taskId, name)).status).toBe(200)
    const age = (days: number) => replica(0).sql`
      update store.task set ended_at = now() - make_interval(days => ${days}) where task = ${formatTaskId(taskId)}`
    await age(179)
    expect((await replica(0).sweep()).tasks).toBe(0)
    await age(181)
    expect((await replica(0).sweep()).tasks).toBe(1)
    expect(await engine.objects.head(partKey(taskId, name))).toBeNull()
    expect((await poster.client.send('GET', `/v1/bundles/${bundle.hash}`)).status).toBe(404)
  })

  const replica = (index: number): TestStore => {
    const found = replicas[index]
    if (!found) throw new Error('The store is not running.')
    return found
  }
  const makeDelivery = (sizes: readonly number[]): TestBundle => {
    const { chainId, markets } = fakeDeployments
    const registry = markets[taskId.market].taskRegistry
    const readers = [{ reader: accounts.ada.address, key: poster.readingKey }]
    return makeBundle({ chainId, registry, taskId, author: accounts.emeka.address }, sizes, readers)
  }
  const countRows = async () =>
    (await replica(0).sql`select from store.part where task = ${formatTaskId(taskId)}`).length
})
