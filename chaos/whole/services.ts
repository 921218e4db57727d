import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveDeployments } from '@svc/chain'
import { publicKeys } from '@svc/devnet'
import { createRandom } from '@svc/simulation/random'
import postgres, { type Sql } from 'postgres'
import type { LocalAccount } from 'viem'
import { startCluster } from '../../test/harness/cluster.ts'
import { findFreePort } from '../../test/harness/freePorts.ts'
import { type LogLine, startAppProcess } from '../shared/appProcess.ts'
import { fetchClientAnswer, noLimits, waitUntil } from '../shared/replica.ts'
import type { ObservedIndexer } from './describeIndex.ts'
import { type FaultyProvider, type ProviderFaultKind, startFaultyProvider } from './faultyProvider.ts'
import type { PlannedChain } from './plannedChain.ts'
import type { Tally } from './tally.ts'

/** The services that can be killed. */
export type ServiceName = 'indexer' | 'api 1' | 'api 2' | 'gateway' | 'keeper' | 'store'

/** Everything beside the chain, each as its own process: an indexer, two API replicas, a gateway, a store, Postgres, and a keeper if some runs are left to it. */
export interface Services {
  names: readonly ServiceName[]
  apiUrls: readonly string[]
  gatewayUrl: string
  /** Providers that fail or lag but never return wrong state: readers of state trust a single provider. */
  rpcUrls: readonly string[]
  stateFile: string
  sql: Sql
  indexer: ObservedIndexer
  /** Kills a service as a crash does and starts it again. Resolves when it runs. */
  kill: (name: ServiceName) => Promise<void>
  killDatabase: () => Promise<void>
  store: StoreProcess
  /** Turns the faults of all providers off or on. */
  setHonest: (honest: boolean) => void
  /** Sets the database's clock, in unix seconds. */
  setClock: (now: number) => Promise<void>
  /** Records services that ended by themselves, and every error line in their logs. */
  checkLogs: () => void
  close: () => Promise<void>
}

/** The store, whose parts are in a folder. */
export interface StoreProcess {
  url: string
  /** The domain that statements name. */
  domain: string
  folder: string
  /** Its clock, in unix seconds: it begins with the chain's and never jumps. */
  getTime: () => number
  /** Takes the folder away for a moment, as a disk that is unplugged. */
  killFolder: () => Promise<void>
}

const transientFaults: Partial<Record<ProviderFaultKind, number>> = {
  serverError: 0.01,
  tooMany: 0.005,
  truncated: 0.005,
  late: 0.02,
  staleHead: 0.02,
}
/** Faults of the indexer's providers. No wrong answer of one can equal one of the other: the index trusts what two agree on. */
export const indexerFaults: readonly Partial<Record<ProviderFaultKind, number>>[] = [
  { ...transientFaults, noLogs: 0.03, wrongParent: 0.01, noReceipt: 0.02 },
  { ...transientFaults, lessLogs: 0.03, noBlock: 0.01, otherStorage: 0.05 },
]

/** The first build of the index. With these faults no other one is ever needed. */
const build = 'a'

/** How long the store's folder is away. */
const hiddenMs = 500

/** Generous, because the machine may be busy. */
const startMs = 120_000

