import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveDeployments } from '@svc/chain'
import { createScene, type Devnet, type Scene, sendApprovals, sendTokens, sendTopUp, startDevnet } from '@svc/devnet'
import { parseEther, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createTestWallet, type Wallet } from './wallet.ts'

/** A chain, its deployments file, and a temporary folder. */
export interface Stage {
  devnet: Devnet
  scene: Scene
  folder: string
  deployments: string
  close: () => Promise<void>
}

/** Starts a chain with the micro market. */
export async function startNegotiationStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'negotiation-'))
  const devnet = await startDevnet()
  const deployments = join(folder, 'deployments.json')
  await saveDeployments(deployments, { ...devnet.deployments, rpcUrl: devnet.rpcUrl })
  const scene = createScene(devnet.client, devnet.deployments, 'micro')
  const close = async () => {
    await devnet.stop()
    await rm(folder, { recursive: true, force: true })
  }
  return { devnet, scene, folder, deployments, close }
}

/** Creates a wallet with everything that a party needs. */
export async function createParty({ devnet, scene }: Stage): Promise<Wallet> {
  const wallet = createTestWallet()
  const account = privateKeyToAccount(wallet.key)
  await devnet.client.setBalance({ address: account.address, value: parseEther('10') })
  await sendTokens(devnet.client, devnet.deployments, account.address, {
    tok: parseUnits('20000', 18),
    usdc: parseUnits('100', 6),
  })
  await sendApprovals(scene, account)
  await sendTopUp(scene, account, parseUnits('90', 6))
  return wallet
}
