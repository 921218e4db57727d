import { createProvider, createViemChain } from '@svc/chain'
import { createBuild, createConnector, dropBuild, getSchemaName } from '@svc/index'
import { markets } from '@svc/protocol'
import type { Sql } from 'postgres'
import { followChain, type Progress } from '../../apps/indexer/src/follow.ts'
import { createNode } from '../sim/node.ts'
import { simRpc } from '../sim/rpc.ts'
import type { Simulation } from '../sim/simulation.ts'
import type { Mismatch } from './findMismatch.ts'

/** Fills a second index from one honest node and returns the first row that is not in both, or null. */
export async function findDifference(
  simulation: Simulation,
  sql: Sql,
  url: string,
  build: string,
): Promise<Mismatch | null> {
  const { chain, places, startBlock } = simulation
  await createBuild(sql, 'replay')
  const provider = createProvider(simRpc(createNode(simulation), { name: 'honest' }), createViemChain(places.chainId))
  for (const market of markets) {
    const stop = new AbortController()
    await followChain({
      market,
      build: 'replay',
      connect: createConnector(url),
      providers: [provider],
      chainId: places.chainId,
      contracts: places.markets[market],
      startBlock,
      onProgress: (progress: Progress) => {
        if (progress.kind === 'caughtUp' || progress.kind === 'halted') stop.abort()
      },
      pause: async () => {},
      signal: stop.signal,
    })
  }
  for (const table of ['cursor', 'event', 'task', 'agent', 'arbitrator', 'entity']) {
    const [a, b] = [build, 'replay'].map((each) => sql(`${getSchemaName(each)}.${table}`)) as [never, never]
    const columns = table === 'cursor' ? sql`market, number, hash, digest, events` : sql`*`
    const [row] = await sql`(select ${columns} from ${a} except select ${columns} from ${b})
      union all (select ${columns} from ${b} except select ${columns} from ${a}) limit 1`
    if (row) {
      return {
        market: 'standard',
        block: chain.head().number,
        what: `a row of ${table}`,
        actual: row,
        expected: 'not in both',
      }
    }
  }
  await dropBuild(sql, 'replay')
  return null
}
