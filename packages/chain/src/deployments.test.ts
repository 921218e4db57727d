import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Deployments, loadDeployments, loadLocalDeployments, marketNames, saveDeployments } from './deployments.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'deployments-'))
})
afterAll(() => rm(directory, { recursive: true }))

const named = <name extends string>(...names: readonly name[]) =>
  Object.fromEntries(names.map((name) => [name, zeroAddress as Address])) as Record<name, Address>
const deployments: Deployments = {
  chainId: 8453,
  startBlock: 0,
  shared: named('tokToken', 'usdc', 'usdOracle', 'pricingPolicy', 'timelock', 'treasury', 'finalCourt'),
  markets: { standard: named(...marketNames), micro: named(...marketNames) },
}

test('loads what was saved, and creates a missing folder', async () => {
  const file = join(directory, 'new', 'local.json')
  await saveDeployments(file, { ...deployments, rpcUrl: 'http://127.0.0.1:8545' })
  expect(await loadLocalDeployments(file)).toEqual({ ...deployments, rpcUrl: 'http://127.0.0.1:8545' })
})

test('rejects a file with an invalid address and names the field', async () => {
  const file = join(directory, 'bad.json')
  const micro = { ...deployments.markets.micro, escrowVault: '0x12' }
  await writeFile(file, JSON.stringify({ ...deployments, markets: { ...deployments.markets, micro } }))
  await expect(loadDeployments(file)).rejects.toThrow('markets.micro.escrowVault is not an address')
  await writeFile(file, JSON.stringify({ ...deployments, chainId: '8453' }))
  await expect(loadDeployments(file)).rejects.toThrow('chainId is not a number')
})

test('rejects a missing file and one without rpcUrl, and says what to do', async () => {
  await expect(loadLocalDeployments(join(directory, 'none.json'))).rejects.toThrow('run `pnpm devnet` to create it')
  const file = join(directory, 'remote.json')
  await saveDeployments(file, deployments)
  await expect(loadLocalDeployments(file)).rejects.toThrow('rpcUrl is missing')
})
