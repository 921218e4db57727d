import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, glob, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import postgres from 'postgres'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Readiness } from '../../apps/api/src/health.ts'
import { type LiveChain, startLiveChain } from '../../chaos/shared/liveChain.ts'
import { type Cluster, startCluster } from '../harness/cluster.ts'
import { findFreePorts } from '../harness/freePorts.ts'
import { createTestDatabaseIn } from '../harness/postgres.ts'
import { listSecrets, readCompose } from './compose.ts'
import { buildImage, type Image } from './image.ts'
import { listMissingSeries, readSamples } from './scrape.ts'

const run = promisify(execFile)
const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const { services } = readCompose()
const uid = 1000
const asUser = userInfo().uid === 0 ? { uid, gid: uid } : {}
const passwords = new Map(
  ['indexer.env', 'api.env', 'store.env', 'notifier.env', 'postgres'].map((name) => [
    name,
    randomBytes(24).toString('hex'),
  ]),
)

const serviceNames = ['indexer-1', 'api-1', 'keeper', 'store', 'notifier', 'clerk', 'watcher']
let folder: string
let chain: LiveChain
let cluster: Cluster
let image: Image
const started = new Map<string, ChildProcess>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'image-'))
  await chmod(folder, 0o755)
  chain = await startLiveChain(1, 60)
  cluster = await startCluster(['password_encryption=md5'])
  image = await buildImage({ folder, deployments: chain.deployments, uid })
  for (const name of serviceNames) {
    await mkdir(getSecretsFolder(name), { recursive: true })
    for (const { source, path } of listSecrets(named(name)))
      await writeFile(join(getSecretsFolder(name), basename(path)), await filledIn(source))
  }
})
afterAll(async () => {
  for (const child of started.values()) child.kill('SIGKILL')
  await chain?.close()
  await cluster?.remove()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** Returns a service of compose.yaml. */
function named(name: string) {
  const service = services[name]
  if (!service?.build) throw new Error(`${name} is not a service that is built here.`)
  return service
}

/** The folder where the secrets of a service are mounted. */
const getSecretsFolder = (name: string) => join(folder, 'secrets', name)

/** Fills in an example secret as an operator would. */
async function filledIn(name: string): Promise<string> {
  const text = await readFile(`${deploy}secrets.example/${name}`, 'utf8')
  const { host } = new URL(cluster.url)
  return text
    .replace('PASSWORD', passwords.get(name) ?? '')
    .replace('KEY', makeKey(name).slice(2))
    .replace('SVC_STORE_CLERK=', `SVC_STORE_CLERK=${privateKeyToAddress(makeKey('clerk.key'))}`)
    .replace(/(?<=^SVC_STORE_ADDRESS=).*$/m, privateKeyToAddress(makeKey('store.key')))
    .replace(/(?<=^SVC_STORE_FOLDER=).*$/m, image.data)
    .replace('@postgres:5432', `@${host}`)
    .replace(/(?<=^CHAIN_RPC_URL=).*$/m, chain.urls)
}

/** Starts a service as compose would, but on another port. */
function start(name: string, port: Record<string, string>, flags: string[] = []): ChildProcess {
  const { command, environment } = named(name)
  const [program = '', ...words] = [...image.toCommand(command, getSecretsFolder(name)), ...flags]
  return spawn(program, words, {
    cwd: image.app,
    env: { ...image.env, ...environment, ...port },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...asUser,
  })
}

/** A private key for each file of one. */
const makeKey = (file: string): Hex => `0x${file.charCodeAt(0).toString(16).repeat(32)}`

/** The path of a key outside of the container. */
const locateKey = (name: string): Record<string, string> =>
  ['keeper', 'store', 'clerk'].includes(name)
    ? { [`SVC_${name.toUpperCase()}_KEY_FILE`]: join(getSecretsFolder(name), `${name}.key`) }
    : {}

/** Waits until a condition of a running program holds. The time limit only ends what hangs. */
async function until(child: ChildProcess, holds: () => Promise<boolean>): Promise<void> {
  let said = ''
  for (const output of [child.stdout, child.stderr]) {
    output?.on('data', (text) => {
      said = `${said}${text}`.slice(-4_000)
    })
  }
  for (const end = Date.now() + 240_000; !(await holds().catch(() => false)); await wait(50))
    if (Date.now() > end || child.exitCode !== null) throw new Error(`The condition was not met. Output:\n${said}`)
}

test('the example secrets are complete', async () => {
  for (const service of serviceNames) {
    const child = start(service, locateKey(service), ['--check-config'])
    let said = ''
    child.stderr?.on('data', (text) => {
      said += text
    })
    const [code] = await once(child, 'close')
    expect(code, `${service}: ${said}`).toBe(0)
  }
})

test('the image contains the site, and no test, secret, compiler or tool of the build', async () => {
  const { app, env } = image
  expect(await readdir(app)).toContain('site')
  expect(await readdir(join(app, 'apps'))).not.toContain('site')
  for await (const path of glob('**', { cwd: app, exclude: (name) => name.endsWith('node_modules') }))
    expect(path).not.toMatch(/\.test\.ts$|secret|\.env/)
  const theirs = await readdir(join(app, 'node_modules/.pnpm'))
  expect(theirs.filter((name) => /^(?:vite|typescript|@foundry-rs)/.test(name))).toEqual([])
  expect(await readdir(env.NODE_COMPILE_CACHE ?? '')).not.toEqual([])
})

test('services started like in compose become ready, each with an unprivileged user and role', async () => {
  const database = await createTestDatabaseIn(cluster.url, 'market')
  const roles = join(folder, 'postgres.sql')
  const sources = Object.fromEntries(
    ['indexer', 'api', 'store', 'notifier'].map((name) => [
      `${name}.env`,
      join(getSecretsFolder(serviceNames.find((each) => each.startsWith(name)) ?? ''), 'settings.env'),
    ]),
  )
  const statements = (await readFile(`${deploy}postgres.sql`, 'utf8')).replaceAll(
    /\/run\/secrets\/([a-z.]+)/g,
    (_, name) => sources[name] ?? '',
  )
  await writeFile(roles, statements)
  await run('psql', ['-v', 'ON_ERROR_STOP=1', '--no-psqlrc', '-f', roles, database.url])

  const [indexPort = 0, sitePort = 0, keeperPort = 0, storePort = 0, clerkPort = 0, notifyPort = 0, watchPort = 0] =
    await findFreePorts(7)
  const indexer = start('indexer-1', { SVC_INDEX_PORT: String(indexPort) })
  started.set('indexer', indexer)
  await until(indexer, async () => (await fetch(`http://127.0.0.1:${indexPort}/readyz`)).status === 200)
  const api = start('api-1', { SVC_SITE_PORT: String(sitePort) })
  started.set('api', api)
  const site = `http://127.0.0.1:${sitePort}`
  await until(api, async () => {
    const { ready, behind } = (await (await fetch(`${site}/readyz`)).json()) as Readiness
    return ready && behind.length === 0
  })
  const keeper = start('keeper', { SVC_KEEPER_PORT: String(keeperPort), ...locateKey('keeper') })
  started.set('keeper', keeper)
  await until(keeper, async () => (await fetch(`http://127.0.0.1:${keeperPort}/healthz`)).status === 200)
  const storeUrl = `http://127.0.0.1:${storePort}`
  const store = start('store', { SVC_STORE_PORT: String(storePort), SVC_DRAIN_MS: '0', ...locateKey('store') })
  started.set('store', store)
  await until(store, async () => (await fetch(`${storeUrl}/readyz`)).status === 200)
  const clerk = start('clerk', { SVC_CLERK_PORT: String(clerkPort), SVC_STORE_URL: storeUrl, ...locateKey('clerk') })
  started.set('clerk', clerk)
  // Ready means that the store named it, and that it signed in there with a reading key of its own.
  await until(clerk, async () => (await fetch(`http://127.0.0.1:${clerkPort}/readyz`)).status === 200)
  const notifier = start('notifier', { SVC_NOTIFY_PORT: String(notifyPort), SVC_DRAIN_MS: '0' })
  started.set('notifier', notifier)
  // It has followed: its role can read the index and write its own schemas.
  await until(notifier, async () => {
    const { behindSeconds } = (await (await fetch(`http://127.0.0.1:${notifyPort}/readyz`)).json()) as {
      behindSeconds: number | null
    }
    return behindSeconds !== null
  })
  const watcher = start('watcher', { SVC_WATCH_PORT: String(watchPort) })
  started.set('watcher', watcher)
  await until(watcher, async () => (await fetch(`http://127.0.0.1:${watchPort}/healthz`)).status === 200)
  expect((await fetch(`${site}/api/market/open`)).headers.get('x-read-path')).toBe('index')
  const quota = await fetch(`${site}/api/posting/quota?address=0x00000000000000000000000000000000000000aA`)
  expect(quota.status).toBe(200)
  const page = await fetch(site, { headers: { accept: 'text/html' } })
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<script')])
  if (asUser.uid) expect(await readFile(`/proc/${api.pid}/status`, 'utf8')).toMatch(/^Uid:\s+1000\s+1000/m)

  const sql = postgres(database.url, { max: 1, onnotice: () => {} })
  for (const [role, file] of [
    ['svc_index', 'indexer.env'],
    ['svc_api', 'api.env'],
    ['svc_store', 'store.env'],
    ['svc_notifier', 'notifier.env'],
  ] as const) {
    const [row] = await sql`select rolpassword, rolsuper, rolcreaterole from pg_authid where rolname = ${role}`
    const hash = createHash('md5')
      .update(`${passwords.get(file)}${role}`)
      .digest('hex')
    expect(row).toEqual({ rolpassword: `md5${hash}`, rolsuper: false, rolcreaterole: false })
  }
  await sql`set role svc_api`
  for (const statement of [
    'delete from market.task',
    'delete from index_a.task',
    'drop schema market cascade',
    'create table market.mine ()',
  ])
    await expect(sql.unsafe(statement)).rejects.toThrow(/permission denied|must be owner/)
  await sql`reset role`
  for (const role of ['svc_api', 'svc_notifier']) {
    await sql`set role ${sql(role)}`
    await expect.poll(() => sql`select from profiles.profile`.then(({ count }) => count)).toBe(0)
    await sql`reset role`
  }
  await sql`set role svc_store`
  for (const statement of ['delete from market.task', 'drop schema posting cascade'])
    await expect(sql.unsafe(statement)).rejects.toThrow(/permission denied|must be owner/)
  await sql.end()

  const figures = (
    await Promise.all(
      [indexPort, sitePort, keeperPort, storePort, clerkPort, notifyPort, watchPort].map(async (port) =>
        (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
      ),
    )
  ).join('')
  // Only the market in one process has parts.
  expect(listMissingSeries([...readSamples(figures).keys()])).toEqual(['SvcPartFails: svc_part_restarts_total'])

  for (const [name, child, port] of [
    ['indexer-1', indexer, indexPort],
    ['api-1', api, sitePort],
    ['keeper', keeper, keeperPort],
    ['clerk', clerk, clerkPort],
    ['store', store, storePort],
    ['notifier', notifier, notifyPort],
    ['watcher', watcher, watchPort],
  ] as const) {
    const [, ...test] = named(name).healthcheck?.test ?? []
    const [program = '', ...words] = image
      .toCommand(test, getSecretsFolder(name))
      .map((word) => word.replace(/(?<=127\.0\.0\.1:)\d+/, String(port)))
    const check = () => run(program, words, { cwd: image.app, env: {}, ...asUser })
    await check()
    const gone = once(child, 'close')
    child.kill('SIGTERM')
    expect((await gone)[0], name).toBe(0)
    await expect(check()).rejects.toMatchObject({ code: 1 })
  }
})
