import { chainOf, providerOf } from '@svc/chain'
import { connector, createBuild } from '@svc/index'
import postgres from 'postgres'
import { expect, test } from 'vitest'
import { follow } from '../../apps/indexer/src/follow.ts'
import { createDatabase } from '../../test/harness/postgres.ts'
import { createNode, type SimNode } from '../sim/node.ts'
import { simRpc } from '../sim/rpc.ts'
import { createSimulation } from '../sim/simulation.ts'

test('an index is not built on a first block that one provider made up', async () => {
  const simulation = createSimulation({ seed: 1 })
  const elsewhere = createNode(createSimulation({ seed: 2 }))
  const honest = createNode(simulation)
  simulation.mine(5)
  const { chain, places, startBlock } = simulation
  let lies = 0
  // On our chain by its number, and with one false answer: nothing else would ever show it up.
  const liar: SimNode = {
    answer: (method, params) => (params[0] === '0x0' && lies++ === 0 ? elsewhere : honest).answer(method, params),
  }
  const providers = [liar, honest, honest].map((node, index) =>
    providerOf(simRpc(node, { name: `node ${index}` }), chainOf(places.chainId)),
  )
  const database = await createDatabase()
  const sql = postgres(database.url, { fetch_types: false, onnotice: () => {}, max: 1 })
  await createBuild(sql, 'a')
  const stop = new AbortController()
  const seen: string[] = []
  const doubts: string[] = []
  await follow({
    market: 'standard',
    build: 'a',
    connect: connector(database.url),
    providers,
    chainId: places.chainId,
    contracts: places.markets.standard,
    startBlock,
    onProgress(progress) {
      if ('cursor' in progress) seen.push(progress.cursor.hash)
      if (progress.kind === 'stalled') doubts.push(progress.error.message)
      if (progress.kind === 'caughtUp' || progress.kind === 'halted') stop.abort()
    },
    pause: async () => {},
    signal: stop.signal,
  })
  await sql.end()
  await database.drop()
  expect(doubts).toEqual(['Not everybody has the same block 0.'])
  expect(seen[0]).toBe(chain.blockAt(0)?.hash)
  expect(seen.at(-1)).toBe(chain.head().hash)
})