/** Starts all services over a chain with deployed markets. A keeper is among them if there are wallets to keep tasks for. */
export async function startServices(
  chain: PlannedChain,
  seed: number,
  tally: Tally,
  keptWallets: readonly LocalAccount[],
): Promise<Services> {
  const names: readonly ServiceName[] = [
    ...(['indexer', 'api 1', 'api 2', 'gateway', 'store'] as const),
    ...(keptWallets.length > 0 ? (['keeper'] as const) : []),
  ]
  const folder = await mkdtemp(join(tmpdir(), 'whole-'))
  const deployments = join(folder, 'deployments.json')
  await saveDeployments(deployments, chain.deployments)
  const providers: FaultyProvider[] = await Promise.all(
    [...indexerFaults, { ...transientFaults, noReceipt: 0.02 }, transientFaults].map((odds, index) =>
      startFaultyProvider({ target: chain.rpcUrl, random: createRandom(seed, 2, index), odds, tally }),
    ),
  )
  const cluster = await startCluster()
  const sql = postgres(cluster.url, { fetch_types: false, onnotice: () => {}, max: 4, backoff: () => 0.1 })
  // This `now` shadows the server's own, so that the quota's day follows the chain's clock.
  await sql.unsafe('create schema clock; alter database postgres set search_path = clock, pg_catalog, public')
  const setClock = (now: number) =>
    sql
      .unsafe(
        `create or replace function clock.now() returns timestamptz language sql stable as 'select to_timestamp(${now})'`,
      )
      .then(() => {})
  await setClock(chain.head().timestamp)
  // Sessions and statements must not expire when the chain jumps ahead, so the store has its own clock.
  const clockShiftMs = chain.head().timestamp * 1_000 - Date.now()
  const storeDatabase = await createStoreDatabase(sql, cluster.url, clockShiftMs)
  const ports: number[] = []
  for (let count = 0; count < 5; count++) ports.push(await findFreePort())
  const urls = ports.map((port) => `http://127.0.0.1:${port}`)
  const common = {
    SVC_DATABASE_URL: cluster.url,
    SVC_DEPLOYMENTS: deployments,
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  }
  const [first, second, ...others] = providers.map(({ url }) => url)
  const CHAIN_RPC_URL = others.join()
  const stateFile = join(folder, 'requests.sqlite')
  const api = (port: number | undefined) => ({
    ...common,
    ...noLimits,
    CHAIN_RPC_URL,
    SVC_PUBLIC_RPC_URL: 'http://127.0.0.1:8545',
    SVC_SITE_PORT: String(port),
  })
  // The tools take the name of the API for the site's.
  const domain = new URL(urls[0] ?? '').host
  const storeFolder = join(folder, 'work')
  const envs: Record<ServiceName, Record<string, string>> = {
    indexer: {
      ...common,
      CHAIN_RPC_URL: [first, second].join(),
      SVC_INDEX_BUILD: build,
      SVC_INDEX_PORT: String(ports[4]),
      SVC_INDEX_POLL_MS: '50',
      SVC_INDEX_SAMPLE_SECONDS: '1',
    },
    'api 1': api(ports[0]),
    'api 2': api(ports[1]),
    gateway: {
      ...common,
      ...noLimits,
      CHAIN_RPC_URL,
      SVC_GATEWAY_PORT: String(ports[2]),
      SVC_GATEWAY_STATE: stateFile,
      SVC_API_URL: urls[0] ?? '',
      SVC_RECEIPT_KEY: `0x${'17'.repeat(32)}`,
    },
    store: {
      ...common,
      ...noLimits,
      CHAIN_RPC_URL,
      SVC_DATABASE_URL: storeDatabase,
      SVC_STORE_PORT: String(ports[3]),
      SVC_STORE_KEY: publicKeys.store,
      SVC_STORE_DOMAINS: domain,
      SVC_STORE_FOLDER: storeFolder,
      SVC_STORE_SWEEP_SECONDS: '1',
      NODE_OPTIONS: `--import=${formatClockShift(clockShiftMs)}`,
    },
    keeper: {
      ...common,
      CHAIN_RPC_URL,
      SVC_API_URL: urls[0] ?? '',
      SVC_KEEPER_KEY: publicKeys.keeper,
      SVC_KEEPER_WALLETS: keptWallets.map(({ address }) => address).join(),
      SVC_KEEPER_POLL_MS: '50',
      SVC_KEEPER_JITTER_MS: '0',
      SVC_KEEPER_SCAN_SECONDS: '5',
      SVC_KEEPER_PORT: '0',
      SVC_KEEPER_HOUR_WEI: '1000000000000000000',
      SVC_KEEPER_DAY_WEI: '1000000000000000000',
      SVC_KEEPER_MAX_FEE_WEI: '100000000000',
    },
  }
  const probes: Partial<Record<ServiceName, string>> = {
    'api 1': `${urls[0]}/readyz`,
    'api 2': `${urls[1]}/readyz`,
    gateway: `${urls[2]}/v1/requests/req_${'a'.repeat(22)}`,
    store: `${urls[3]}/healthz`,
  }
  // Postgres must be running before it can be killed again.
  let database: Promise<void> = Promise.resolve()
  const running = new Map<ServiceName, ReturnType<typeof startAppProcess>>()
  const restarts = new Map<ServiceName, Promise<void>>()
  const indexerLogs: (readonly LogLine[])[] = []
  const start = async (name: ServiceName) => {
    const program = startAppProcess(name === 'api 1' || name === 'api 2' ? 'api' : name, envs[name])
    running.set(name, program)
    if (name === 'indexer') indexerLogs.push(program.lines)
    const probe = probes[name]
    if (probe)
      await waitUntil(`${name} answers`, startMs, async () =>
        [200, 404].includes((await fetchClientAnswer(probe)).status),
      )
    else {
      const ready = name === 'keeper' ? 'watching' : 'writing'
      await program.waitForLog(ready, (lines) => lines.some(({ msg }) => msg === ready), startMs)
    }
  }
  const checkLog = (name: ServiceName) => {
    for (const line of running.get(name)?.lines ?? []) checkLogLine(name, line, tally)
  }
  const close = async () => {
    for (const { kill } of running.values()) kill('SIGKILL')
    await Promise.all([...running.values()].map(({ exited }) => exited))
    await Promise.all(providers.map((provider) => provider.close()))
    await sql.end({ timeout: 1 })
    await cluster.remove()
    await rm(folder, { recursive: true, force: true })
  }
  await Promise.all(names.map(start)).catch(async (error: Error) => {
    await close()
    throw error
  })

  // One at a time: the folder must be back before it can go again.
  let folderBack: Promise<void> = Promise.resolve()
  return {
    names,
    store: {
      url: urls[3] ?? '',
      domain,
      folder: storeFolder,
      getTime: () => Math.floor((Date.now() + clockShiftMs) / 1_000),
      killFolder() {
        tally.count('kills', "store's folder")
        folderBack = folderBack.then(() => hideFolder(storeFolder))
        return folderBack
      },
    },
    apiUrls: urls.slice(0, 2),
    gatewayUrl: urls[2] ?? '',
    rpcUrls: others,
    stateFile,
    sql,
    indexer: {
      build,
      rpcUrls: providers.slice(0, indexerFaults.length).map(({ url }) => url),
      healthUrl: urls[4] ?? '',
      lines: () => indexerLogs.flat(),
    },
    setClock,
    setHonest: (honest) => {
      for (const provider of providers) provider.setHonest(honest)
    },
    kill(name) {
      tally.count('kills', name)
      // One at a time: two starts would want the same port.
      const restarted = (restarts.get(name) ?? Promise.resolve()).then(async () => {
        const program = running.get(name)
        await program?.kill('SIGKILL')
        checkLog(name)
        await start(name)
      })
      restarts.set(name, restarted)
      return restarted
    },
    killDatabase() {
      tally.count('kills', 'postgres')
      database = database.then(cluster.kill).then(cluster.start)
      return database
    },
    checkLogs: () => {
      for (const name of names) {
        const program = running.get(name)
        const ended = program?.exitStatus()
        if (ended) tally.fail(`${name} ended by itself with ${ended.code}: ${program?.stderr()}`)
        checkLog(name)
      }
    },
    close,
  }
}

