import { createProvider, createViemChain } from '@svc/chain'
import { createBuild, createConnector } from '@svc/index'
import { markets } from '@svc/protocol'
import postgres from 'postgres'
import { followChain, type Progress } from '../../apps/indexer/src/follow.ts'
import { createNode } from '../../chaos/sim/node.ts'
import { simRpc } from '../../chaos/sim/rpc.ts'
import { createSimulation, type Simulation } from '../../chaos/sim/simulation.ts'

const build = 'seed'

/** Fills build `seed` with real rows, from a simulated chain with about 40 events per block. */
export async function seedBuild({ url, blocks, maxBlocks = 200 }: SeedOptions): Promise<void> {
  const simulation = createSimulation({ seed: 11, wallets: 60, liveTasks: 120, load: () => 40 })
  simulation.mine(blocks)
  await indexSimulation(simulation, url, maxBlocks)
}

/** Fills build `seed` from a simulated chain. */
export async function indexSimulation(simulation: Simulation, url: string, maxBlocks = 200): Promise<void> {
  const { chainId, multicall3, markets: places } = simulation.places
  const provider = createProvider(
    simRpc(createNode(simulation), { name: 'node' }),
    createViemChain(chainId, multicall3),
  )
  const sql = postgres(url, { fetch_types: false, max: 1, onnotice: () => {} })
  await createBuild(sql, build)
  await sql.end()
  for (const market of markets) {
    const stop = new AbortController()
    let failure: Error | null = null
    const onProgress = (progress: Progress) => {
      if (progress.kind === 'stalled') failure = progress.error
      if (progress.kind === 'halted') failure = new Error(progress.reason)
      if (progress.kind === 'caughtUp' || failure) stop.abort()
    }
    const connect = createConnector(url)
    const pause = async () => {}
    const from = { providers: [provider], chainId, contracts: places[market], startBlock: simulation.startBlock }
    await followChain({ market, build, connect, ...from, maxBlocks, onProgress, pause, signal: stop.signal })
    if (failure) throw failure
  }
}

interface SeedOptions {
  url: string
  blocks: number
  /** The most blocks in one step of the writer. */
  maxBlocks?: number
}
