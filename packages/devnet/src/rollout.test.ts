import { createProviders, createRpc, createViemChain, type Deployments, verifyDeployments } from '@svc/chain'
import { markets } from '@svc/protocol'
import { pricingPolicyAbi, reputationRegistryAbi, taskLensAbi, taskRegistryAbi, tokTokenAbi } from '@svc/protocol/abis'
import { sunsetNotice, timelockDelay } from '@svc/protocol/internal/money'
import { encodeFunctionData, type LocalAccount, parseEther, stringToHex, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accounts } from './accounts.ts'
import { multicall3, usdc } from './addresses.ts'
import { type DeployOptions, deployContracts } from './deploy.ts'
import { type Devnet, startDevnet } from './devnet.ts'
import { createScene, readStatuses, type Scene } from './scene.ts'
import {
  sendActivation,
  sendCancellation,
  sendClaim,
  sendDelivery,
  sendDispute,
  sendPost,
  sendRelease,
} from './steps.ts'
import { DeployError } from './suite.ts'
import { advanceTimeTo, getChainTime } from './time.ts'
import { executeAsOwner, sendApprovals, sendTokens, sendTopUp } from './walletSteps.ts'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet?.stop())

const { ada: poster, emeka: worker } = accounts
const offer = { poster, text: 'Count the birds\n\nAll of them.', amounts: [parseEther('100')], duration: 86_400 }
const roles = {
  usdc,
  treasury: accounts.treasury.address,
  finalCourt: accounts.court.address,
  guardian: accounts.guardian.address,
}

/** Deploys another suite from an account of its own. */
async function deploySuite(options: Omit<DeployOptions, keyof typeof roles>): Promise<Deployments> {
  const deployer = privateKeyToAccount(generatePrivateKey())
  await devnet.client.setBalance({ address: deployer.address, value: parseEther('100') })
  return deployContracts(devnet.client, deployer, { ...roles, ...options })
}

/** Checks the suite like a client that sees it for the first time. */
async function verify(suite: Deployments): Promise<void> {
  const rpc = createRpc({ name: 'anvil', url: devnet.rpcUrl })
  await verifyDeployments(createProviders([rpc], createViemChain(suite.chainId, multicall3)), suite)
}

async function enter(scene: Scene, party: LocalAccount): Promise<void> {
  await sendApprovals(scene, party)
  await sendTopUp(scene, party, 200_000_000n)
}

const readState = async (scene: Scene, id: bigint) => (await readStatuses(scene, [id]))[0]?.state

test('a suite ends its entries, its tasks finish, and a new suite takes over with the same TOK, timelock and oracle', async () => {
  const { client, deployments: first } = devnet
  for (const { address } of [poster, worker]) {
    await sendTokens(client, first, address, { tok: parseEther('100000'), usdc: 1_000_000_000n })
  }
  const before = createScene(client, first, 'standard')
  for (const party of [poster, worker]) await enter(before, party)

  const endsAt = BigInt((await getChainTime(client)) + timelockDelay + sunsetNotice + 86_400)
  const data = encodeFunctionData({ abi: taskRegistryAbi, functionName: 'sunset', args: [endsAt] })
  await executeAsOwner(
    client,
    first,
    markets.map((market) => ({ to: first.markets[market].taskRegistry, data })),
  )
  await advanceTimeTo(client, Number(endsAt) - 3_600)
  const open = await sendPost(before, offer)
  const running = await sendPost(before, offer)
  await sendClaim(before, running, worker)
  await sendActivation(before, running)
  const disputed = await sendPost(before, offer)
  await sendClaim(before, disputed, worker)
  await sendActivation(before, disputed)
  await sendDelivery(before, disputed, 'proof')

  const { tokToken, timelock, usdOracle } = first.shared
  const second = await deploySuite({ tokToken, timelock, usdOracle, predecessor: first })
  expect(second.shared).toMatchObject({ tokToken, timelock, usdOracle, usdc })
  expect(second.shared.pricingPolicy).not.toBe(first.shared.pricingPolicy)
  await verify(second)

  await advanceTimeTo(client, Number(endsAt))
  await expect(sendPost(before, offer)).rejects.toThrow('EntriesEnded')
  await expect(sendClaim(before, open, worker)).rejects.toThrow('EntriesEnded')
  await sendCancellation(before, open)
  await sendDelivery(before, running, 'proof')
  await sendRelease(before, running)
  await sendDispute(before, disputed, 'evidence')
  await sendRelease(before, disputed)
  expect(await readState(before, open.id)).toBe('CANCELLED')
  expect(await readState(before, running.id)).toBe('COMPLETED')
  expect(await readState(before, disputed.id)).toBe('COMPLETED')

  const after = createScene(client, second, 'standard')
  for (const party of [poster, worker]) await enter(after, party)
  const next = await sendPost(after, offer)
  await sendClaim(after, next, worker)
  await sendActivation(after, next)
  expect(await readState(after, next.id)).toBe('ACTIVE')

  const supply = await client.readContract({ address: tokToken, abi: tokTokenAbi, functionName: 'totalSupply' })
  expect(supply).toBe(parseEther('1000000000'))
  for (const market of markets) {
    const { taskRegistry, taskLens, reputationRegistry } = second.markets[market]
    expect(await client.readContract({ address: taskRegistry, abi: taskRegistryAbi, functionName: 'owner' })).toBe(
      timelock,
    )
    const reputation = { abi: reputationRegistryAbi, functionName: 'predecessor' } as const
    expect(await client.readContract({ ...reputation, address: reputationRegistry })).toBe(
      first.markets[market].reputationRegistry,
    )
    const lens = { abi: taskLensAbi, functionName: 'predecessor' } as const
    expect(await client.readContract({ ...lens, address: taskLens })).toBe(first.markets[market].taskLens)
    expect(await client.readContract({ ...lens, address: first.markets[market].taskLens })).toBe(zeroAddress)
  }
})

test('a suite without a price feed sells plans for USDC only', async () => {
  const { client, deployments } = devnet
  const { tokToken, timelock } = deployments.shared
  const suite = await deploySuite({ tokToken, timelock })
  const { shared } = suite
  expect(shared.usdOracle).toBe(zeroAddress)
  await verify(suite)
  const policy = { address: shared.pricingPolicy, abi: pricingPolicyAbi } as const
  const quote = (inTok: boolean) =>
    client.readContract({ ...policy, functionName: 'quote', args: [stringToHex('basic', { size: 32 }), inTok] })
  expect(await quote(false)).toMatchObject({ amount: 9_000_000n })
  await expect(quote(true)).rejects.toThrow('NoUsdOracle')
})

test('rejects a deployment that neither reuses nor creates a token or a timelock, or reuses an empty address', async () => {
  const { tokToken, timelock } = devnet.deployments.shared
  const rejects = async (options: Omit<DeployOptions, keyof typeof roles>, message: string) => {
    const deploying = deploySuite(options)
    await expect(deploying).rejects.toThrow(DeployError)
    await expect(deploying).rejects.toThrow(message)
  }
  await rejects({ timelock }, 'tokHolder')
  await rejects({ tokToken }, 'governors')
  await rejects({ tokToken, timelock, usdOracle: worker.address }, `${worker.address}, the address given for usdOracle`)
})
