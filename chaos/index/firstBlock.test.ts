import { createProvider, createViemChain } from '@svc/chain'
import { createBuild, createConnector } from '@svc/index'
import postgres from 'postgres'
import { expect, test } from 'vitest'
import { followChain } from '../../apps/indexer/src/follow.ts'
import { createTestDatabase } from '../../test/harness/postgres.ts'
import { createNode, type SimNode } from '../sim/node.ts'
import { simRpc } from '../sim/rpc.ts'
import { createSimulation } from '../sim/simulation.ts'

test('an index does not start from a first block that only one provider has', async () => {
  const simulation = createSimulation({ seed: 1 })
  const elsewhere = createNode(createSimulation({ seed: 2 }))
  const honest = createNode(simulation)
  simulation.mine(5)
  const { chain, places, startBlock } = simulation
  let faults = 0
  // It has the right chain id and gives one wrong answer. Nothing else would reveal it.
  const faulty: SimNode = {
    answer: (method, params) => (params[0] === '0x0' && faults++ === 0 ? elsewhere : honest).answer(method, params),
  }
  const providers = [faulty, honest, honest].map((node, index) =>
    createProvider(simRpc(node, { name: `node ${index}` }), createViemChain(places.chainId)),
  )
  const database = await createTestDatabase()
  const sql = postgres(database.url, { fetch_types: false, onnotice: () => {}, max: 1 })
  await createBuild(sql, 'a')
  const stop = new AbortController()
  const seen: string[] = []
  const stalls: string[] = []
  await followChain({
    market: 'standard',
    build: 'a',
    connect: createConnector(database.url),
    providers,
    chainId: places.chainId,
    contracts: places.markets.standard,
    startBlock,
    onProgress(progress) {
      if ('cursor' in progress) seen.push(progress.cursor.hash)
      if (progress.kind === 'stalled') stalls.push(progress.error.message)
      if (progress.kind === 'caughtUp' || progress.kind === 'halted') stop.abort()
    },
    pause: async () => {},
    signal: stop.signal,
  })
  await sql.end()
  await database.drop()
  expect(stalls).toEqual(['node 0 and node 1 have different blocks 0.'])
  expect(seen[0]).toBe(chain.blockAt(0)?.hash)
  expect(seen.at(-1)).toBe(chain.head().hash)
})
