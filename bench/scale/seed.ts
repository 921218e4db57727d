import { markets } from '@svc/protocol'
import { createNode, createSimulation, type Simulation } from '@svc/simulation/chain'
import type { Progress } from '../../apps/indexer/src/follow.ts'
import { followSimulation } from '../../test/harness/followSimulation.ts'

const build = 'seed'

/** Fills build `seed` with real rows, from a simulated chain with about 40 events per block. */
export async function seedBuild({ url, blocks, maxBlocks = 200 }: SeedOptions): Promise<void> {
  const simulation = createSimulation({ seed: 11, wallets: 60, liveTasks: 120, load: () => 40 })
  simulation.mine(blocks)
  await indexSimulation(simulation, url, maxBlocks)
}

/** Fills build `seed` from a simulated chain. */
export async function indexSimulation(simulation: Simulation, url: string, maxBlocks = 200): Promise<void> {
  const nodes = [createNode(simulation)]
  for (const market of markets) {
    let failure: Error | null = null
    const onProgress = (progress: Progress, stop: () => void) => {
      if (progress.kind === 'stalled') failure = progress.error
      if (progress.kind === 'halted') failure = new Error(progress.reason)
      if (progress.kind === 'caughtUp' || failure) stop()
    }
    await followSimulation({ simulation, url, market, build, nodes, maxBlocks, onProgress })
    if (failure) throw failure
  }
}

interface SeedOptions {
  url: string
  blocks: number
  /** The most blocks in one step of the writer. */
  maxBlocks?: number
}
