import { setTimeout as wait } from 'node:timers/promises'
import { accounts } from '@svc/devnet'
import { formatTaskId, type TaskId } from '@svc/protocol'
import { listParts } from '@svc/protocol/work'
import { createRandom, type Random } from '@svc/simulation/random'
import {
  createStoreClient,
  makeBundle,
  readBody,
  type StoreClient,
  sha256,
  signIn,
  type TestBundle,
} from '../../test/store/storeClient.ts'
import type { StoreWorld } from './world.ts'

/** What a seed did. */
export interface SeedReport {
  bundles: number
  receipts: number
  /** Answers other than success, and connections that were lost. */
  failures: number
  kills: Readonly<Record<Kill, number>>
}

/** What is killed: a replica, the object store, or Postgres. */
type Kill = 'replica' | 'objects' | 'database'

const bundlesAtOnce = 4
const maxTries = 200

/**
 * Uploads deliveries through both replicas while replicas, the object store and Postgres are killed. Then checks that everything
 * that was acknowledged is there, byte for byte, and that there is no receipt for what is not. Throws on the first difference.
 */
export async function runStoreSeed(world: StoreWorld, seed: number): Promise<SeedReport> {
  const random = createRandom(seed)
  const report = { bundles: 0, receipts: 0, failures: 0, kills: { replica: 0, objects: 0, database: 0 } }
  const [url = ''] = world.urls
  const poster = await persist(() => signIn(url, accounts.ada, accounts.store.address))
  const worker = await persist(() => signIn(url, accounts.emeka, accounts.store.address))
  const acknowledged = new Map<string, { taskId: TaskId; sha256: string }>()
  const isOver = new AbortController()

  const deliver = async (bundle: TestBundle, draw: Random) => {
    const { taskId } = bundle.descriptor
    for (const { sha256: name } of listParts(bundle.descriptor)) {
      const bytes = bundle.parts.get(name) ?? Buffer.alloc(0)
      await untilDone((client) => client.putPart(taskId, bytes), 201, draw)
      acknowledged.set(`${formatTaskId(taskId)} ${name}`, { taskId, sha256: name })
    }
    await untilDone((client) => client.send('PUT', `/v1/bundles/${bundle.hash}`, bundle.bytes), 201, draw)
    report.bundles++
    await untilDone((client) => client.askReceipt(bundle.hash), 200, draw)
    report.receipts++
  }
  /** Tries again, at either replica, until the answer is a success. */
  const untilDone = async (send: (client: StoreClient) => Promise<Response>, status: number, draw: Random) => {
    for (let tries = 0; tries < maxTries; tries++) {
      const client = createStoreClient(world.urls[draw.below(world.urls.length)] ?? url, worker.token)
      const answer = await send(client).catch(() => null)
      if (answer?.status === status) return
      const { code } = answer ? await readBody(answer).catch(() => ({ code: 'LOST' })) : { code: 'LOST' }
      // Only failures that say so may be temporary: anything else is wrong.
      if (answer && answer.status < 500) throw new Error(`Expected ${status}, got ${answer.status} ${code}.`)
      report.failures++
      await wait(100 + draw.below(200))
    }
    throw new Error(`No success after ${maxTries} attempts.`)
  }

  const disrupting = disrupt(world, random, report.kills, isOver.signal)
  const bundles = Array.from({ length: bundlesAtOnce }, (_, index) => {
    const taskId = world.tasks[(seed * bundlesAtOnce + index) % world.tasks.length]
    if (!taskId) throw new Error('The world has no tasks.')
    const sizes = Array.from({ length: 2 + random.below(4) }, () => 1_000 + random.below(6_000_000))
    const { chainId, markets } = world.devnet.deployments
    const about = { chainId, registry: markets[taskId.market].taskRegistry, taskId, author: accounts.emeka.address }
    return makeBundle(about, sizes, [{ reader: accounts.ada.address, key: poster.readingKey }])
  })
  try {
    await Promise.all(bundles.map((bundle, index) => deliver(bundle, createRandom(seed * 1_000 + index))))
  } finally {
    isOver.abort()
    await disrupting
  }
  for (const { taskId, sha256: name } of acknowledged.values()) {
    const found = await persist(async () => {
      const answer = await poster.client.getPart(taskId, name)
      if (answer.status >= 500) throw new Error(`Status ${answer.status}.`)
      return answer.ok ? sha256(await answer.bytes()) : String(answer.status)
    })
    if (found !== name) throw new Error(`Part ${name} of ${formatTaskId(taskId)} was acknowledged, but is ${found}.`)
  }
  for (const { hash } of bundles) {
    const answer = await persist(() => poster.client.send('GET', `/v1/bundles/${hash}`))
    if (!answer.ok) throw new Error(`Bundle ${hash} was acknowledged, but the answer is ${answer.status}.`)
  }
  return report
}

/** Kills something every half second or so, and brings it back. */
async function disrupt(
  { crash, swift, cluster, urls }: StoreWorld,
  random: Random,
  kills: Record<Kill, number>,
  over: AbortSignal,
): Promise<void> {
  const kinds: readonly Kill[] = swift ? ['replica', 'objects', 'database'] : ['replica', 'database']
  while (!over.aborted) {
    await wait(200 + random.below(600))
    if (over.aborted) return
    const kind = kinds[random.below(kinds.length)] ?? 'replica'
    kills[kind]++
    if (kind === 'replica') await crash(random.below(urls.length))
    else if (kind === 'database') await cluster.restart()
    else if (swift) {
      await swift.kill()
      await swift.start()
    }
  }
}

/** Tries again for a while: after the last kill, everything needs a moment. */
async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries >= 50) throw error
      await wait(200)
    }
  }
}
