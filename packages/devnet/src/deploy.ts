import { type Deployments, marketNames } from '@svc/chain'
import {
  creditCap,
  creditRate,
  type Market,
  marketParams,
  markets,
  oracleMaxAge,
  paidPlans,
  planIdOf,
  planPrices,
  sequencerGrace,
  timelockDelay,
} from '@svc/protocol'
import {
  type Address,
  type Chain,
  type Client,
  encodeDeployData,
  getContractAddress,
  type Hex,
  isAddressEqual,
  type LocalAccount,
  type Transport,
  zeroAddress,
} from 'viem'
import {
  call,
  getBlockNumber,
  getChainId,
  getCode,
  getTransactionCount,
  sendTransaction,
  waitForTransactionReceipt,
} from 'viem/actions'
import { arbitrationCreation } from './creations/arbitration.ts'
import { depositVaultCreation } from './creations/depositVault.ts'
import { escrowVaultCreation } from './creations/escrowVault.ts'
import { paymentGatewayCreation } from './creations/paymentGateway.ts'
import { pricingPolicyCreation } from './creations/pricingPolicy.ts'
import { reputationRegistryCreation } from './creations/reputationRegistry.ts'
import { stakingVaultCreation } from './creations/stakingVault.ts'
import { taskLensCreation } from './creations/taskLens.ts'
import { taskRegistryCreation } from './creations/taskRegistry.ts'
import { taskScopeRegistryCreation } from './creations/taskScopeRegistry.ts'
import { timelockControllerCreation } from './creations/timelockController.ts'
import { tokTokenCreation } from './creations/tokToken.ts'
import { usdOracleCreation } from './creations/usdOracle.ts'

/** Any chain, not only the local one. */
type ChainClient = Client<Transport, Chain>

/** What a deployment needs to know of its chain and its people. Everything else comes from the protocol's parameters. */
export interface DeployOptions {
  usdc: Address
  /** A Chainlink-style TOK/USD feed. */
  priceFeed: Address
  /** Chainlink's sequencer-uptime feed; none on a chain without a sequencer. */
  sequencerFeed?: Address
  treasury: Address
  /** May pause entries. */
  guardian: Address
  /** Gets the whole supply of TOK. */
  tokHolder: Address
  /** Who may queue and carry out the owner's changes through the timelock. */
  governors: readonly Address[]
  /** Who owns the contracts; the timelock unless said otherwise. */
  owner?: Address
  /** The deployer's nonce before its first deployment. */
  firstNonce?: number
  /** No log of the suite is older; default the present block, or zero for a suite that already stands. */
  startBlock?: number
}

interface Creation {
  name: string
  address: Address
  data: Hex
}

/**
 * Deploys the suite, both markets, and answers where it lives. The contracts name each other in their constructors, so
 * their addresses are worked out beforehand from the deployer's nonces: the account must not be used for anything else.
 * What already stands is compared and left alone; a deployment that broke off is taken up where it stopped.
 */
export async function deploy(
  client: ChainClient,
  deployer: LocalAccount,
  options: DeployOptions,
  onProgress: (done: number, total: number, name: string) => void = () => {},
): Promise<Deployments> {
  const { firstNonce = 0 } = options
  const { creations, ...suite } = plan(deployer.address, options)
  const chainId = await getChainId(client)
  const nonce = await getTransactionCount(client, { address: deployer.address })
  if (nonce < firstNonce) throw new DeployError(`the deployer's nonce is ${nonce}, not yet ${firstNonce}`)
  const standing = Math.min(nonce - firstNonce, creations.length)
  const startBlock = options.startBlock ?? (standing === 0 ? Number(await getBlockNumber(client)) : 0)
  for (const [index, creation] of creations.slice(0, standing).entries()) {
    await checkStanding(client, deployer.address, firstNonce + index, creation)
  }
  for (const [index, creation] of creations.entries()) {
    if (index >= standing) await carryOut(client, deployer, firstNonce + index, creation)
    onProgress(index + 1, creations.length, creation.name)
  }
  return { chainId, startBlock, ...suite }
}

