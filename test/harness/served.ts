import { type IndexedWorld, startIndexedWorld, type WorldOptions } from './indexed.ts'
import { type Service, startService } from './service.ts'

/** A world with its index, and an API over both. */
export interface ServedWorld {
  world: IndexedWorld
  service: Service
  stop: () => Promise<void>
}

/** Starts the world, the index and the API. */
export async function startServedWorld(options?: WorldOptions): Promise<ServedWorld> {
  const world = await startIndexedWorld(options)
  const service = await startService(world).catch(async (error: Error) => {
    await world.stop()
    throw error
  })
  return {
    world,
    service,
    async stop() {
      await service.stop()
      await world.stop()
    },
  }
}
