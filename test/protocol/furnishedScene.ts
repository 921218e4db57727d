import { createProviders, createRpc, createViemChain, type Providers } from '@svc/chain'
import { createScene, type Devnet, type Scene, setUpMarkets, startDevnet } from '@svc/devnet'

/** A devnet with funded people in the standard market. */
export interface Furnished {
  devnet: Devnet
  scene: Scene
  providers: Providers
}

/** Starts it. The caller must stop the devnet. */
export async function startFurnishedScene(): Promise<Furnished> {
  const devnet = await startDevnet()
  await setUpMarkets(devnet.client, devnet.deployments)
  return {
    devnet,
    scene: createScene(devnet.client, devnet.deployments, 'standard'),
    providers: createProviders([createRpc({ name: 'devnet', url: devnet.rpcUrl })], createViemChain(8453)),
  }
}
