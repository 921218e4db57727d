import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveDeployments } from '@svc/chain'
import type { SimBlock } from '../sim/chain.ts'
import { createNode } from '../sim/node.ts'
import { deploymentsOf } from '../sim/places.ts'
import { createRandom } from '../sim/random.ts'
import { serveNode } from '../sim/server.ts'
import { createSimulation, type Simulation } from '../sim/simulation.ts'

/** A simulated chain that never stands still, with two providers over HTTP. */
export interface LivingChain {
  simulation: Simulation
  /** Both providers, as `CHAIN_RPC_URL` wants them. */
  urls: string
  /** The addresses, as `SVC_DEPLOYMENTS` wants them. */
  deployments: string
  /** Stops blocks from coming, so that the index can be compared at rest; answers the head. */
  pause: () => SimBlock
  resume: () => void
  blocks: () => { mined: number; reorgs: number; deepest: number }
  close: () => Promise<void>
}

const deepestReorg = 40

/** Starts a chain of `blocks` blocks; then a block comes every 50 to 200 ms, and sometimes the last ones go another way. */
export async function startChain(seed: number, blocks: number): Promise<LivingChain> {
  const random = createRandom(seed, 31)
  const simulation = createSimulation({ seed, lags: { safe: 60, finalized: 400 } })
  simulation.mine(blocks)
  const servers = await Promise.all([0, 1].map(() => serveNode(createNode(simulation))))
  const dir = await mkdtemp(join(tmpdir(), 'chain-'))
  const deployments = join(dir, 'deployments.json')
  await saveDeployments(deployments, deploymentsOf(simulation.places, Number(simulation.startBlock)))
  const count = { mined: 0, reorgs: 0, deepest: 0 }
  let timer: NodeJS.Timeout | undefined

  const next = () => {
    if (random.chance(0.06)) {
      const depth = 1 + random.below(random.chance(0.2) ? deepestReorg : 6)
      simulation.reorg(depth, depth + random.below(3), { replay: random.below(100) / 100 })
      count.reorgs++
      count.deepest = Math.max(count.deepest, depth)
    } else {
      simulation.mine()
      count.mined++
    }
    resume()
  }
  const resume = () => {
    timer = setTimeout(next, 50 + random.below(150))
  }
  resume()

  return {
    simulation,
    urls: servers.map(({ url }) => url).join(','),
    deployments,
    pause: () => {
      clearTimeout(timer)
      return simulation.chain.head()
    },
    resume,
    blocks: () => count,
    close: async () => {
      clearTimeout(timer)
      await Promise.all(servers.map(({ close }) => close()))
      await rm(dir, { recursive: true, force: true })
    },
  }
}
