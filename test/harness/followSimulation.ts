import { createProvider, createViemChain, type Provider } from '@svc/chain'
import { createBuild, createConnector } from '@svc/index'
import { type RpcNode, type Simulation, simRpc } from '@svc/simulation/chain'
import { type FollowOptions, followChain, type Progress } from '../../apps/indexer/src/follow.ts'

/** A provider of a simulated chain. */
export const createSimProvider = ({ places }: Simulation, node: RpcNode, name: string): Provider =>
  createProvider(simRpc(node, { name }), createViemChain(places.chainId, places.multicall3))

interface FollowSimulationOptions extends Partial<Omit<FollowOptions, 'onProgress'>> {
  simulation: Simulation
  /** The database. */
  url: string
  /** The nodes that are followed, as `node 0` and so on. */
  nodes?: readonly RpcNode[]
  onProgress: (progress: Progress, stop: () => void) => void
}

/** Follows a market of a simulated chain as the indexer does, until `stop` is called. Creates its build first. */
export async function followSimulation(options: FollowSimulationOptions): Promise<void> {
  const { simulation, url, market = 'standard', build = 'a', nodes = [], onProgress, ...others } = options
  const connect = createConnector(url)
  const sql = connect('public')
  await createBuild(sql, build)
  await sql.end()
  const stop = new AbortController()
  await followChain({
    market,
    build,
    connect,
    providers: nodes.map((node, index) => createSimProvider(simulation, node, `node ${index}`)),
    chainId: simulation.places.chainId,
    contracts: simulation.places.markets[market],
    startBlock: simulation.startBlock,
    pause: async () => {},
    signal: stop.signal,
    onProgress: (progress) => onProgress(progress, () => stop.abort()),
    ...others,
  })
}

/** Stops a follower that has caught up or is halted. */
export function stopAtEnd({ kind }: Progress, stop: () => void): void {
  if (kind === 'caughtUp' || kind === 'halted') stop()
}
