import type { Deployments } from '@svc/chain'
import { accounts } from './accounts.ts'
import { type Anvil, type AnvilOptions, startAnvil } from './anvil.ts'
import type { DevnetClient } from './client.ts'
import { deployContracts } from './deploy.ts'
import { deployMocks, getUsdc, mockFeed } from './mocks.ts'

/** A local chain with both markets deployed. */
export interface Devnet extends Anvil {
  deployments: Deployments
}

/** Starts anvil and deploys the contracts. */
export async function startDevnet(options: AnvilOptions = {}): Promise<Devnet> {
  const anvil = await startAnvil(options)
  try {
    return { ...anvil, deployments: await deployOnDevnet(anvil.client) }
  } catch (error) {
    await anvil.stop()
    throw error
  }
}

/** Deploys the contracts with mocks of USDC, Multicall3 and the price feed. As on any chain, the timelock is the owner. */
export async function deployOnDevnet(
  client: DevnetClient,
  onProgress?: (done: number, total: number, name: string) => void,
): Promise<Deployments> {
  await deployMocks(client, accounts.guardian)
  return deployContracts(
    client,
    accounts.deployer,
    {
      usdc: getUsdc(client),
      priceFeed: mockFeed,
      treasury: accounts.treasury.address,
      finalCourt: accounts.court.address,
      guardian: accounts.guardian.address,
      tokHolder: accounts.treasury.address,
      governors: [accounts.guardian.address],
      startBlock: 0,
    },
    onProgress,
  )
}
