import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveDeployments } from '@svc/chain'
import { createScene, type Devnet, type Scene, startDevnet } from '@svc/devnet'
import { getSchemaName } from '@svc/index'
import { markets } from '@svc/protocol'
import postgres from 'postgres'
import { backUp, restore } from '../../test/harness/backup.ts'
import { type Cluster, startCluster } from '../../test/harness/cluster.ts'
import { fillWithPosters, payForPlan, posters, postTask } from '../../test/harness/posters.ts'
import { digestTables } from '../../test/harness/tableDigests.ts'
import { killAllProcesses, startIndexerProcess } from '../shared/appProcess.ts'
import { fetchClientAnswer, type Replica, startReplica, waitUntil } from '../shared/replica.ts'
import type { ScenarioResult } from '../shared/suite.ts'

/** Index and API with their own database. */
interface Service extends Pick<Replica, 'url'> {
  cluster: Cluster
}

/** Backs up, destroys and restores the database. Quotas, plans and every row must be unchanged. */
export async function destroyAndRestore(): Promise<ScenarioResult> {
  const present = Math.floor(Date.now() / 1000)
  const devnet = await startDevnet({ genesisTime: present - 60 })
  const folder = await mkdtemp(join(tmpdir(), 'restore-'))
  const clusters: Cluster[] = []
  const startService = async (isBackedUp: boolean): Promise<Service> => {
    const cluster = await startCluster()
    clusters.push(cluster)
    if (isBackedUp) await restore(cluster.url, folder)
    return { cluster, url: await startPrograms(devnet, folder, cluster.url) }
  }
  try {
    await fillWithPosters(devnet.client, devnet.deployments, present)
    const first = await startService(false)
    const scenes = markets.map((market) => createScene(devnet.client, devnet.deployments, market))
    for (const scene of scenes) await useMarket(first.url, scene)
    const before = await readEverything(devnet, first)
    await backUp(first.cluster.url, folder)
    await killAllProcesses()
    await first.cluster.remove()

    const began = Date.now()
    const second = await startService(true)
    const after = await readEverything(devnet, second)
    const seconds = ((Date.now() - began) / 1000).toFixed(1)
    const changed = before.filter((line, index) => line !== after[index])
    return {
      what: 'backup, destroy, restore: every quota, plan and row is what it was',
      figures: `${before.length} digests and quotas compared; back after ${seconds} s`,
      fault: changed.length === 0 ? null : `Was:\n${changed.join('\n')}\nIs:\n${after.join('\n')}`,
    }
  } finally {
    await killAllProcesses()
    for (const cluster of clusters) await cluster.remove()
    await devnet.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Starts an indexer and a replica, and returns the replica's URL. */
async function startPrograms(devnet: Devnet, folder: string, database: string): Promise<string> {
  const file = join(folder, 'deployments.json')
  await saveDeployments(file, devnet.deployments)
  const env = {
    CHAIN_RPC_URL: devnet.rpcUrl,
    SVC_DATABASE_URL: database,
    SVC_DEPLOYMENTS: file,
    SVC_INDEX_PORT: '0',
    SVC_INDEX_POLL_MS: '20',
  }
  await startIndexerProcess(env).waitForBoth('caught up')
  return (await startReplica({ env: () => env })).url
}

/** One wallet posts and records its posts; another buys a plan and reports it. */
async function useMarket(url: string, scene: Scene): Promise<void> {
  const [poster, payer] = posters
  for (let count = 0; count < 2; count++) await postOk(`${url}/api/posting/record`, await postTask(scene, poster))
  await postOk(`${url}/api/posting/upgrade`, await payForPlan(scene, payer, 'basic', 'usdc'))
}

async function postOk(url: string, body: object): Promise<void> {
  const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const { status } = await fetch(url, { ...request, signal: AbortSignal.timeout(10_000) })
  if (status !== 200) throw new Error(`${url} answered ${status}.`)
}

/** Every quota from the API and a digest of every table, once the index is at the head. */
async function readEverything({ client }: Devnet, { url, cluster }: Service): Promise<string[]> {
  const head = await client.getBlockNumber()
  const questions = markets.flatMap((market) =>
    posters.map(({ address }) => `/api/posting/quota?market=${market}&address=${address}`),
  )
  await waitUntil('the index is at the head', 20_000, async () => {
    const seen = await Promise.all(
      markets.map((market) => fetchClientAnswer(`${url}/api/market/open?market=${market}`)),
    )
    return seen.every(({ path, body }) => path === 'index' && body.meta.block.number === Number(head))
  })
  const quotas = await Promise.all(
    questions.map(async (path) => `${path} ${JSON.stringify((await fetchClientAnswer(url + path)).body)}`),
  )
  const sql = postgres(cluster.url, { max: 1, fetch_types: false, onnotice: () => {} })
  const digests = await digestTables(sql, getSchemaName('a'))
  await sql.end({ timeout: 1 })
  return [...quotas, ...digests.map((digest) => JSON.stringify(digest))]
}
