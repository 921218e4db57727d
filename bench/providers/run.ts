import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { saveDeployments } from '@svc/chain'
import { markets } from '@svc/protocol'
import { type Answer, buildDeployments, createNode, createSimulation } from '@svc/simulation/chain'
import { createRandom } from '@svc/simulation/random'
import type { Address } from 'viem'
import { changeData, delay, lagBehind, omitLogs, type ProviderFault } from '../../chaos/providers/faults.ts'
import { startProvider } from '../../chaos/providers/provider.ts'
import { killAllProcesses, startIndexerProcess } from '../../chaos/shared/appProcess.ts'
import { startReplica } from '../../chaos/shared/replica.ts'
import { createSwitchableProxy } from '../../chaos/shared/switchableProxy.ts'
import { createTestDatabase } from '../../test/harness/postgres.ts'
import { type MachineDelays, watchMachine } from '../lag/machine.ts'

const answerAlways =
  (answer: Answer): ProviderFault =>
  () => ({ answer: () => answer })

/** The faults of provider 1. `refuse` has none here: its connections are closed. `all-slow` is a fault of all three. */
export const faults: ReadonlyMap<string, ProviderFault | null> = new Map([
  ['hang', answerAlways({ silence: true })],
  ['refuse', null],
  ['401', answerAlways({ status: 401 })],
  ['429', answerAlways({ status: 429, retryAfter: 1 })],
  ['lag', lagBehind(20)],
  ['lie', omitLogs(1)],
  ['lie-data', changeData(1)],
  ['slow', delay(3_000, 0, createRandom(1))],
  ['all-slow', delay(1_500, 0, createRandom(1))],
])

/** One answer to a client. */
interface Measured {
  ms: number
  /** The HTTP status, or the name of the error. */
  status: string
  /** How much older the block of the answer is than the chain's newest one; null if the answer names no block. */
  lagMs: number | null
}

/** What clients got while the providers were in one state. A request that saw a fault belongs to that fault. */
export interface Phase {
  name: string
  seconds: number
  /** Calls that reached each provider, of the indexer and the API together. */
  calls: number[]
  /** Answers that need only the index. */
  lists: Measured[]
  /** Answers that need the chain. */
  chainReads: Measured[]
}

const blockMs = 200
/** Blocks that exist at the start. */
const before = 600
const latencies = [120, 160, 200] as const
const jitterMs = 20
/** Pauses between requests. The next one does not wait for the answer. */
const pauses = { list: 100, chainRead: 250 } as const
/** Seconds of requests that are not measured, because the first ones of a process are slow. */
const warmUpSeconds = 3
const clientTimeoutMs = 20_000

/**
 * Measures an indexer and an API while provider 1 of three has each of these faults in turn. Both start again for each fault, so
 * that what they learned about a provider does not hide the next fault. They are healthy for a while before and after it.
 */
