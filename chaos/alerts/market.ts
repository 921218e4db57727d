import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveDeployments } from '@svc/chain'
import { accounts, createScene, type Devnet, publicKeys, startDevnet } from '@svc/devnet'
import { markets } from '@svc/protocol'
import postgres, { type Sql } from 'postgres'
import { recordMark } from '../../apps/admin/src/backup/database.ts'
import { type Cluster, startCluster } from '../../test/harness/cluster.ts'
import { findFreePorts } from '../../test/harness/freePorts.ts'
import { fillWithPosters, posters, postTask } from '../../test/harness/posters.ts'
import { type AppProcess, killAllProcesses, startAppProcess } from '../shared/appProcess.ts'
import { type Load, startLoad } from '../shared/load.ts'
import { noLimits, waitUntil } from '../shared/replica.ts'
import { createSwitchableProxy, type SwitchableProxy } from '../shared/switchableProxy.ts'

/** Every process of a market, by the name of its job and a number. */
const jobs = {
  'indexer 1': 'indexer',
  'indexer 2': 'indexer',
  'api 1': 'api',
  'api 2': 'api',
  keeper: 'keeper',
  store: 'store',
  notifier: 'notifier',
  clerk: 'clerk',
  watcher: 'watcher',
} as const
export type ProcessName = keyof typeof jobs

type Settings = Readonly<Record<string, string>>

/** A market as deploy/compose.yaml starts it, on a chain with a block a second and three providers. */
export interface DrillMarket {
  devnet: Devnet
  cluster: Cluster
  sql: Sql
  providers: readonly SwitchableProxy[]
  /** What Prometheus scrapes, by job. */
  targets: Record<string, string[]>
  /** Lets no block be mined, until it is called again with false. */
  setHalted: (halted: boolean) => void
  start: (name: ProcessName, more?: Settings) => AppProcess
  kill: (name: ProcessName, signal: NodeJS.Signals) => Promise<void>
  stop: () => Promise<void>
}

