import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { saveDeployments } from '@svc/chain'
import postgres from 'postgres'
import { z } from 'zod'
import { killAllProcesses } from '../../chaos/shared/appProcess.ts'
import { waitUntil } from '../../chaos/shared/replica.ts'
import { startDemoWorld } from '../../test/harness/demoWorld.ts'
import { findFreePorts } from '../../test/harness/freePorts.ts'
import { createTestDatabase } from '../../test/harness/postgres.ts'
import { startCountingProxy } from './countingProxy.ts'
import { type Form, findApi, forms, marketUrl, type Place, startForm } from './forms.ts'
import { countConnections, readMemory } from './watchProcesses.ts'

/** The time between two blocks of Base. */
const blockMs = 2_000
const limitMs = 120_000
const list = z.object({ tasks: z.array(z.unknown()) })
const signer = z.object({ address: z.string() })

/**
 * A market on the chain of the demo with three providers, while only blocks arrive. Then it is killed and comes back, and goes on in
 * the other form and back on the same database and folder.
 */
export async function measureIdle(form: Form, seconds: number) {
  const [world, database, ports] = [await startDemoWorld(), await createTestDatabase(), await findFreePorts(6)]
  const folder = await mkdtemp(join(tmpdir(), 'market-'))
  const providers = await Promise.all([1, 2, 3].map(() => startCountingProxy(world.devnet.rpcUrl)))
  const { deployments, client } = world.devnet
  const file = join(folder, 'deployments.json')
  await saveDeployments(file, deployments)
  const urls = providers.map(({ url }) => url)
  const place: Place = { urls, chainId: deployments.chainId, deployments: file, database: database.url, folder, ports }
  const sql = postgres(database.url, { max: 1, fetch_types: false, onnotice: () => {} })
  const miner = setInterval(() => void client.mine({ blocks: 1 }).catch(() => {}), blockMs)
  const start = async (which: Form) => {
    const began = performance.now()
    const processes = await startForm(which, place)
    await findApi(which, processes)?.waitForLog('listening', undefined, limitMs)
    const listensMs = performance.now() - began
    await waitUntil('the list comes from the index', limitMs, async () => (await readOpen(place)).path === 'index')
    return { processes, listensMs, servesMs: performance.now() - began }
  }
  try {
    // Modules are compiled once.
    const { processes: first } = await start(form)
    await Promise.all(first.map((each) => each.kill('SIGTERM')))
    const { processes, listensMs, servesMs } = await start(form)
    // The checks after a start are over.
    await wait(60_000)
    for (const { counts } of providers) counts.clear()
    await wait(seconds * 1_000)
    const methods = Map.groupBy(
      providers.flatMap(({ counts }) => [...counts]),
      ([name]) => name,
    )
    const perSecond = [...methods]
      .map(([name, list]) => [name, list.reduce((sum, [, count]) => sum + count, 0) / seconds] as const)
      .sort(([, a], [, b]) => b - a)
    const memory = await readMemory(processes)
    const connections = await countConnections(sql)
    const before = await readOpen(place)
    await Promise.all(processes.map((each) => each.kill('SIGKILL')))
    const again = await start(form)
    let running = again.processes
    const lists = [before, await readOpen(place)]
    for (const next of [...forms.filter((each) => each !== form), form]) {
      await Promise.all(running.map((each) => each.kill('SIGTERM')))
      running = (await start(next)).processes
      lists.push(await readOpen(place))
    }
    const different = lists.findIndex(({ tasks, store }) => tasks !== before.tasks || store !== before.store)
    return {
      listensMs,
      servesMs,
      memory,
      connections,
      calls: perSecond.reduce((sum, [, each]) => sum + each, 0),
      methods: perSecond,
      againMs: again.servesMs,
      differs: different < 0 ? null : `start ${different} differs`,
    }
  } finally {
    clearInterval(miner)
    await killAllProcesses()
    await sql.end({ timeout: 1 })
    for (const provider of providers) provider.stop()
    await Promise.all([world.devnet.stop(), database.drop(), rm(folder, { recursive: true, force: true })])
  }
}

/** The open tasks as a visitor reads them, and the wallet that signs the store's receipts. */
async function readOpen(place: Place) {
  const [open, store] = await Promise.all(
    ['/api/market/open', '/store/v1/store'].map((path) => fetch(marketUrl(place) + path)),
  )
  const [{ tasks }, { address }] = [list.parse(await open?.json()), signer.parse(await store?.json())]
  return { path: open?.headers.get('x-read-path'), tasks: JSON.stringify(tasks), store: address }
}
