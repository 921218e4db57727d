import { markets } from '@svc/protocol'
import { paymentGatewayAbi, pricingPolicyAbi, stakingVaultAbi, taskRegistryAbi } from '@svc/protocol/abis'
import { timelockDelay } from '@svc/protocol/internal/money'
import { parseEther, stringToHex, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from './accounts.ts'
import { usdc } from './addresses.ts'
import { deployContracts } from './deploy.ts'
import { type Devnet, deployOnDevnet, startDevnet } from './devnet.ts'
import { mockFeed } from './mocks.ts'
import { DeployError } from './suite.ts'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet?.stop())

const options = {
  usdc,
  priceFeed: mockFeed,
  treasury: accounts.treasury.address,
  finalCourt: accounts.court.address,
  guardian: accounts.guardian.address,
  tokHolder: accounts.treasury.address,
  governors: [accounts.guardian.address],
}

test('addresses are the same on every chain', async () => {
  const other = await startDevnet()
  await other.stop()
  expect(other.deployments).toEqual(devnet.deployments)
})

test('a second run verifies everything and sends nothing', async () => {
  const block = await devnet.client.getBlockNumber()
  expect(await deployOnDevnet(devnet.client)).toEqual(devnet.deployments)
  expect(await devnet.client.getBlockNumber()).toBe(block)
})

test('a second run rejects contracts deployed with other arguments', async () => {
  const other = { ...options, treasury: accounts.keeper.address }
  await expect(deployContracts(devnet.client, accounts.deployer, other)).rejects.toThrow(
    `standard paymentGateway at ${devnet.deployments.markets.standard.paymentGateway} is not the contract of this repository`,
  )
})

test('an interrupted deployment continues where it stopped', async () => {
  const { client } = devnet
  const deployer = privateKeyToAccount(generatePrivateKey())
  await client.setBalance({ address: deployer.address, value: parseEther('100') })
  const halfway = (done: number) => {
    if (done === 10) throw new Error('power cut')
  }
  await expect(deployContracts(client, deployer, options, halfway)).rejects.toThrow('power cut')
  expect(await client.getTransactionCount({ address: deployer.address })).toBe(10)

  const { markets: deployed } = await deployContracts(client, deployer, options)
  expect(await client.getTransactionCount({ address: deployer.address })).toBe(24)
  for (const market of markets) {
    const address = deployed[market].paymentGateway
    expect(await client.readContract({ address, abi: paymentGatewayAbi, functionName: 'market' })).toBe(market)
  }
})

test('rejects an account that was used for something else', async () => {
  await expect(deployContracts(devnet.client, accounts.guardian, options)).rejects.toThrow(DeployError)
})

test('the timelock owns the contracts, unless another owner is given', async () => {
  const { client, deployments } = devnet
  const readOwners = async ({ markets, shared }: typeof deployments) =>
    Promise.all([
      client.readContract({ address: shared.pricingPolicy, abi: pricingPolicyAbi, functionName: 'owner' }),
      ...Object.values(markets).flatMap(({ taskRegistry, stakingVault }) => [
        client.readContract({ address: taskRegistry, abi: taskRegistryAbi, functionName: 'owner' }),
        client.readContract({ address: stakingVault, abi: stakingVaultAbi, functionName: 'owner' }),
      ]),
    ])
  const { timelock } = deployments.shared
  expect(await readOwners(deployments)).toEqual([timelock, timelock, timelock, timelock, timelock])
  expect(timelockDelay).toBe(48 * 60 * 60)

  const deployer = privateKeyToAccount(generatePrivateKey())
  await client.setBalance({ address: deployer.address, value: parseEther('100') })
  const owner = accounts.ada.address
  const other = await deployContracts(client, deployer, { ...options, owner })
  expect(await readOwners(other)).toEqual([owner, owner, owner, owner, owner])
})

test('plans cost what the protocol defines, with a 20 % discount in TOK', async () => {
  const { client, deployments } = devnet
  const quote = (plan: string, inTok: boolean) =>
    client.readContract({
      address: deployments.shared.pricingPolicy,
      abi: pricingPolicyAbi,
      functionName: 'quote',
      args: [stringToHex(plan, { size: 32 }), inTok],
    })
  expect(await quote('basic', false)).toMatchObject({ payUsd: 9_000_000n, amount: 9_000_000n })
  expect(await quote('basic', true)).toMatchObject({ payUsd: 7_200_000n, amount: parseEther('2880') })
  expect(await quote('pro', true)).toMatchObject({ payUsd: 39_200_000n, amount: parseEther('15680') })
})

test('viem multicall works when one of the calls fails', async () => {
  const { client, deployments } = devnet
  const { taskRegistry, paymentGateway } = deployments.markets.standard
  const reads = Array.from(
    { length: 100 },
    () => ({ address: paymentGateway, abi: paymentGatewayAbi, functionName: 'market' }) as const,
  )
  const failing = {
    address: taskRegistry,
    abi: taskRegistryAbi,
    functionName: 'settlementDigestOf',
    args: [1n],
  } as const
  const results = await client.multicall({
    contracts: [
      ...reads,
      failing,
      {
        address: paymentGateway,
        abi: paymentGatewayAbi,
        functionName: 'paidUntil',
        args: [zeroAddress, `0x${'00'.repeat(32)}`],
      },
    ],
  })
  expect(results).toHaveLength(102)
  expect(results[0]).toEqual({ status: 'success', result: 'standard' })
  expect(results[100]).toMatchObject({ status: 'failure', error: { name: 'ContractFunctionExecutionError' } })
  expect(results[101]).toEqual({ status: 'success', result: 0n })
})
