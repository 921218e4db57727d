import { setTimeout as wait } from 'node:timers/promises'
import { createProvider, createRpc, createViemChain } from '@svc/chain'
import { createBuild, createConnector } from '@svc/index'
import { expect, test } from 'vitest'
import { followChain } from '../../apps/indexer/src/follow.ts'
import { delayLogs } from '../../chaos/providers/faults.ts'
import { startProvider } from '../../chaos/providers/provider.ts'
import { createNode } from '../../chaos/sim/node.ts'
import { createSimulation } from '../../chaos/sim/simulation.ts'
import { createTestDatabase } from '../harness/postgres.ts'

// An index asked for the same range for ever if its answer took longer than a timeout.
test('a block with 5,000 events is followed at providers that are slow in proportion to their answer', async () => {
  const simulation = createSimulation({ seed: 5, load: () => 20 })
  simulation.mine(20)
  const dense = simulation.mine(1, { events: 5_000 })
  simulation.mine(3)
  expect(dense.logs.length).toBeGreaterThanOrEqual(5_000)
  const { chain, places } = simulation
  const addresses = new Set(Object.values(places.markets.standard).map((address) => address.toLowerCase()))
  const own = dense.logs.filter(({ address }) => addresses.has(address)).length
  // Longer than the logs of a block may take at first, and shorter than they may ever take.
  const fault = delayLogs(5_000 / own)
  const servers = await Promise.all([0, 1].map(() => startProvider(createNode(simulation), [fault])))
  const database = await createTestDatabase()
  const connect = createConnector(database.url)
  const sql = connect('public')
  await createBuild(sql, 'a')
  const stop = new AbortController()
  let head = ''
  await followChain({
    market: 'standard',
    build: 'a',
    connect,
    providers: servers.map(({ url }, index) =>
      createProvider(
        createRpc({ name: `provider ${index + 1}`, url, hasAlternative: true }),
        createViemChain(places.chainId),
      ),
    ),
    chainId: places.chainId,
    contracts: places.markets.standard,
    startBlock: simulation.startBlock,
    pause: () => wait(10),
    signal: stop.signal,
    onProgress(progress) {
      if (progress.kind !== 'caughtUp' || progress.cursor.hash !== chain.head().hash) return
      head = progress.cursor.hash
      stop.abort()
    },
  })
  expect(head).toBe(chain.head().hash)
  await sql.end({ timeout: 1 })
  await Promise.all([database.drop(), ...servers.map(({ close }) => close())])
})
