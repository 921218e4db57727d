import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { request as startRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createSigningContext, saveDeployments } from '@svc/chain'
import {
  accounts,
  createScene,
  type Devnet,
  publicKeys,
  sendActivation,
  sendClaim,
  sendPost,
  sendTopUp,
  setUpMarkets,
  startDevnet,
} from '@svc/devnet'
import { formatTaskId, type TaskId } from '@svc/protocol'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import { createReadingKey, encryptKeyBackup, type SealedBundle, sealBundle } from '@svc/protocol/work'
import {
  createMemoryPartCache,
  createTalk,
  type DeviceKeys,
  ensureKeys,
  fetchBundle,
  findReaders,
  grantBundle,
  issueReceipt,
  openMailbox,
  type StoreConnection,
  uploadBundle,
} from '@svc/work'
import postgres, { type Sql } from 'postgres'
import { getAddress, type LocalAccount, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AppProcess, startAppProcess } from '../../chaos/shared/appProcess.ts'
import { findFreePort } from '../harness/freePorts.ts'
import { createTestDatabase, type TestDatabase } from '../harness/postgres.ts'
import { testDomain } from '../harness/storeApp.ts'
import {
  connectKeys,
  createChecks,
  createMemoryKeyStore,
  createSignInOptions,
  getNow,
  type SignedInDevice,
} from './devices.ts'
import { type EngineFault, startFaultyS3 } from './faultyS3.ts'
import { findWords, type PlantedWords, type Surface } from './findWords.ts'
import { startMemoryS3 } from './memoryS3.ts'

// The store never sees plaintext or a key, and must not show a session or a secret of its own. Words are planted in all of them,
// the real process is driven through successes, refusals, faults and a crash at its most verbose level, and then everything that
// it wrote is searched.

const { ada, emeka, hana } = accounts
const chainId = 8453
const plant = (name: string) => `planted-${name}-${randomBytes(12).toString('hex')}`
const looseBytes = 100_000

