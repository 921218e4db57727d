import { createNode, createSimulation, type SimNode } from '@svc/simulation/chain'
import { expect, test } from 'vitest'
import { followSimulation, stopAtEnd } from '../../test/harness/followSimulation.ts'
import { createTestDatabase } from '../../test/harness/postgres.ts'

test('an index does not start from a first block that only one provider has', async () => {
  const simulation = createSimulation({ seed: 1 })
  const elsewhere = createNode(createSimulation({ seed: 2 }))
  const honest = createNode(simulation)
  simulation.mine(5)
  const { chain } = simulation
  let faults = 0
  // It has the right chain id and gives one wrong answer. Nothing else would reveal it.
  const faulty: SimNode = {
    answer: (method, params) => (params[0] === '0x0' && faults++ === 0 ? elsewhere : honest).answer(method, params),
  }
  const database = await createTestDatabase()
  const seen: string[] = []
  const stalls: string[] = []
  await followSimulation({
    simulation,
    url: database.url,
    nodes: [faulty, honest, honest],
    onProgress(progress, stop) {
      if ('cursor' in progress) seen.push(progress.cursor.hash)
      if (progress.kind === 'stalled') stalls.push(progress.error.message)
      stopAtEnd(progress, stop)
    },
  })
  await database.drop()
  expect(stalls).toEqual(['node 0 and node 1 have different blocks 0.'])
  expect(seen[0]).toBe(chain.blockAt(0)?.hash)
  expect(seen.at(-1)).toBe(chain.head().hash)
})
