import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveDeployments } from '@svc/chain'
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
import type { TaskId } from '@svc/protocol'
import { parseUnits } from 'viem'
import { type Cluster, startCluster } from '../../test/harness/cluster.ts'
import { findFreePorts } from '../../test/harness/freePorts.ts'
import { testDomain } from '../../test/harness/storeApp.ts'
import { findMissingSwift, type Swift, startSwift } from '../../test/harness/swift.ts'
import { type AppProcess, killAllProcesses, startAppProcess } from '../shared/appProcess.ts'

/** Two replicas of the store as processes, over a Postgres and, where it is installed, a Swift of their own. */
export interface StoreWorld {
  devnet: Devnet
  tasks: readonly TaskId[]
  urls: readonly string[]
  cluster: Cluster
  /** Null where Swift is not installed: parts are then in a folder. */
  swift: Swift | null
  /** Kills a replica as a crash does, and starts it again. Resolves when it listens. */
  crash: (index: number) => Promise<void>
  /** The process ids of the replicas. */
  pids: () => readonly number[]
  stop: () => Promise<void>
}

/** `env` is added to the environment of the replicas. */
export async function startStoreWorld(
  taskCount: number,
  env: Readonly<Record<string, string>> = {},
): Promise<StoreWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'chaos-store-'))
  const devnet = await startDevnet({ genesisTime: Math.floor(Date.now() / 1000) - 86_400 })
  const cluster = await startCluster()
  const missing = findMissingSwift()
  if (missing) console.log(missing)
  const swift = missing ? null : await startSwift()
  const stop = async () => {
    await killAllProcesses()
    await swift?.remove()
    await cluster.remove()
    await devnet.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const tasks = await createTasks(devnet, taskCount)
    const file = join(folder, 'deployments.json')
    await saveDeployments(file, devnet.deployments)
    const ports = await findFreePorts(2)
    const objects: Record<string, string> = swift
      ? { SVC_STORE_S3_URL: swift.url, SVC_STORE_S3_KEY_ID: swift.keyId, SVC_STORE_S3_SECRET: swift.secret }
      : { SVC_STORE_FOLDER: join(folder, 'work') }
    const start = (port: number) =>
      startAppProcess('store', {
        ...objects,
        CHAIN_RPC_URL: devnet.rpcUrl,
        SVC_DEPLOYMENTS: file,
        SVC_DATABASE_URL: cluster.url,
        SVC_STORE_KEY: publicKeys.store,
        SVC_STORE_DOMAINS: testDomain,
        SVC_STORE_PORT: String(port),
        SVC_STORE_SWEEP_SECONDS: '1',
        SVC_RATE_READS: '1000000',
        SVC_RATE_CALLS: '1000000',
        SVC_DRAIN_MS: '0',
        ...env,
      })
    const isListening = (replica: AppProcess) => replica.waitForLog('listening')
    const replicas = ports.map(start)
    await Promise.all(replicas.map(isListening))
    return {
      devnet,
      tasks,
      urls: ports.map((port) => `http://127.0.0.1:${port}`),
      cluster,
      swift,
      stop,
      pids: () => replicas.map(({ pid }) => pid),
      async crash(index) {
        const [replica, port] = [replicas[index], ports[index]]
        if (!replica || port === undefined) throw new Error(`There is no replica ${index}.`)
        await replica.kill('SIGKILL')
        const next = start(port)
        replicas[index] = next
        await isListening(next)
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Posts, claims and activates tasks of ada and emeka that name the store. */
async function createTasks({ client, deployments }: Devnet, count: number): Promise<TaskId[]> {
  await setUpMarkets(client, deployments)
  const scene = createScene(client, deployments, 'standard')
  for (const person of [accounts.ada, accounts.emeka]) await sendTopUp(scene, person, parseUnits('400', 6))
  const tasks: TaskId[] = []
  for (let index = 0; index < count; index++) {
    const job = await sendPost(scene, {
      poster: accounts.ada,
      text: 'A task with a store\n\nDeliver files.',
      amounts: [parseUnits('500', 18)],
      duration: scene.params.minDuration,
      store: accounts.store.address,
    })
    await sendClaim(scene, job, accounts.emeka)
    await sendActivation(scene, job)
    tasks.push({ market: 'standard', number: job.id })
  }
  return tasks
}
