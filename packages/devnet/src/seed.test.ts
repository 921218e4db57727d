import { markets } from '@svc/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Devnet, startDevnet } from './devnet.ts'
import { countTasks, createScene, readStatuses } from './scene.ts'
import { seedTasks } from './seed.ts'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet({ bulk: true })
})
afterAll(() => devnet?.stop())

test('posts the requested number of tasks through the registry, half in each market', async () => {
  const { client, deployments } = devnet
  const progress: [number, number][] = []
  await seedTasks(client, deployments, 201, (...step) => progress.push(step))

  const scenes = markets.map((market) => createScene(client, deployments, market))
  expect(await Promise.all(scenes.map(countTasks))).toEqual([101, 100])
  expect(progress).toEqual([
    [101, 201],
    [201, 201],
  ])
  for (const scene of scenes) {
    const statuses = await readStatuses(scene, [1n, 50n, 100n])
    expect(statuses.map(({ phase }) => phase)).toEqual(['OPEN_FOR_CLAIM', 'OPEN_FOR_CLAIM', 'OPEN_FOR_CLAIM'])
  }
  // Automine must be on again: otherwise this would wait forever.
  expect((await client.getBlock()).transactions).toHaveLength(1)
})

test('a second run adds to the first', async () => {
  const { client, deployments } = devnet
  await seedTasks(client, deployments, 10)
  expect(await countTasks(createScene(client, deployments, 'micro'))).toBe(105)
})
