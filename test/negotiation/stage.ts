import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveDeployments } from '@svc/chain'
import { approve, createScene, type Devnet, give, type Scene, startDevnet, topUp } from '@svc/devnet'
import { parseEther, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { newWallet, type Wallet } from './wallet.ts'

/** A chain, its file of addresses, and a folder that is gone afterwards. */
export interface Stage {
  devnet: Devnet
  scene: Scene
  folder: string
  deployments: string
  close: () => Promise<void>
}

/** Starts a chain with the micro market on it. */
export async function openStage(): Promise<Stage> {
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

/** A new wallet with all that a party of a task needs. */
export async function newParty({ devnet, scene }: Stage): Promise<Wallet> {
  const wallet = newWallet()
  const account = privateKeyToAccount(wallet.key)
  await devnet.client.setBalance({ address: account.address, value: parseEther('10') })
  await give(devnet.client, devnet.deployments, account.address, {
    tok: parseUnits('20000', 18),
    usdc: parseUnits('100', 6),
  })
  await approve(scene, account)
  await topUp(scene, account, parseUnits('90', 6))
  return wallet
}
