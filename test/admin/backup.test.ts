import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createSigningContext } from '@svc/chain'
import { accounts, publicKeys } from '@svc/devnet'
import { createBuild } from '@svc/index'
import { loadProfile, profilesSchema, saveProfile } from '@svc/profiles'
import { buildStorageReceiptTypedData, type TaskId } from '@svc/protocol'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import { buildProfileTypedData, checkProfile, encodeProfile } from '@svc/protocol/profile'
import { type BundleSubject, type SealedBundle, sealBundle } from '@svc/protocol/work'
import { limitsSchema, listKeptSchemas, migrateSchema } from '@svc/serve'
import {
  createMemoryPartCache,
  type DeviceKeys,
  fetchBundle,
  findReaders,
  issueReceipt,
  type StorageReceipt,
  uploadBundle,
} from '@svc/work'
import postgres, { type Sql } from 'postgres'
import { isHex, type LocalAccount, recoverTypedDataAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runAdmin } from '../../apps/admin/src/commands.ts'
import { postingSchema } from '../../apps/api/src/posting/posting.ts'
import { contactKeys, createContacts } from '../../apps/notifier/src/channels/contacts.ts'
import { migrateJobs } from '../../apps/notifier/src/jobs.ts'
import { notifySchema } from '../../apps/notifier/src/records/schema.ts'
import { createFolderStore } from '../../apps/store/src/objects/folderStore.ts'
import { storeSchema } from '../../apps/store/src/records/records.ts'
import { fakeDeployments } from '../conformance/fakeDeployments.ts'
import { type Cluster, startCluster } from '../harness/cluster.ts'
import { compileCache } from '../harness/env.ts'
import { startTestStore, testDomain } from '../harness/storeApp.ts'
import { connectKeys, createChecks, signInDevice } from '../store/devices.ts'
import { createFakeTasks } from '../store/fakeTasks.ts'

const run = promisify(execFile)
const notifyKey = `a:${Buffer.alloc(32, 7).toString('base64')}`
const email = { address: 'ada@market.example' }
const owner = { wallet: accounts.ada.address, channel: 'email' } as const
const [kept, removed] = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())]
const context = createSigningContext(fakeDeployments, 'micro')
const { chainId } = context
const checks = () => createChecks(chainId)
const taskId: TaskId = { market: 'micro', number: 1n }

let folder: string
let first: Cluster
let second: Cluster
let recipient: string
let devices: Record<'poster' | 'worker', DeviceKeys>
let sealed: Pick<SealedBundle, 'hash' | 'descriptor'>
let receipt: StorageReceipt
const said: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-'))
  first = await startCluster()
  second = await startCluster()
  await run('age-keygen', ['-o', join(folder, 'age.key')])
  recipient = /age1\w+/.exec(await readFile(join(folder, 'age.key'), 'utf8'))?.[0] ?? ''
  await mkdir(join(folder, 'clerk'))
  await writeFile(join(folder, 'clerk/reading.key'), 'the reading key')
  await writeFile(join(folder, 'store.key'), publicKeys.store)
  await writeFile(
    join(folder, 'notifier.env'),
    `SVC_NOTIFY_KEY=${notifyKey}\nSVC_STORE_KEY_FILE=${join(folder, 'store.key')}\nSVC_CLERK_FOLDER=${join(folder, 'clerk')}\n`,
  )
  await withSql(first.url, fill)
  await withStore(first, accounts.store, deliver)
})
afterAll(async () => {
  await first?.remove()
  await second?.remove()
  await rm(folder, { recursive: true })
})

