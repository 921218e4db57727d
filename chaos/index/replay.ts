import { chainOf, providerOf } from '@svc/chain'
import { connector, createBuild, dropBuild, schemaOf } from '@svc/index'
import { markets } from '@svc/protocol'
import type { Sql } from 'postgres'
import { follow, type Progress } from '../../apps/indexer/src/follow.ts'
import { createNode } from '../sim/node.ts'
import { simRpc } from '../sim/rpc.ts'
import type { Simulation } from '../sim/simulation.ts'
import type { Falsehood } from './truth.ts'

/** Fills a second index from nothing by one honest node; the first row that is not in both, where there is one. */
export async function findDifference(
  simulation: Simulation,
  sql: Sql,
  url: string,
  build: string,
): Promise<Falsehood | null> {
  const { chain, places, startBlock } = simulation
  await createBuild(sql, 'replay')
  const provider = providerOf(simRpc(createNode(simulation), { name: 'honest' }), chainOf(places.chainId))
  for (const market of markets) {
    const stop = new AbortController()
    await follow({
      market,
      build: 'replay',
      connect: connector(url),
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
    const [a, b] = [build, 'replay'].map((each) => sql(`${schemaOf(each)}.${table}`)) as [never, never]
    const columns = table === 'cursor' ? sql`market, number, hash, digest, events` : sql`*`
    const [row] = await sql`(select ${columns} from ${a} except select ${columns} from ${b})
      union all (select ${columns} from ${b} except select ${columns} from ${a}) limit 1`
    if (row) {
      return {
        market: 'standard',
        block: chain.head().number,
        what: `a row of ${table}`,
        said: row,
        truth: 'not in both',
      }
    }
  }
  await dropBuild(sql, 'replay')
  return null
}
