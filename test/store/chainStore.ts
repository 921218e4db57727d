import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getMarketDeployment, type MarketDeployment, type Providers, saveDeployments } from '@svc/chain'
import { accounts, createScene, type Devnet, type Scene, sendTopUp, setUpMarkets, startDevnet } from '@svc/devnet'
import { createServiceVerifier, type RoomLimits } from '@svc/serve'
import { type LocalAccount, parseUnits } from 'viem'
import type { StoreAppDeps } from '../../apps/store/src/app.ts'
import { createTaskSource } from '../../apps/store/src/taskAccess.ts'
import { createDevnetProviders } from '../harness/devnetProviders.ts'
import { createTestDatabase } from '../harness/postgres.ts'
import { startTestStore, type TestStore } from '../harness/storeApp.ts'
import { startEngine } from './engines.ts'

/** A store over a real chain, a folder and a database. The chain begins a day ago. */
export interface ChainStore {
  devnet: Devnet
  /** The micro market, where `people` have deposits. */
  scene: Scene
  providers: Providers
  deployment: MarketDeployment
  /** A folder for the test, with the file of the deployments. */
  folder: string
  deploymentsFile: string
  service: TestStore
  /** Starts another store over the same folder and database. */
  startStore: (more?: Partial<StoreAppDeps>) => Promise<TestStore>
  stop: () => Promise<void>
}

export async function startChainStore(
  more: (
    providers: Providers,
    deployment: MarketDeployment,
  ) => Partial<StoreAppDeps> & { roomLimits?: RoomLimits } = () => ({}),
  people: readonly LocalAccount[] = [accounts.ada, accounts.emeka],
): Promise<ChainStore> {
  const folder = await mkdtemp(join(tmpdir(), 'chain-store-'))
  const devnet = await startDevnet({ genesisTime: Math.floor(Date.now() / 1000) - 86_400 })
  const { client, deployments } = devnet
  await setUpMarkets(client, deployments)
  const scene = createScene(client, deployments, 'micro')
  for (const person of people) await sendTopUp(scene, person, parseUnits('400', 6))
  const deploymentsFile = join(folder, 'deployments.json')
  await saveDeployments(deploymentsFile, deployments)
  const engine = await startEngine('folder')
  const database = await createTestDatabase()
  const providers = createDevnetProviders(devnet)
  const deployment = getMarketDeployment(deployments)
  const source = createTaskSource(providers, deployment)
  const own = {
    objects: engine.objects,
    databaseUrl: database.url,
    // No cache: a test changes the chain and looks at once.
    tasks: { ...source, readRecentTask: source.readTask },
    deployments,
    verifySignature: createServiceVerifier(providers),
    ...more(providers, deployment),
  }
  const startStore: ChainStore['startStore'] = (others) => startTestStore({ ...own, ...others })
  const service = await startStore()
  return {
    devnet,
    scene,
    providers,
    deployment,
    folder,
    deploymentsFile,
    service,
    startStore,
    async stop() {
      await service.stop()
      await engine.stop()
      await database.drop()
      await devnet.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
