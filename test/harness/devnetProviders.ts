import { createProviders, createRpc, createViemChain, type Providers } from '@svc/chain'
import { type Devnet, multicall3 } from '@svc/devnet'

/** The devnet as the only provider. */
export const createDevnetProviders = ({ rpcUrl, deployments }: Pick<Devnet, 'rpcUrl' | 'deployments'>): Providers =>
  createProviders([createRpc({ name: 'anvil', url: rpcUrl })], createViemChain(deployments.chainId, multicall3))
