import { setTimeout as wait } from 'node:timers/promises'
import { createProvider, createRpc, createViemChain } from '@svc/chain'
import { createNode, createSimulation, type Simulation } from '@svc/simulation/chain'
import { expect, test } from 'vitest'
import type { Progress } from '../../apps/indexer/src/follow.ts'
import { delayLogs, lagBehind, type ProviderFault } from '../../chaos/providers/faults.ts'
import { startProvider } from '../../chaos/providers/provider.ts'
import { followSimulation } from '../harness/followSimulation.ts'
import { createTestDatabase } from '../harness/postgres.ts'

/** Follows a market at providers with these faults until `onProgress` returns true. */
async function follow(
  simulation: Simulation,
  faults: readonly ProviderFault[][],
  onProgress: (progress: Progress) => boolean,
): Promise<void> {
  const servers = await Promise.all(faults.map((each) => startProvider(createNode(simulation), each)))
  const database = await createTestDatabase()
  await followSimulation({
    simulation,
    url: database.url,
    providers: servers.map(({ url }, index) =>
      createProvider(
        createRpc({ name: `provider ${index + 1}`, url, hasAlternative: true }),
        createViemChain(simulation.places.chainId),
      ),
    ),
    pause: () => wait(10),
    onProgress(progress, stop) {
      if (onProgress(progress)) stop()
    },
  })
  await Promise.all([database.drop(), ...servers.map(({ close }) => close())])
}

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
  let head = ''
  await follow(simulation, [[fault], [fault]], (progress) => {
    if (progress.kind !== 'caughtUp' || progress.cursor.hash !== chain.head().hash) return false
    head = progress.cursor.hash
    return true
  })
  expect(head).toBe(chain.head().hash)
})

// The pair of the last step was asked again as long as it had a new block, and one that lags has one at every step.
test('an index does not stay behind with a provider that lags', async () => {
  const simulation = createSimulation({ seed: 5 })
  simulation.mine(40)
  let [steps, closest] = [0, Number.POSITIVE_INFINITY]
  await follow(simulation, [[lagBehind(20)], [], []], (progress) => {
    if (progress.kind !== 'appended') return false
    closest = Math.min(closest, simulation.chain.head().number - Number(progress.cursor.number))
    simulation.mine(1)
    return ++steps === 40
  })
  expect(closest).toBeLessThan(3)
})
