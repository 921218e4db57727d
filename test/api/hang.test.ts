import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cluster, startCluster } from '../harness/cluster.ts'
import { createTestDatabaseIn } from '../harness/postgres.ts'
import { type ServedWorld, startServedWorld } from '../harness/served.ts'

let cluster: Cluster
let served: ServedWorld
let service: ServedWorld['service']
beforeAll(async () => {
  cluster = await startCluster()
  served = await startServedWorld({
    fill: async () => [],
    database: () => createTestDatabaseIn(cluster.url, 'hanging'),
    onStalled: () => {},
  })
  ;({ service } = served)
})
afterAll(async () => {
  await served?.stop()
  await cluster?.remove()
})

const ask = async (limit: number) => {
  const { status, headers } = await service.app.request(`/api/market/open?limit=${limit}`)
  return { status, path: headers.get('x-read-path') }
}

test('while the database hangs, reads come from the chain, and from the index again afterwards', async () => {
  expect(await ask(1)).toEqual({ status: 200, path: 'index' })
  const goOn = await cluster.freeze()
  try {
    const began = performance.now()
    expect(await ask(2)).toEqual({ status: 200, path: 'chain' })
    expect(performance.now() - began).toBeLessThan(5_000)
    // Once the index is known to hang, no read waits for it.
    while (service.watch.indexed('standard')) await service.watch.changed(1_000)
    const known = performance.now()
    expect(await ask(3)).toEqual({ status: 200, path: 'chain' })
    expect(performance.now() - known).toBeLessThan(1_500)
  } finally {
    await goOn()
  }
  while (!service.watch.indexed('standard')) await service.watch.changed(1_000)
  expect(await ask(4)).toEqual({ status: 200, path: 'index' })
})
