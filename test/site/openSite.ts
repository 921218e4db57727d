import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSigningContext, getMarketDeployment } from '@svc/chain'
import { accounts, type DemoBundle, saveBundles } from '@svc/devnet'
import { createDatabase, createServiceVerifier } from '@svc/serve'
import type { Browser } from 'playwright-core'
import { importFolder } from '../../apps/store/src/importFolder.ts'
import { createFolderStore } from '../../apps/store/src/objects/folderStore.ts'
import { createRecords, storeSchema } from '../../apps/store/src/records/records.ts'
import { createTaskSource } from '../../apps/store/src/taskAccess.ts'
import { launchBrowser } from '../harness/browser.ts'
import { type IndexedWorld, startIndexedWorld, type WorldOptions } from '../harness/indexed.ts'
import { type SiteStack, serveSiteBuild, startSite } from '../harness/site.ts'
import { startTestStore, type TestStore } from '../harness/storeApp.ts'

/** The whole market behind one address, and a browser to look at it. */
export interface OpenSite {
  stack: SiteStack
  browser: Browser
  close: () => Promise<void>
}

/** Starts both. */
export async function openSite(options: WorldOptions = {}): Promise<OpenSite> {
  const [stack, browser] = await Promise.all([startSite(options), launchBrowser()])
  return {
    stack,
    browser,
    async close() {
      await browser.close()
      await stack.stop()
    },
  }
}

/** The same, with a store of delivered work behind the site. */
export interface OpenStoreSite extends OpenSite {
  store: TestStore
  /** Brings bundles into the store, whoever made them. */
  importBundles: (bundles: readonly DemoBundle[]) => Promise<void>
}

/** Starts everything with a store, which holds the work of the demo world. */
export async function openStoreSite(options: WorldOptions = {}): Promise<OpenStoreSite> {
  const [world, browser] = await Promise.all([startIndexedWorld(options), launchBrowser()])
  const folder = await mkdtemp(join(tmpdir(), 'site-store-'))
  // The site's port is known only once it listens.
  const domains: string[] = []
  const store = await startWorldStore(world, folder, domains)
  const importBundles = async (bundles: readonly DemoBundle[]) => {
    const source = await mkdtemp(join(tmpdir(), 'bundles-'))
    await saveBundles(source, bundles)
    const { deployments } = world.devnet
    await importFolder(source, {
      ...createRecords(createDatabase(store.sql, storeSchema)),
      objects: createFolderStore(folder),
      chainId: deployments.chainId,
      signingContext: (market) => createSigningContext(deployments, market),
    })
    await rm(source, { recursive: true })
  }
  await importBundles(world.bundles)
  const { address } = accounts.store
  const served = await serveSiteBuild(world, undefined, { store: { url: store.url, address } })
  domains.push(new URL(served.url).host)
  return {
    stack: { ...served, world },
    browser,
    store,
    importBundles,
    async close() {
      await browser.close()
      await served.stop()
      await store.stop()
      await world.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a store over a world, with this folder. Sign-ins for these domains count. */
export function startWorldStore(
  { devnet, database, providers }: IndexedWorld,
  folder: string,
  domains: readonly string[],
): Promise<TestStore> {
  const tasks = createTaskSource(providers, getMarketDeployment(devnet.deployments))
  return startTestStore({
    objects: createFolderStore(folder),
    databaseUrl: database.url,
    // No cache: a person acts as soon as the chain allows it.
    tasks: { ...tasks, readRecentTask: tasks.readTask },
    deployments: devnet.deployments,
    verifySignature: createServiceVerifier(providers),
    domains,
    clerk: null,
  })
}
