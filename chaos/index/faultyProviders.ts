import type { Rpc } from '@svc/chain'
import type { Market } from '@svc/protocol'
import {
  createFaultyNode,
  createNode,
  createSimulation,
  type FaultyNode,
  type SimNode,
  type Simulation,
  simRpc,
} from '@svc/simulation/chain'
import { createRandom, type Random } from '@svc/simulation/random'

/**
 * Creates three providers for each market. Each has its own random numbers, so the requests of one market do not affect the other.
 * Blocks that are read without headers have no bloom that shows missing logs. The index cannot notice if two providers omit the
 * same logs there, so only one of the three omits any.
 */
export function createFaultyProviders(simulation: Simulation, seed: number, settled: boolean) {
  const other = createSimulation({ seed: seed + 1_000_000 })
  other.mine(20)
  const elsewhere = createNode(other)
  const nodes: FaultyNode[] = []
  const createRpcs = (market: number) =>
    [0, 1, 2].map((index) => {
      const node = createFaultyProvider(
        simulation,
        elsewhere,
        createRandom(seed, 99, market * 3 + index),
        settled && index > 0,
      )
      nodes.push(node)
      return simRpc(node, { name: `node ${index}` })
    })
  return {
    rpcs: { standard: createRpcs(0), micro: createRpcs(1) } satisfies Record<Market, readonly Rpc[]>,
    faults: () => nodes.reduce((sum, { lies }) => sum + lies.length, 0),
    becomeHonest() {
      for (const node of nodes) node.setHonest(true)
    },
  }
}

function createFaultyProvider(simulation: Simulation, other: SimNode, random: Random, isComplete: boolean): FaultyNode {
  // Some fail at almost every request. If all did, the index would make no progress.
  const measure = random.pick([0.25, 0.5, 1])
  const odd = () => (measure * random.below(6)) / 100
  const leavesOut = { emptyLogs: odd(), partialLogs: odd(), foreignLogs: odd(), otherChain: odd() / 4 }
  return createFaultyNode(simulation, {
    random,
    odds: {
      ...(!isComplete && leavesOut),
      duplicateLogs: odd(),
      shuffledLogs: odd(),
      staleHead: odd() * 2,
      wrongParent: odd() / 4,
      zeroedBloom: odd() / 4,
      wrongTimestamp: odd() / 4,
      falseHeader: odd() / 4,
      nullBlock: odd() / 4,
      notJson: odd() / 4,
      truncatedJson: odd() / 4,
      tooManyRequests: odd() / 8,
      serverError: odd() / 4,
      silence: odd() / 4,
    },
    ...(random.chance(0.5) && { rangeLimit: true as const }),
    ...(random.chance(0.5) && { logLimit: true as const }),
    blockTimestamps: random.chance(0.7),
    keepsOrphans: random.chance(0.5),
    other,
  })
}
