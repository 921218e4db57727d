import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cluster, startCluster } from '../harness/cluster.ts'
import { type IndexedWorld, startIndexedWorld } from '../harness/indexed.ts'
import { createDatabaseIn } from '../harness/postgres.ts'
import { type Service, startService } from '../harness/service.ts'

let cluster: Cluster
let world: IndexedWorld
let service: Service
beforeAll(async () => {
  cluster = await startCluster()
  world = await startIndexedWorld({
    fill: async () => [],
    database: () => createDatabaseIn(cluster.url, 'hanging'),
    onStalled: () => {},
  })
  service = await startService(world)
})
afterAll(async () => {
  await service?.stop()
  await world?.stop()
  await cluster?.remove()
})

const ask = async (limit: number) => {
  const { status, headers } = await service.app.request(`/api/market/open?limit=${limit}`)
  return { status, path: headers.get('x-read-path') }
}

test('while the database hangs the chain answers, and the index again afterwards', async () => {
  expect(await ask(1)).toEqual({ status: 200, path: 'index' })
  const goOn = await cluster.freeze()
  try {
    const began = performance.now()
    expect(await ask(2)).toEqual({ status: 200, path: 'direct' })
    expect(performance.now() - began).toBeLessThan(5_000)
    // Once it is known that the index is silent nobody waits for it.
    while (service.watch.indexed('standard')) await service.watch.changed(1_000)
    const known = performance.now()
    expect(await ask(3)).toEqual({ status: 200, path: 'direct' })
    expect(performance.now() - known).toBeLessThan(1_500)
  } finally {
    await goOn()
  }
  while (!service.watch.indexed('standard')) await service.watch.changed(1_000)
  expect(await ask(4)).toEqual({ status: 200, path: 'index' })
})
