import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen } from '@svc/serve'
import type { AppDeps } from '../../apps/api/src/app.ts'
import { loadSite } from '../../apps/api/src/site.ts'
import type { SiteBuildOptions } from '../../scripts/dev/siteBuild.ts'
import { provideSite } from './buildSite.ts'
import { type IndexedWorld, startIndexedWorld, type WorldOptions } from './indexed.ts'
import { type Service, startService } from './service.ts'

/** A whole market behind one URL: devnet, index, API and the built site. */
export interface SiteStack {
  world: IndexedWorld
  service: Service
  url: string
  /** The folder with the built site. */
  folder: string
  stop: () => Promise<void>
}

/** Starts everything on a free port. */
export async function startSite(options: WorldOptions = {}, others: Partial<AppDeps> = {}): Promise<SiteStack> {
  const world = await startIndexedWorld(options)
  const served = await serveSiteBuild(world, {}, others)
  return {
    ...served,
    world,
    async stop() {
      await served.stop()
      await world.stop()
    },
  }
}

/** Serves a build of the site, with its own API, on a free port. Several builds can share a world. */
export async function serveSiteBuild(
  world: IndexedWorld,
  options?: SiteBuildOptions,
  others: Partial<AppDeps> = {},
): Promise<Omit<SiteStack, 'world'>> {
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  await provideSite(world.devnet.deployments, folder, options)
  const service = await startService(world, { site: await loadSite(join(folder, 'dist')), ...others })
  const { port, close } = await listen({
    fetch: service.app.fetch,
    port: 0,
    hostname: '127.0.0.1',
    maxConnections: 1_000,
    onFault: console.error,
  })
  return {
    service,
    url: `http://127.0.0.1:${port}`,
    folder,
    async stop() {
      await close(1_000)
      await service.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