/** Every kind of row that a market has, written by the code of its services. */
async function fill(sql: Sql): Promise<void> {
  for (const schema of [postingSchema, profilesSchema, storeSchema, notifySchema, limitsSchema])
    await migrateSchema(sql, schema)
  await migrateJobs(first.url)
  await createBuild(sql, 'a')
  for (const [signer, profile] of [
    [kept, 'Kept'],
    [removed, 'Removed'],
    [removed, null],
  ] as const) {
    const statement = {
      wallet: signer.address,
      domain: testDomain,
      chainId: 8453,
      issuedAt: profile ? 10 : 20,
      profile: profile ? encodeProfile({ displayName: profile }) : '',
    }
    const signature = await signer.signTypedData(buildProfileTypedData(statement))
    const options = { domains: [testDomain], chainId: 8453, now: 30, verifySignature: verifyKeySignature }
    await saveProfile(sql, await checkProfile({ ...statement, signature }, options))
  }
  const contacts = createContacts(contactKeys.parse(notifyKey))
  await sql`insert into notify.subscription (id, wallet, channel, target, target_key)
    values ('sub_1', ${owner.wallet}, 'email', ${contacts.encrypt(owner, email)}, ${contacts.hash('email', email.address)[0]})`
  await sql`insert into posting.post select 0, n, sha256(int8send(n)), 0, sha256(int8send(n)), decode(repeat('ab', 20), 'hex'), n, 1
    from generate_series(1, 500) n`
}

/** Starts a store over a cluster and the folder of parts, which an operator copies beside the rows. */
async function withStore(
  { url: databaseUrl }: Cluster,
  signer: LocalAccount,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const tasks = createFakeTasks()
  tasks.set(taskId, {
    poster: accounts.ada.address,
    worker: accounts.emeka.address,
    store: accounts.store.address,
  })
  const objects = createFolderStore(join(folder, 'work'))
  const service = { objects, databaseUrl, tasks, signer, deployments: fakeDeployments }
  const { url, stop } = await startTestStore({ ...service, verifySignature: verifyKeySignature })
  await work(url).finally(stop)
}

/** Delivers work, for which the store signs a receipt. */
async function deliver(url: string): Promise<void> {
  const [poster, worker] = [
    await signInDevice(url, accounts.ada, { chainId }),
    await signInDevice(url, accounts.emeka, { chainId }),
  ]
  devices = { poster: poster.keys, worker: worker.keys }
  const { savePart, readPart } = createMemoryPartCache()
  const readers = await findReaders(worker, [accounts.ada.address], checks())
  const subject: BundleSubject = {
    chainId,
    registry: context.taskRegistry,
    taskId,
    milestone: 0,
    revision: 0,
    kind: 'delivery',
    author: worker.keys.wallet,
  }
  const bundle = await sealBundle({ subject, text: 'The birds, counted', readers, savePart })
  await uploadBundle(worker, bundle, { readPart })
  sealed = bundle
  receipt = await issueReceipt(worker, bundle, { context, ...checks() })
}

async function withSql<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = postgres(url, { max: 2, fetch_types: false, onnotice: () => {} })
  return work(sql).finally(() => sql.end({ timeout: 1 }))
}

/** Runs `svc-admin` and returns its exit code. What it says is in `said`. */
function admin(...args: string[]): Promise<number> {
  said.length = 0
  const urls = { SVC_DATABASE_URL: first.url, SVC_DRILL_DATABASE_URL: second.url }
  const say = (text: string) => void said.push(text)
  return runAdmin(args, { environment: { ...compileCache.env(), ...urls }, print: say, warn: say })
}

const file = () => join(folder, 'market.backup')
const withKeys = () => ['--recipient', recipient, '--env-file', join(folder, 'notifier.env')]

test('a backup without the keys that its rows need is refused', async () => {
  expect(await admin('backup', file(), '--recipient', recipient)).toBe(1)
  expect(said.join()).toMatch(/SVC_STORE_KEY_FILE.*SVC_NOTIFY_KEY/)
  await expect(stat(file())).rejects.toThrow()
})

test('a schema that nobody declared is refused, and nothing is written', async () => {
  await withSql(first.url, (sql) => sql`create schema reviews`)
  expect(await admin('backup', file(), ...withKeys())).toBe(1)
  expect(said.join()).toContain('neither kept nor derived: reviews')
  await expect(stat(file())).rejects.toThrow()
  await withSql(first.url, (sql) => sql`drop schema reviews`)
})

