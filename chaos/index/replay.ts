import { dropBuild, getSchemaName } from '@svc/index'
import { markets } from '@svc/protocol'
import { createNode, type Simulation } from '@svc/simulation/chain'
import type { Sql } from 'postgres'
import { followSimulation, stopAtEnd } from '../../test/harness/followSimulation.ts'
import type { Mismatch } from '../shared/findMismatch.ts'

/** Fills a second index from one honest node and returns the first row that is not in both, or null. */
export async function findDifference(
  simulation: Simulation,
  sql: Sql,
  url: string,
  build: string,
): Promise<Mismatch | null> {
  const nodes = [createNode(simulation)]
  for (const market of markets)
    await followSimulation({ simulation, url, market, build: 'replay', nodes, onProgress: stopAtEnd })
  for (const table of ['cursor', 'event', 'task', 'agent', 'arbitrator', 'entity']) {
    const [a, b] = [build, 'replay'].map((each) => sql(`${getSchemaName(each)}.${table}`)) as [never, never]
    const columns = table === 'cursor' ? sql`market, number, hash, digest, events` : sql`*`
    const [row] = await sql`(select ${columns} from ${a} except select ${columns} from ${b})
      union all (select ${columns} from ${b} except select ${columns} from ${a}) limit 1`
    if (row) {
      return {
        market: 'standard',
        block: simulation.chain.head().number,
        what: `a row of ${table}`,
        actual: row,
        expected: 'not in both',
      }
    }
  }
  await dropBuild(sql, 'replay')
  return null
}
