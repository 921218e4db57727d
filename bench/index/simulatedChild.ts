// The process of a simulated chain: creates the whole chain, then serves it from memory until it is killed.
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { createNode } from '../../chaos/sim/node.ts'
import { buildDeployments } from '../../chaos/sim/places.ts'
import { serveNode } from '../../chaos/sim/server.ts'
import { createSimulation } from '../../chaos/sim/simulation.ts'
import type { SimulatedMessage, SimulatedOptions } from './simulated.ts'

const { seed, blocks, eventsPerBlock, quiet, held } = JSON.parse(process.argv[2] ?? '{}') as SimulatedOptions
const simulation = createSimulation({
  seed,
  wallets: 400,
  liveTasks: 1_000,
  load: () => eventsPerBlock,
  lags: { safe: 600, finalized: 6_000 },
})
simulation.mine(blocks)
simulation.mine(quiet, { empty: true, events: 0 })
let head = simulation.chain.head().number
simulation.mine(held)
const events = simulation.chain.blocks.slice(0, head + 1).reduce((sum, { logs }) => sum + logs.length, 0)
const node = createNode(simulation, { head: () => head })
const servers = await Promise.all([serveNode(node), serveNode(node)])
const say = (message: SimulatedMessage) => process.send?.(message)
// Ends with its parent.
process.once('disconnect', () => process.exit())
say({
  kind: 'ready',
  urls: servers.map(({ url }) => url),
  deployments: buildDeployments(simulation.places, Number(simulation.startBlock)),
  head,
  events,
})

const [{ everyMs }] = (await once(process, 'message')) as [{ everyMs: number }]
const start = Date.now()
for (let index = 1; index <= held; index++) {
  await wait(Math.max(0, start + index * everyMs - Date.now()))
  head++
  say({ kind: 'released', number: head, at: Date.now() })
}