export async function measureFaults(
  names: readonly string[],
  seconds: number,
  signal: AbortSignal,
): Promise<{ phases: Phase[]; machine: MachineDelays }> {
  const healthySeconds = Math.max(5, seconds / 4)
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const database = await createTestDatabase()
  const machine = await watchMachine(database.url)
  const chain = await startChain()
  const [healthy, afterwards] = [createPhase('healthy'), createPhase('afterwards')]
  const phases = [healthy]
  let delays: MachineDelays
  try {
    const deployments = join(folder, 'deployments.json')
    await saveDeployments(deployments, chain.deployments)
    const env = {
      CHAIN_RPC_URL: chain.urls.join(','),
      SVC_DATABASE_URL: database.url,
      SVC_DEPLOYMENTS: deployments,
      SVC_INDEX_PORT: '0',
    }
    for (const name of names) {
      const faulty = createPhase(name)
      phases.push(faulty)
      await startIndexerProcess(env).waitForBoth('caught up', 60_000)
      // The API's own defaults, in place of the replica's.
      const limits = { SVC_CHAIN_RUNNING: '160', SVC_CHAIN_WAITING: '1000', SVC_TRUSTED_PROXIES: '127.0.0.1' }
      const { url } = await startReplica({ env: () => env }, 0, limits)
      const load = startLoad(url, await findExhaustedPoster(url, chain.wallets), chain.computeLag)
      const measure = async (phase: Phase, lasting: number) => {
        load.record(phase)
        const start = [...chain.calls]
        await wait(lasting * 1000, undefined, { signal })
        phase.seconds += lasting
        phase.calls = phase.calls.map((count, index) => count + (chain.calls[index] ?? 0) - (start[index] ?? 0))
      }
      await measure(createPhase('warm-up'), warmUpSeconds)
      await measure(healthy, healthySeconds)
      await chain.setFault(name)
      await measure(faulty, seconds)
      await chain.setFault(null)
      // Three slow providers may leave the index far behind.
      await measure(name === 'all-slow' ? createPhase('not measured') : afterwards, healthySeconds)
      await load.stop()
      await killAllProcesses()
    }
  } finally {
    await killAllProcesses()
    delays = await machine.stop()
    await chain.stop()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
  return { phases: [...phases, afterwards], machine: delays }
}

const createPhase = (name: string): Phase => ({
  name,
  seconds: 0,
  calls: latencies.map(() => 0),
  lists: [],
  chainReads: [],
})

/** Starts a chain that mines a block every 200 ms, with three providers. Every bloom filter is full, as on a busy chain. */
async function startChain() {
  const simulation = createSimulation({
    receipts: true,
    seed: 5,
    // Today, because posts of today count.
    startTime: Math.floor((Date.now() - before * blockMs) / 1000),
    leaps: 0,
    load: (random) => (random.chance(0.5) ? 0 : 10),
    fullBlooms: true,
    lags: { safe: 60, finalized: 400 },
  })
  simulation.mine(before)
  const node = createNode(simulation)
  const calls = latencies.map(() => 0)
  const current: (ProviderFault | null)[] = latencies.map(() => null)
  const servers = await Promise.all(
    latencies.map((ms, index) => {
      const applyCurrent: ProviderFault = (inner) => ({
        answer: (method, params) => (current[index]?.(inner) ?? inner).answer(method, params),
      })
      return startProvider(node, [delay(ms, jitterMs, createRandom(index)), applyCurrent], {
        onCall: () => {
          calls[index] = (calls[index] ?? 0) + 1
        },
      })
    }),
  )
  const [first = '', ...others] = servers.map(({ url }) => url)
  const proxy = await createSwitchableProxy(first)
  await proxy.open()

  const start = Date.now()
  const minedAt = new Map<number, number>()
  const mine = () => {
    minedAt.set(simulation.mine().number, Date.now())
    timer = setTimeout(mine, Math.max(0, start + (minedAt.size + 1) * blockMs - Date.now()))
  }
  let timer = setTimeout(mine, blockMs)
  const timeOf = (block: number) => minedAt.get(block) ?? start
  let isRefusing = false

  return {
    deployments: buildDeployments(simulation.places, Number(simulation.startBlock)),
    wallets: simulation.wallets.map(({ address }) => address),
    urls: [proxy.url, ...others],
    calls,
    computeLag: (served: number) => timeOf(simulation.chain.head().number) - timeOf(served),
    async setFault(name: string | null) {
      const fault = name === null ? null : (faults.get(name) ?? null)
      for (const index of current.keys()) current[index] = index === 0 || name === 'all-slow' ? fault : null
      if (isRefusing !== (name === 'refuse')) await (isRefusing ? proxy.open() : proxy.close())
      isRefusing = name === 'refuse'
    },
    async stop() {
      clearTimeout(timer)
      if (!isRefusing) await proxy.close()
      await Promise.all(servers.map(({ close }) => close()))
    },
  }
}

/** Finds a wallet that has used its posts of today. Its plan is read from the chain at every request. */
async function findExhaustedPoster(url: string, wallets: readonly Address[]): Promise<Address> {
  for (const wallet of wallets) {
    const response = await fetch(`${url}/api/posting/quota?address=${wallet}&market=micro`)
    const { canPost } = (await response.json()) as { canPost?: boolean }
    if (canPost === false) return wallet
  }
  throw new Error('No wallet has used its posts of today. Shortly after midnight UTC, try again later.')
}

/** Sends requests at fixed rates from eight networks, as many clients do. */
function startLoad(url: string, poster: Address, computeLag: (served: number) => number) {
  const pending = new Set<Promise<void>>()
  let phase = createPhase('none')
  const every = (ms: number, list: 'lists' | 'chainReads', buildPath: (count: number) => string) => {
    let count = 0
    return setInterval(() => {
      const sentIn = phase
      const done = send(url + buildPath(++count), `198.51.${100 + (count % 8)}.1`, computeLag).then((measured) => {
        pending.delete(done)
        const seen = faults.has(sentIn.name) ? sentIn : phase
        seen[list].push(measured)
      })
      pending.add(done)
    }, ms)
  }
  // Different limits, so that no cache answers.
  const buildList = (count: number) => `/api/market/recent?market=${markets[count % 2]}&limit=${1 + (count % 99)}`
  const buildChainRead = (count: number) =>
    count % 2 === 0 ? `${buildList(count / 2)}&path=chain` : `/api/posting/quota?address=${poster}&market=micro`
  const timers = [every(pauses.list, 'lists', buildList), every(pauses.chainRead, 'chainReads', buildChainRead)]
  return {
    /** Begins a phase. */
    record(next: Phase) {
      phase = next
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      await Promise.all(pending)
    },
  }
}

async function send(url: string, client: string, computeLag: (served: number) => number): Promise<Measured> {
  const start = performance.now()
  let [status, lagMs]: [string, number | null] = ['', null]
  try {
    const signal = AbortSignal.timeout(clientTimeoutMs)
    const response = await fetch(url, { headers: { 'x-forwarded-for': client }, signal })
    await response.arrayBuffer()
    status = String(response.status)
    const block = response.headers.get('x-block-number')
    if (block !== null) lagMs = computeLag(Number(block))
  } catch (error) {
    status = (error as Error).name
  }
  return { ms: performance.now() - start, status, lagMs }
}