/** Starts everything. Intervals of services are divided by `speed`, as those of the alerts are. */
export async function startDrillMarket(speed: number): Promise<DrillMarket> {
  const seconds = (usual: number) => String(Math.max(1, Math.round(usual / speed)))
  const folder = await mkdtemp(join(tmpdir(), 'drill-'))
  const present = Math.floor(Date.now() / 1_000)
  const devnet = await startDevnet({ genesisTime: present - 120 })
  const { client, deployments } = devnet
  await fillWithPosters(client, deployments, present)
  for (const market of markets)
    for (const poster of posters.slice(0, 2)) await postTask(createScene(client, deployments, market), poster)
  let isHalted = false
  const miner = setInterval(() => void mine(), 1_000)
  const mine = async () => {
    if (isHalted) return
    // A transaction may have mined a block in this second.
    await client.setNextBlockTimestamp({ timestamp: BigInt(Math.floor(Date.now() / 1_000)) }).catch(() => {})
    await client.mine({ blocks: 1 }).catch(() => {})
  }

  const file = join(folder, 'deployments.json')
  await saveDeployments(file, deployments)
  const cluster = await startCluster(['max_connections=120'])
  const sql = postgres(cluster.url, { fetch_types: false, onnotice: () => {}, max: 2, backoff: () => 0.1 })
  await recordMark(sql, 'backup')
  await recordMark(sql, 'drill')
  const providers = await Promise.all([1, 2, 3].map(() => createSwitchableProxy(devnet.rpcUrl)))
  await Promise.all(providers.map(({ open }) => open()))
  const names = listNames(jobs)
  const ports = await findFreePorts(names.length)
  const getPort = (name: ProcessName) => String(ports[names.indexOf(name)])
  const getUrl = (name: ProcessName) => `http://127.0.0.1:${getPort(name)}`
  const common = {
    CHAIN_RPC_URL: providers.map(({ url }) => url).join(','),
    SVC_DATABASE_URL: cluster.url,
    SVC_DEPLOYMENTS: file,
    SVC_DRAIN_MS: '200',
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  }
  const domain = new URL(getUrl('api 1')).host
  const indexer = (name: ProcessName) => ({
    SVC_INDEX_PORT: getPort(name),
    SVC_INDEX_SAMPLE_SECONDS: seconds(30),
  })
  const api = (name: ProcessName) => ({
    ...noLimits,
    SVC_PUBLIC_RPC_URL: 'http://127.0.0.1:8545',
    SVC_SITE_PORT: getPort(name),
    SVC_STORE_URL: getUrl('store'),
    SVC_STORE_ADDRESS: accounts.store.address,
    SVC_NOTIFY_URL: getUrl('notifier'),
  })
  const settings: Record<ProcessName, Settings> = {
    'indexer 1': indexer('indexer 1'),
    'indexer 2': indexer('indexer 2'),
    'api 1': api('api 1'),
    'api 2': api('api 2'),
    keeper: { SVC_KEEPER_PORT: getPort('keeper'), SVC_KEEPER_KEY: publicKeys.keeper, SVC_API_URL: getUrl('api 1') },
    store: {
      SVC_STORE_PORT: getPort('store'),
      SVC_STORE_KEY: publicKeys.store,
      SVC_STORE_DOMAINS: domain,
      SVC_STORE_CLERK: accounts.jun.address,
      SVC_STORE_FOLDER: join(folder, 'work'),
      SVC_STORE_SWEEP_SECONDS: seconds(600),
      SVC_API_URL: getUrl('api 1'),
    },
    notifier: { SVC_NOTIFY_PORT: getPort('notifier'), SVC_NOTIFY_DOMAINS: domain },
    clerk: {
      SVC_CLERK_PORT: getPort('clerk'),
      SVC_CLERK_KEY: publicKeys.jun,
      SVC_CLERK_FOLDER: join(folder, 'clerk'),
      SVC_CLERK_DOMAIN: domain,
      SVC_CLERK_RECHECK_SECONDS: seconds(30),
      SVC_STORE_URL: getUrl('store'),
      SVC_STORE_ADDRESS: accounts.store.address,
      SVC_API_URL: getUrl('api 1'),
    },
    watcher: {
      SVC_WATCH_PORT: getPort('watcher'),
      SVC_WATCH_SECONDS: seconds(15),
      SVC_WATCH_GUARDIAN: accounts.guardian.address,
      // Nobody judges in this market.
      SVC_WATCH_JUDGES: '0',
    },
  }
  const running = new Map<ProcessName, AppProcess>()
  const market: DrillMarket = {
    devnet,
    cluster,
    sql,
    providers,
    targets: Object.fromEntries(
      [...Map.groupBy(names, (name) => jobs[name])].map(([job, list]) => [
        job,
        list.map((name) => `127.0.0.1:${getPort(name)}`),
      ]),
    ),
    setHalted: (halted) => {
      isHalted = halted
    },
    start(name, more = {}) {
      const program = startAppProcess(jobs[name], { ...common, ...settings[name], ...more })
      running.set(name, program)
      return program
    },
    kill: async (name, signal) => running.get(name)?.kill(signal),
    async stop() {
      clearInterval(miner)
      await load?.stop()
      await killAllProcesses()
      await sql.end({ timeout: 1 })
      await Promise.all(providers.map(({ close }) => close().catch(() => {})))
      await cluster.remove()
      await devnet.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  let load: Load | undefined
  try {
    await market.start('indexer 1').waitForBoth('caught up')
    for (const name of names.slice(1)) market.start(name)
    await waitUntil('a replica is ready', 60_000, async () => (await fetch(`${getUrl('api 2')}/readyz`)).ok)
    // Visitors, so that there are answers to count.
    load = startLoad((count) => getUrl('api 2') + paths[count % paths.length], 3)
    return market
  } catch (error) {
    await market.stop()
    throw error
  }
}

const paths = [
  '/api/market/open?market=micro',
  '/api/market/recent?market=standard',
  '/api/market/task?id=v2:micro:1',
  '/api/leaderboard?market=standard',
]

function listNames<Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] {
  const names: Name[] = []
  for (const name in table) names.push(name)
  return names
}
