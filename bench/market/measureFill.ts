import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveDeployments } from '@svc/chain'
import { getSchemaName } from '@svc/index'
import postgres from 'postgres'
import { killAllProcesses } from '../../chaos/shared/appProcess.ts'
import { startLoad } from '../../chaos/shared/load.ts'
import { waitUntil } from '../../chaos/shared/replica.ts'
import { findFreePorts } from '../../test/harness/freePorts.ts'
import { createTestDatabase } from '../../test/harness/postgres.ts'
import { startSimulatedChain } from '../index/simulated.ts'
import { type Form, findApi, marketUrl, type Place, startForm } from './forms.ts'
import { countConnections, readMemory, summarize } from './watchProcesses.ts'

const eventsPerBlock = 20
/** About as many events of the simulation belong to one task. */
const eventsPerTask = 21
const limitMs = 600_000
const schema = getSchemaName('a')

/** A first fill of a long history, with ten requests a second to the process and ten to a task. */
export async function measureFill(form: Form, tasks: number) {
  const chain = await startSimulatedChain({
    seed: 5,
    eventsPerBlock,
    blocks: Math.ceil((tasks * eventsPerTask) / eventsPerBlock),
    quiet: 100,
    held: 0,
    latencies: [0, 0, 0],
  })
  const [database, ports] = [await createTestDatabase(), await findFreePorts(6)]
  const folder = await mkdtemp(join(tmpdir(), 'market-'))
  const file = join(folder, 'deployments.json')
  await saveDeployments(file, chain.deployments)
  const { chainId } = chain.deployments
  const place: Place = { urls: chain.urls, chainId, deployments: file, database: database.url, folder, ports }
  const sql = postgres(database.url, { max: 1, fetch_types: false, onnotice: () => {} })
  const url = marketUrl(place)
  try {
    const began = performance.now()
    const processes = await startForm(form, place)
    await findApi(form, processes)?.waitForLog('listening', undefined, limitMs)
    const listensMs = performance.now() - began
    const loads = [() => '/healthz', (count: number) => `/api/market/task?id=v2:standard:${1 + (count % 50)}`].map(
      (path) => startLoad((count) => url + path(count), 10),
    )
    const most = { memory: 0, connections: 0 }
    const watch = setInterval(async () => {
      most.memory = Math.max(most.memory, await readMemory(processes))
      const connections = await countConnections(sql)
      most.connections = Math.max(most.connections, connections)
    }, 500)
    await waitUntil('the index serves', limitMs, async () => {
      const answer = await fetch(`${url}/api/market/open`)
      return answer.headers.get('x-read-path') === 'index'
    })
    const servesMs = performance.now() - began
    clearInterval(watch)
    const [health, read] = await Promise.all(loads.map((load) => load.stop()))
    const [filled] = await sql<{ tasks: number }[]>`select count(*)::int as tasks from ${sql(`${schema}.task`)}`
    return {
      tasks: filled?.tasks ?? 0,
      events: chain.events,
      listensMs,
      servesMs,
      ...most,
      health: summarize(health?.times ?? []),
      reads: summarize(read?.times ?? []),
      outcomes: [...(health?.outcomes ?? []), ...(read?.outcomes ?? [])],
    }
  } finally {
    await killAllProcesses()
    await sql.end({ timeout: 1 })
    await Promise.all([chain.stop(), database.drop(), rm(folder, { recursive: true, force: true })])
  }
}
