import type { SmartAccountsEnvironment } from '@metamask/smart-accounts-kit'
import { deploySmartAccountsEnvironment } from '@metamask/smart-accounts-kit/utils'
import { createPublicClient, createWalletClient, http } from 'viem'
import { accounts } from './accounts.ts'
import type { DevnetClient } from './client.ts'

/**
 * Deploys the delegation framework of MetaMask (EIP-7702 accounts, ERC-7710 delegations) with the bytecode of its package. On a public
 * chain it is there already, at the addresses that the package knows.
 */
export async function deployDelegationFramework({ chain, transport }: DevnetClient): Promise<SmartAccountsEnvironment> {
  const settings = { chain, transport: http(String(transport.url)), pollingInterval: 20, cacheTime: 0 }
  const wallet = createWalletClient({ ...settings, account: accounts.guardian })
  return deploySmartAccountsEnvironment(wallet, createPublicClient(settings), chain)
}