test('what is backed up on one cluster is restored on another: rows, removals and keys', async () => {
  expect(await admin('backup', file(), ...withKeys()), said.join()).toBe(0)
  expect((await stat(file())).mode & 0o077).toBe(0)
  // Who finds the file learns which tables there are, and nothing that is in them.
  expect((await readFile(file())).includes(accounts.ada.address.slice(2))).toBe(false)
  expect(await admin('restore', file(), '--drill')).toBe(1)
  expect(said.join()).toContain('The backup is encrypted')
  const identity = ['--identity', join(folder, 'age.key'), '--keys-to', join(folder, 'restored')]
  expect(await admin('restore', file(), '--drill', ...identity), said.join()).toBe(0)
  expect(await admin('compare'), said.join()).toBe(0)

  const key = (await readFile(join(folder, 'restored/store.key'), 'utf8')).trim()
  if (!isHex(key)) throw new Error('Not a key.')
  const env = await readFile(join(folder, 'restored/notifier.env'), 'utf8')
  const contacts = createContacts(contactKeys.parse(/SVC_NOTIFY_KEY=(.*)/.exec(env)?.[1]))
  expect(await readFile(join(folder, 'restored/reading.key'), 'utf8')).toBe('the reading key')
  await withSql(second.url, async (sql) => {
    const names = await sql<
      { name: string }[]
    >`select nspname as name from pg_namespace where nspname !~ '^(pg_|info|public)'`
    expect(names.map(({ name }) => name).sort()).toEqual(listKeptSchemas().sort())
    expect((await loadProfile(sql, kept.address))?.profile.displayName).toBe('Kept')
    // The removal is a row: without it, the older statement could be published again.
    expect(await loadProfile(sql, removed.address)).toBeNull()
    expect(await sql`select from profiles.profile where profile = ''`).toHaveLength(1)
    const [subscription] = await sql<{ target: string }[]>`select target from notify.subscription`
    expect(contacts.decrypt(owner, subscription?.target ?? '')).toEqual(email)
    // Writers go on where the first one ended: sequences are part of it.
    await migrateSchema(sql, notifySchema)
  })
  // The receipt of the lost store is one of the restored store, which holds what it is about, and signs for it again.
  const signer = privateKeyToAccount(key)
  const { taskId: of, milestone, revision, author } = sealed.descriptor
  const typedData = buildStorageReceiptTypedData(context, {
    taskId: of.number,
    milestone: BigInt(milestone),
    revision: BigInt(revision),
    worker: author,
    proofHash: sealed.hash,
    size: receipt.size,
    until: receipt.until,
  })
  expect(await recoverTypedDataAddress({ ...typedData, signature: receipt.signature })).toBe(signer.address)
  await withStore(second, signer, async (url) => {
    const poster = connectKeys(url, devices.poster)
    const opened = await fetchBundle(
      { ...poster, keys: devices.poster },
      {
        ...sealed.descriptor,
        hash: sealed.hash,
      },
    )
    expect(opened.manifest.text).toBe('The birds, counted')
    const again = await issueReceipt(connectKeys(url, devices.worker), sealed, { context, ...checks() })
    expect(again.size).toBe(receipt.size)
  })
  await withSql(first.url, async (sql) => {
    expect(await sql`select name from operations.mark order by name`).toEqual([{ name: 'backup' }, { name: 'drill' }])
  })
})

test('a database that is not empty is refused, and a changed row is named', async () => {
  expect(await admin('restore', file(), '--drill')).toBe(1)
  expect(said.join()).toMatch(/has rows. Restore into an empty database/)
  await withSql(second.url, (sql) => sql`delete from posting.post where task = 7`)
  expect(await admin('compare')).toBe(1)
  expect(said.join().split('\n')).toContain('posting.post: 500 rows, and 499')
})