let devnet: Devnet
let deployments: string
let taskId: TaskId
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'planted-'))
  devnet = await startDevnet({ genesisTime: getNow() - 86_400 })
  await setUpMarkets(devnet.client, devnet.deployments)
  deployments = join(folder, 'deployments.json')
  await saveDeployments(deployments, devnet.deployments)
  const scene = createScene(devnet.client, devnet.deployments, 'micro')
  for (const person of [ada, emeka]) await sendTopUp(scene, person, parseUnits('400', 6))
  const job = await sendPost(scene, {
    poster: ada,
    text: 'A task with a store\n\nDeliver files.',
    amounts: [parseUnits('100', 18)],
    duration: scene.params.minDuration,
    store: accounts.store.address,
  })
  await sendClaim(scene, job, emeka)
  await sendActivation(scene, job)
  taskId = { market: 'micro', number: job.id }
})
afterAll(async () => {
  await devnet?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Where the parts are, and how an upload fails there. */
interface Objects {
  env: Record<string, string>
  words: PlantedWords
  fail: (fault: EngineFault | null) => Promise<void>
  /** Makes what a crash left look old. */
  ageLeftovers: () => Promise<void>
  list: () => Promise<Surface[]>
  stop: () => Promise<void>
}

const engines: Record<'folder' | 's3', () => Promise<Objects>> = {
  folder: async () => {
    const root = join(folder, 'work')
    const blocked = join(root, taskId.market, String(taskId.number))
    return {
      env: { SVC_STORE_FOLDER: root },
      words: {},
      // A file where the folder of the task should be: root may write anywhere, so permissions would not fail.
      async fail(fault) {
        await rm(blocked, { recursive: true, force: true })
        await mkdir(dirname(blocked), { recursive: true })
        if (fault) await writeFile(blocked, '')
      },
      async ageLeftovers() {
        const incoming = join(root, '.incoming')
        const old = getNow() - 7_200
        for (const name of await readdir(incoming)) await utimes(join(incoming, name), old, old)
      },
      async list() {
        const entries = await readdir(root, { recursive: true, withFileTypes: true })
        return Promise.all(
          entries
            .filter((entry) => entry.isFile())
            .map(async ({ parentPath, name }) => ({
              place: `file ${name}`,
              bytes: Buffer.concat([Buffer.from(`${parentPath}/${name}\n`), await readFile(join(parentPath, name))]),
            })),
        )
      },
      stop: () => rm(root, { recursive: true, force: true }),
    }
  },
  s3: async () => {
    const s3 = await startMemoryS3()
    const proxy = await startFaultyS3(s3.url)
    const [secret, token] = [plant('s3-secret'), plant('s3-session-token')]
    return {
      env: {
        SVC_STORE_S3_URL: proxy.url,
        SVC_STORE_S3_KEY_ID: 'planted',
        SVC_STORE_S3_SECRET: secret,
        SVC_STORE_S3_SESSION_TOKEN: token,
      },
      words: { 'secret of S3': secret, 'session token of S3': token },
      fail: async (fault) => proxy.fail(fault),
      ageLeftovers: async () => {},
      list: async () =>
        [...s3.objects].map(([key, bytes]) => ({
          place: `object ${key}`,
          bytes: Buffer.concat([Buffer.from(`${key}\n`), bytes]),
        })),
      stop: async () => {
        await proxy.stop()
        await s3.stop()
      },
    }
  },
}

test('the search finds a word in every encoding', async () => {
  const word = plant('leak')
  for (const bytes of [
    Buffer.from(word),
    Buffer.from(`xx${Buffer.from(`x${word}`).toString('base64')}`),
    Buffer.from(Buffer.from(`xx${word}y`).toString('base64url')),
    Buffer.from(Buffer.from(word).toString('hex').toUpperCase()),
    Buffer.from(word, 'utf16le'),
  ]) {
    expect(findWords({ word }, [{ place: 'here', bytes }])).not.toEqual([])
  }
  const raw = Buffer.concat([randomBytes(50), Buffer.from(publicKeys.store.slice(2), 'hex'), randomBytes(50)])
  expect(findWords({ key: publicKeys.store }, [{ place: 'a row', bytes: raw }])).toEqual(['key as raw bytes in a row'])
})

describe.each(['folder', 's3'] as const)('with parts in %s', (engineName) => {
  let objects: Objects
  let database: TestDatabase
  let sql: Sql
  let url: string
  let env: Record<string, string>
  let words: Record<string, string>
  const runs: AppProcess[] = []
  const answers: Surface[] = []

  beforeAll(async () => {
    objects = await engines[engineName]()
    database = await createTestDatabase()
    sql = postgres(database.url, { max: 2, onnotice: () => {} })
    const port = await findFreePort()
    url = `http://127.0.0.1:${port}`
    const [password, rpcKey] = [plant('database-password'), plant('provider-key')]
    const databaseUrl = new URL(database.url)
    databaseUrl.password = password
    env = {
      ...objects.env,
      // Nothing listens at the first one, so every read tries the next.
      CHAIN_RPC_URL: `http://127.0.0.1:1/${rpcKey},${devnet.rpcUrl}/?key=${rpcKey}`,
      SVC_DEPLOYMENTS: deployments,
      SVC_DATABASE_URL: databaseUrl.href,
      SVC_STORE_KEY: publicKeys.store,
      SVC_STORE_DOMAINS: testDomain,
      SVC_STORE_PORT: String(port),
      SVC_STORE_SWEEP_SECONDS: '1',
      SVC_LOG_LEVEL: 'trace',
      SVC_DRAIN_MS: '0',
    }
    words = {
      ...objects.words,
      'password of the database': password,
      'key of the provider': rpcKey,
      "store's signing key": publicKeys.store,
      text: plant('text'),
      link: plant('link'),
      'file name': plant('name'),
      content: plant('content'),
      passphrase: plant('passphrase'),
      question: plant('question'),
      answer: plant('answer'),
      application: plant('application'),
      'refused session': randomBytes(32).toString('base64url'),
      'refused content': plant('refused'),
    }
    await start()
  })
  afterAll(async () => {
    for (const each of runs) each.kill('SIGKILL')
    await Promise.all(runs.map(({ exited }) => exited))
    await sql?.end({ timeout: 1 })
    await objects?.stop()
    await database?.drop()
  })

  test('no planted word is in the log, the metrics, the answers, the database or the objects', async () => {
    const [poster, worker] = [await connect('poster', ada), await connect('worker', emeka)]
    await poster.getVault()
    await poster.putVault(await makeBackup(poster))
    await breakObjects(worker)
    const sealed = await deliver(worker)
    const expected = { ...subject(), hash: sealed.hash }
    const opened = await fetchBundle(poster, expected)
    expect(opened.manifest.text).toContain(words.text)
    const { key } = await createReadingKey()
    await grantBundle(poster, sealed.hash, opened, [{ reader: hana.address, key }])
    await talkAboutIt(poster, worker)
    await refuse(worker, sealed)
    await breakDatabase(poster, worker)
    await sweepLooseParts(worker)
    await crash(worker)
    expect((await fetchBundle(poster, expected)).manifest).toEqual(opened.manifest)
    const surfaces = await collect()
    // Everything was driven: otherwise an empty log would prove nothing.
    const log = surfaces.find(({ place }) => place === 'log')?.bytes.toString() ?? ''
    for (const status of [200, 201, 401, 403, 404, 413, 422, 500, 503]) expect(log).toContain(`"status":${status}`)
    for (const message of ['fault', 'OBJECTS_UNREACHABLE', 'swept']) expect(log).toContain(`"msg":"${message}"`)
    expect(surfaces.map(({ place }) => place)).toEqual(
      expect.arrayContaining([
        'metrics',
        'table store.vault',
        'table store.bundle',
        'table store.later_grant',
        'table store.mail',
      ]),
    )
    expect(findWords(words, surfaces)).toEqual([])
  })

  test('a leak in any of these places is found', async () => {
    // A request id is logged, a row is a row, and a part that is not sealed is an object.
    const word = plant('leak')
    const worker = await connect('leaking worker', emeka)
    await fetch(`${url}/v1/store`, { headers: { 'x-request-id': word } })
    await sql`insert into store.vault (wallet, file) values ('leak', ${Buffer.from(word)})`
    const cache = createMemoryPartCache()
    const open = await sealBundle({ subject: subject(), text: word, readers: null, savePart: cache.savePart })
    await uploadBundle(worker, open, { readPart: cache.readPart })
    const places = findWords({ word }, await collect()).map((found) => found.replace(/ in (\w+).*/, ' in $1'))
    const object = engineName === 'folder' ? 'file' : 'object'
    expect(new Set(places)).toEqual(
      new Set(['word as text in log', 'word as text in table', `word as text in ${object}`]),
    )
  })

  const subject = () => ({
    kind: 'delivery' as const,
    chainId,
    registry: devnet.deployments.markets.micro.taskRegistry,
    taskId,
    milestone: 0,
    revision: 0,
    author: emeka.address,
  })
  const partPath = (sha256: string) => `/v1/tasks/${formatTaskId(taskId)}/parts/${sha256}`

  async function start(): Promise<void> {
    const program = startAppProcess('store', env)
    runs.push(program)
    await program.waitForLog('listening')
  }

  /** Connects a wallet. Its keys and every session become planted words, and every answer but a session's is searched. */
  async function connect(name: string, account: LocalAccount): Promise<SignedInDevice> {
    const keys = await ensureKeys(createSignInOptions(account, createMemoryKeyStore(), chainId))
    words[`${name}'s reading identity`] = keys.readingIdentity
    words[`${name}'s device key`] = keys.devicePrivateKey
    let sessions = 0
    const store = connectKeys(url, keys, async (request) => {
      const token = request.headers.get('authorization')?.replace('Bearer ', '')
      if (token && !Object.values(words).includes(token)) words[`${name}'s session ${++sessions}`] = token
      const response = await fetch(request)
      if (!request.url.endsWith('/v1/sessions')) await record(response)
      return response
    })
    return { ...store, keys }
  }

  function makeBackup({ keys }: { keys: DeviceKeys }): Promise<string> {
    const { statement: _, formerIdentities: __, ...backup } = keys
    return encryptKeyBackup(backup, words.passphrase ?? '', { workFactor: 8 })
  }

  async function record(response: Response): Promise<Response> {
    const bytes = Buffer.from(await response.clone().bytes())
    const headers = Buffer.from(JSON.stringify([...response.headers]))
    answers.push({ place: `answer to ${response.url}`, bytes: Buffer.concat([headers, bytes]) })
    return response
  }

  async function deliver(worker: StoreConnection): Promise<SealedBundle> {
    const { savePart, readPart } = createMemoryPartCache()
    const content = Buffer.alloc(300_000, words.content)
    const sealed = await sealBundle({
      subject: subject(),
      text: `Done: ${words.text}`,
      links: [`https://files.example/${words.link}`],
      files: [
        { name: `${words['file name']}.txt`, type: 'text/plain', open: () => new Blob([content]).stream() },
        { name: 'key.txt', type: 'text/plain', open: () => new Blob([words.passphrase ?? '']).stream() },
      ],
      readers: await findReaders(worker, [ada.address], createChecks(chainId)),
      savePart,
    })
    if (sealed.identity) words["bundle's identity"] = sealed.identity
    await uploadBundle(worker, sealed, { readPart })
    const context = createSigningContext(devnet.deployments, 'micro')
    await issueReceipt(worker, sealed, { context, verifySignature: verifyKeySignature, now: getNow() })
    return sealed
  }

  /** A thread over mailboxes: a question, an answer and an application. */
  async function talkAboutIt(poster: SignedInDevice, worker: SignedInDevice): Promise<void> {
    const open = (store: SignedInDevice) =>
      createTalk(openMailbox({ store, checks: createChecks(chainId), now: getNow }))
    const [asking, answering] = [open(worker), open(poster)]
    const about = {
      chainId,
      taskRegistry: getAddress(devnet.deployments.markets.micro.taskRegistry),
      taskId: formatTaskId(taskId),
      poster: ada.address,
      other: emeka.address,
    }
    const shared = { sharesTask: true }
    await asking.write(about, 'Question', { text: words.question ?? '' }, shared)
    await answering.mailbox.sync()
    const [found] = await answering.listThreads()
    const [asked] = found?.status.open ?? []
    await answering.write(about, 'Answer', { text: words.answer ?? '', answers: asked?.hash ?? '0x' }, shared)
    const { thread } = await asking.write(about, 'Application', { claims: [words.application ?? ''] }, shared)
    expect(thread.messages).toHaveLength(3)
    const stolen = { to: ada.address, id: `0x${'ab'.repeat(32)}`, sealed: words.question ?? '' }
    await expect(worker.calls.postMail(stolen)).rejects.toMatchObject({ status: 400 })
  }

  /** Sends a request that must be answered with one of the statuses. */
  async function expectStatus(
    statuses: readonly number[],
    method: string,
    path: string,
    init: {
      token?: string | undefined
      body?: string | Uint8Array<ArrayBuffer>
      headers?: Record<string, string>
    } = {},
  ): Promise<void> {
    const headers = { ...init.headers, ...(init.token && { authorization: `Bearer ${init.token}` }) }
    const answer = await record(
      await fetch(`${url}${path}`, { method, headers, ...(init.body && { body: init.body }) }),
    )
    expect([`${method} ${path}`, statuses]).toEqual([`${method} ${path}`, expect.arrayContaining([answer.status])])
  }

  /** Requests that are refused, with planted words wherever a client can put text. */
  async function refuse(worker: StoreConnection, { hash, bytes }: SealedBundle): Promise<void> {
    const token = words["worker's session 1"]
    const {
      content = '',
      text = '',
      passphrase = '',
      'refused content': refused = '',
      'refused session': wrong,
    } = words
    const identity = words["worker's reading identity"] ?? ''
    const name = randomBytes(32).toString('hex')
    await expectStatus([401], 'GET', `/v1/bundles/${hash}`)
    await expectStatus([401], 'GET', `/v1/bundles/${hash}`, { token: wrong })
    await expectStatus([401], 'PUT', '/v1/vault', { token: `${identity}`, body: passphrase })
    await expectStatus([401], 'GET', `/v1/vault?token=${token}`)
    await expectStatus([404], 'GET', '/v1/vault', { token })
    await expectStatus([422], 'PUT', partPath(name), { token, body: refused })
    await expectStatus([422], 'PUT', `/v1/bundles/${hash}`, { token, body: content })
    await expectStatus([422], 'PUT', `/v1/bundles/0x${name}`, { token, body: new Uint8Array(bytes) })
    await expectStatus([404], 'GET', partPath(name), { token, headers: { range: `bytes=${text}` } })
    await expectStatus([404], 'GET', `/v1/bundles/0x${name}`, { token, headers: { 'if-none-match': `"${text}"` } })
    await expectStatus([404], 'GET', `/v1/${token}/${encodeURIComponent(content)}`, { token })
    await expectStatus([413], 'PUT', '/v1/vault', { token, body: passphrase.repeat(1_000) })
    const json = { 'content-type': 'application/json' }
    for (const body of [
      `{"message":"${identity}`,
      JSON.stringify({ message: identity, signature: passphrase, proof: text }),
    ]) {
      await expectStatus([400, 422], 'POST', '/v1/sessions', { headers: json, body })
    }
    const stranger = await connect('stranger', hana)
    await expect(stranger.getBundle(hash)).rejects.toMatchObject({ status: 403 })
    await expect(
      stranger.calls.putGrant({ version: 1, bundle: hash, reader: hana.address, key: identity, file: content }),
    ).rejects.toThrow()
    expect(await worker.getVault()).toBeNull()
  }

  async function breakObjects(worker: StoreConnection): Promise<void> {
    await objects.fail('cut')
    await expect(deliver(worker)).rejects.toMatchObject({ status: 503 })
    await objects.fail(null)
  }

  /** A fault of our own (a missing column) and a database that refuses connections. */
  async function breakDatabase(poster: SignedInDevice, worker: StoreConnection): Promise<void> {
    await sql`alter table store.vault rename column file to gone`
    await expect(poster.putVault(await makeBackup(poster))).rejects.toMatchObject({ status: 500 })
    await expectStatus([500], 'GET', '/v1/vault', { token: words["worker's session 1"] })
    await sql`alter table store.vault rename column gone to file`
    const name = new URL(database.url).pathname.slice(1)
    const admin = postgres(database.url.replace(name, 'postgres'), { max: 1, onnotice: () => {} })
    await admin.unsafe(`alter database ${name} with allow_connections false`)
    await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`
    await expectStatus([503], 'PUT', '/v1/vault', { token: words["poster's session 1"], body: 'x' })
    await admin.unsafe(`alter database ${name} with allow_connections true`)
    await admin.end()
    await expect.poll(() => worker.getVault().catch(() => 'down')).toBeNull()
  }

  async function sweepLooseParts(worker: StoreConnection): Promise<void> {
    const bytes = new Uint8Array(randomBytes(looseBytes))
    const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex')
    await worker.putPart(taskId, { sha256, size: bytes.length }, bytes)
    await sql`update store.part set touched_at = now() - interval '25 hours' where sha256 = ${sha256}`
    await runs.at(-1)?.waitForLog('swept')
  }

  /** Kills the process in the middle of a part, and starts it again. */
  async function crash(worker: StoreConnection): Promise<void> {
    const token = words["worker's session 1"]
    const [first, size] = [Buffer.alloc(500_000, words['refused content']), 1_000_000]
    const upload = startRequest(`${url}${partPath('a'.repeat(64))}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-length': size },
    })
    upload.on('error', () => {})
    upload.write(first)
    await expect.poll(async () => (await sql`select from store.part where size = ${size}`).length).toBe(1)
    const program = runs.at(-1)
    await program?.kill('SIGKILL')
    await objects.ageLeftovers()
    await start()
    await expect.poll(async () => findWords(words, await objects.list())).toEqual([])
    await expect.poll(() => worker.getVault().catch(() => 'down')).toBeNull()
  }

  /** Reads everything that the store wrote so far. */
  async function collect(): Promise<Surface[]> {
    const metrics = Buffer.from(await (await fetch(`${url}/metrics`)).bytes())
    // Lines are written in order: once this one is there, so are all before.
    const last = `last-${randomBytes(8).toString('hex')}`
    await fetch(`${url}/v1/store`, { headers: { 'x-request-id': last } })
    await runs.at(-1)?.waitForLog(last, (lines) => lines.some(({ id }) => id === last))
    const tables = await sql<{ schema: string; name: string }[]>`
      select table_schema as schema, table_name as name from information_schema.tables
      where table_schema not in ('pg_catalog', 'information_schema')`
    const rows = await Promise.all(
      tables.map(async ({ schema, name }) => {
        const found = await sql<Record<string, unknown>[]>`select * from ${sql(schema)}.${sql(name)}`
        const values = found.flatMap((row) => Object.values(row))
        const bytes = values.map((value) => (Buffer.isBuffer(value) ? value : Buffer.from(`${value}\n`)))
        return { place: `table ${schema}.${name}`, bytes: Buffer.concat(bytes) }
      }),
    )
    const log = runs.flatMap(({ lines, stderr }) => [...lines.map((line) => JSON.stringify(line)), stderr()])
    return [
      { place: 'log', bytes: Buffer.from(log.join('\n')) },
      { place: 'metrics', bytes: metrics },
      ...answers,
      ...rows,
      ...(await objects.list()),
    ]
  }
})