/** Every address and every creation, in nonce order. */
function plan(deployer: Address, options: DeployOptions) {
  const { usdc, priceFeed, sequencerFeed = zeroAddress, treasury, guardian, tokHolder, governors } = options
  let nonce = options.firstNonce ?? 0
  const nextAddress = () => getContractAddress({ from: deployer, nonce: BigInt(nonce++) })
  const shared = {
    tokToken: nextAddress(),
    timelock: nextAddress(),
    usdOracle: nextAddress(),
    pricingPolicy: nextAddress(),
    usdc,
    treasury,
  }
  const owner = options.owner ?? shared.timelock
  const plans = paidPlans.map((plan) => ({ planId: planIdOf(plan), plan: planPrices[plan] }))
  const creations: Creation[] = [
    {
      name: 'TokToken',
      address: shared.tokToken,
      data: encodeDeployData({ ...tokTokenCreation, args: [tokHolder] }),
    },
    {
      name: 'TimelockController',
      address: shared.timelock,
      data: encodeDeployData({
        ...timelockControllerCreation,
        // No admin: the timelock alone changes its own roles.
        args: [BigInt(timelockDelay), [...governors], [...governors], zeroAddress],
      }),
    },
    {
      name: 'UsdOracle',
      address: shared.usdOracle,
      data: encodeDeployData({
        ...usdOracleCreation,
        args: [priceFeed, sequencerFeed, BigInt(oracleMaxAge), BigInt(sequencerGrace)],
      }),
    },
    {
      name: 'PricingPolicy',
      address: shared.pricingPolicy,
      data: encodeDeployData({
        ...pricingPolicyCreation,
        args: [owner, shared.usdOracle, plans],
      }),
    },
  ]
  const marketContracts = (market: Market) => {
    const own = Object.fromEntries(marketNames.map((name) => [name, nextAddress()])) as Deployments['markets'][Market]
    creations.push(...marketCreations(market, shared, own, owner, guardian))
    return own
  }
  return {
    shared,
    markets: Object.fromEntries(markets.map((market) => [market, marketContracts(market)])) as Deployments['markets'],
    creations,
  }
}

function marketCreations(
  market: Market,
  shared: Deployments['shared'],
  own: Deployments['markets'][Market],
  owner: Address,
  guardian: Address,
): Creation[] {
  const contracts = { tok: shared.tokToken, ...shared, ...own }
  const params = { market, ...marketParams[market] }
  const data: Record<keyof typeof own, Hex> = {
    taskScopeRegistry: encodeDeployData({
      ...taskScopeRegistryCreation,
      args: [contracts],
    }),
    escrowVault: encodeDeployData({ ...escrowVaultCreation, args: [contracts] }),
    depositVault: encodeDeployData({ ...depositVaultCreation, args: [contracts] }),
    paymentGateway: encodeDeployData({
      ...paymentGatewayCreation,
      args: [contracts, market],
    }),
    stakingVault: encodeDeployData({
      ...stakingVaultCreation,
      args: [contracts, owner, creditCap, creditRate],
    }),
    arbitration: encodeDeployData({ ...arbitrationCreation, args: [contracts, params] }),
    reputationRegistry: encodeDeployData({
      ...reputationRegistryCreation,
      args: [contracts],
    }),
    taskRegistry: encodeDeployData({
      ...taskRegistryCreation,
      args: [contracts, params, owner, guardian],
    }),
    taskLens: encodeDeployData({ ...taskLensCreation, args: [contracts, params] }),
  }
  return marketNames.map((name) => ({ name: `${market} ${name}`, address: own[name], data: data[name] }))
}

async function carryOut(client: ChainClient, account: LocalAccount, nonce: number, { name, address, data }: Creation) {
  const hash = await sendTransaction(client, { account, chain: client.chain, data, nonce })
  const { status, contractAddress } = await waitForTransactionReceipt(client, { hash })
  if (status !== 'success') throw new DeployError(`the creation of ${name} in ${hash} failed`)
  if (contractAddress && !isAddressEqual(contractAddress, address)) {
    throw new DeployError(`${name} came to ${contractAddress}, not to ${address}`)
  }
}

/** Creates the contract once more, in a call that changes nothing, and compares what comes out with what stands there. */
async function checkStanding(client: ChainClient, from: Address, nonce: number, { name, address, data }: Creation) {
  const standing = await getCode(client, { address })
  if (!standing) throw new DeployError(`nonce ${nonce} of ${from} was used for something else than ${name}`)
  const { data: expected } = await call(client, {
    account: from,
    data,
    stateOverride: [
      { address: from, nonce },
      { address, nonce: 0, code: '0x' },
    ],
  })
  if (standing !== expected) throw new DeployError(`${name} at ${address} is not the contract of this repository`)
}

/** A deployment that cannot go on. */
export class DeployError extends Error {
  override name = 'DeployError'

  constructor(reason: string) {
    super(`Cannot deploy: ${reason}.`)
  }
}
