import type { Deployments } from '@svc/chain'
import { accounts } from './accounts.ts'
import { usdc } from './addresses.ts'
import { type Anvil, type AnvilOptions, startAnvil } from './anvil.ts'
import type { DevnetClient } from './client.ts'
import { deploy } from './deploy.ts'
import { mockFeed, placeMocks } from './mocks.ts'

/** A local chain with the suite on it. */
export interface Devnet extends Anvil {
  deployments: Deployments
}

/** Starts anvil and deploys. */
export async function startDevnet(options: AnvilOptions = {}): Promise<Devnet> {
  const anvil = await startAnvil(options)
  try {
    return { ...anvil, deployments: await deployOnDevnet(anvil.client) }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

/** Deploys with the local chain's stand-ins for USDC, Multicall3 and the price feed. The timelock owns the suite, as it does elsewhere. */
export async function deployOnDevnet(
  client: DevnetClient,
  onProgress?: (done: number, total: number, name: string) => void,
): Promise<Deployments> {
  await placeMocks(client, accounts.guardian)
  return deploy(
    client,
    accounts.deployer,
    {
      usdc,
      priceFeed: mockFeed,
      treasury: accounts.treasury.address,
      guardian: accounts.guardian.address,
      tokHolder: accounts.treasury.address,
      governors: [accounts.guardian.address],
      startBlock: 0,
    },
    onProgress,
  )
}