/** A module that shifts the clock of the process that imports it. */
const formatClockShift = (ms: number): string =>
  `data:text/javascript,${encodeURIComponent(`const now = Date.now; Date.now = () => now() + ${ms}`)}`

/** Creates a database for the store, with a clock that runs from a given time on. */
async function createStoreDatabase(sql: Sql, url: string, shiftMs: number): Promise<string> {
  await sql.unsafe('create database store')
  const own = new URL(url)
  own.pathname = 'store'
  const admin = postgres(own.href, { max: 1, onnotice: () => {} })
  await admin.unsafe(`create schema clock;
    create function clock.now() returns timestamptz language sql stable
      as 'select pg_catalog.now() + make_interval(secs => ${shiftMs / 1_000})';
    alter database store set search_path = clock, pg_catalog, public`)
  await admin.end()
  return own.href
}

/** Puts a file in place of a folder for a moment: nothing can be read or written below it. */
async function hideFolder(folder: string): Promise<void> {
  const hidden = `${folder}.hidden`
  await mkdir(folder, { recursive: true })
  await rename(folder, hidden)
  await writeFile(folder, '').catch(() => {})
  await new Promise((done) => setTimeout(done, hiddenMs))
  await rm(folder, { recursive: true, force: true })
  await rename(hidden, folder)
}

/** Records an error line. A healthy process writes none. */
function checkLogLine(name: ServiceName, line: LogLine, tally: Tally): void {
  const level = typeof line.level === 'number' ? line.level : ({ error: 50, fatal: 60 }[line.level ?? ''] ?? 0)
  if (level >= 50) tally.fail(`${name} wrote ${JSON.stringify(line)}`.slice(0, 1_000))
}
