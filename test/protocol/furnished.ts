import { chainOf, createProviders, createRpc, type Providers } from '@svc/chain'
import { createScene, type Devnet, furnish, type Scene, startDevnet } from '@svc/devnet'

/** A devnet whose people can act at once, in the standard market. */
export interface Furnished {
  devnet: Devnet
  scene: Scene
  providers: Providers
}

/** Starts it; whoever starts it stops the devnet. */
export async function startFurnishedScene(): Promise<Furnished> {
  const devnet = await startDevnet()
  await furnish(devnet.client, devnet.deployments)
  return {
    devnet,
    scene: createScene(devnet.client, devnet.deployments, 'standard'),
    providers: createProviders([createRpc({ name: 'devnet', url: devnet.rpcUrl })], chainOf(8453)),
  }
}
