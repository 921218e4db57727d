import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveDeployments } from '@svc/chain'
import {
  buildDeployments,
  createNode,
  createSimulation,
  type SimBlock,
  type Simulation,
  serveNode,
} from '@svc/simulation/chain'
import { createRandom } from '@svc/simulation/random'

/** A simulated chain that keeps mining, with two providers over HTTP. */
export interface LiveChain {
  simulation: Simulation
  /** Both providers, in the format of `CHAIN_RPC_URL`. */
  urls: string
  /** The file for `SVC_DEPLOYMENTS`. */
  deployments: string
  /** Stops mining, so that the index can be compared, and returns the head. */
  pause: () => SimBlock
  resume: () => void
  blocks: () => { mined: number; reorgs: number; deepest: number }
  close: () => Promise<void>
}

const deepestReorg = 40

/** Starts a chain with `blocks` blocks. Then a block is mined every 50 to 200 ms, with a reorganisation now and then. */
export async function startLiveChain(seed: number, blocks: number): Promise<LiveChain> {
  const random = createRandom(seed, 31)
  const simulation = createSimulation({ seed, lags: { safe: 60, finalized: 400 } })
  simulation.mine(blocks)
  const servers = await Promise.all([0, 1].map(() => serveNode(createNode(simulation))))
  const dir = await mkdtemp(join(tmpdir(), 'chain-'))
  const deployments = join(dir, 'deployments.json')
  await saveDeployments(deployments, buildDeployments(simulation.places, Number(simulation.startBlock)))
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
