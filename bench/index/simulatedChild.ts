// The process of a simulated chain: creates the whole chain, then serves it from memory until it is killed.
import { setTimeout as wait } from 'node:timers/promises'
import { buildDeployments, createNode, createSimulation } from '@svc/simulation/chain'
import { createRandom } from '@svc/simulation/random'
import { capRange, delay } from '../../chaos/providers/faults.ts'
import { startProvider } from '../../chaos/providers/provider.ts'
import type { CallCounts, SimulatedMessage, SimulatedOptions, SimulatedRequest } from './simulated.ts'
import { createSparseChain } from './sparse.ts'

const options = JSON.parse(process.argv[2] ?? '{}') as SimulatedOptions
const { seed, blocks, eventsPerBlock, quiet, held, emptyShare = 0, fullBlooms = false } = options
const { latencies = [0, 0], maxRange, spread } = options
/** How much longer than its latency a provider may take. */
const jitterMs = 20
const simulation = createSimulation({
  seed,
  wallets: 400,
  liveTasks: 1_000,
  load: (random) => (random.chance(emptyShare) ? 0 : eventsPerBlock),
  fullBlooms,
  lags: { safe: 600, finalized: 6_000 },
})
simulation.mine(blocks)
simulation.mine(quiet, { empty: true, events: 0 })
let head = simulation.chain.head().number
simulation.mine(held)
const events = simulation.chain.blocks.slice(0, head + 1).reduce((sum, { logs }) => sum + logs.length, 0)
const [empty] = simulation.chain.blocks.slice(blocks + 1)
const sparse = spread && empty ? createSparseChain(simulation, spread, empty) : null
const node = sparse?.node ?? createNode(simulation, { head: () => head })
const listeners = new Set<(number: number) => void>()
const counts = latencies.map((): CallCounts => ({}))
const servers = await Promise.all(
  latencies.map((ms, index) => {
    const count = counts[index] ?? {}
    const slow = ms > 0 ? [delay(ms, jitterMs, createRandom(seed, index))] : []
    return startProvider(node, [...slow, ...(maxRange ? [capRange(maxRange)] : [])], {
      onCall: (method) => {
        count[method] = (count[method] ?? 0) + 1
      },
      heads: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    })
  }),
)
const say = (message: SimulatedMessage) => process.send?.(message)
// Ends with its parent.
process.once('disconnect', () => process.exit())
process.on('message', (request: SimulatedRequest) => {
  if (request.kind === 'count') say({ kind: 'calls', calls: counts })
  else void release(request.everyMs)
})
say({
  kind: 'ready',
  urls: servers.map(({ url }) => url),
  socketUrls: servers.map(({ socketUrl }) => socketUrl),
  deployments: buildDeployments(simulation.places, Number(simulation.startBlock) * (spread ?? 1)),
  head: sparse?.head ?? head,
  events,
})

async function release(everyMs: number): Promise<void> {
  const start = Date.now()
  for (let index = 1; index <= held; index++) {
    await wait(Math.max(0, start + index * everyMs - Date.now()))
    head++
    say({ kind: 'released', number: head, at: Date.now() })
    for (const listener of listeners) listener(head)
  }
}
