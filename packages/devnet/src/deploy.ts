import { setTimeout } from 'node:timers/promises'
import { type Deployments, listContracts, marketNames } from '@svc/chain'
import {
  creditCap,
  creditRate,
  encodePlanId,
  type Market,
  marketParams,
  markets,
  oracleMaxAge,
  paidPlans,
  planPrices,
  SvcError,
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
  keccak256,
  type LocalAccount,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type Transport,
  zeroAddress,
} from 'viem'
import {
  call,
  getBlockNumber,
  getChainId,
  getCode,
  getTransactionCount,
  getTransactionReceipt,
  sendTransaction,
} from 'viem/actions'
import { agreementsCreation } from './creations/agreements.ts'
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

/** A client of any chain, not only the local one. */
type ChainClient = Client<Transport, Chain>

const receiptPollMs = 50
/** Three minutes. */
const maxReceiptPolls = 3_600

/**
 * Addresses and roles of a deployment. Everything else comes from the protocol's parameters. A new suite can reuse the TOK,
 * the USDC, the timelock and the oracle of an older one: pass their addresses.
 */
export interface DeployOptions {
  usdc: Address
  /** TOK that exists already. Default: a new token. */
  tokToken?: Address
  /** Receives the whole supply of a new TOK. */
  tokHolder?: Address
  /** A timelock that exists already. Default: a new one. */
  timelock?: Address
  /** Wallets that may schedule and execute the owner's changes through a new timelock. */
  governors?: readonly Address[]
  /** An oracle that exists already. Default: a new one if `priceFeed` is given; without either, plans sell for USDC only. */
  usdOracle?: Address
  /** A Chainlink-style TOK/USD feed for a new oracle. */
  priceFeed?: Address
  /** Chainlink's sequencer uptime feed for a new oracle. Omit it on a chain without a sequencer. */
  sequencerFeed?: Address
  treasury: Address
  /** Decides disputes that no judge decided, and appeals. It can never take part in a task. */
  finalCourt: Address
  /** May pause new tasks and claims. */
  guardian: Address
  /** The owner of the contracts. Default: the timelock. */
  owner?: Address
  /** The suite that this one replaces. The new lenses and reputation registries name its own. */
  predecessor?: Pick<Deployments, 'markets'>
  /** The deployer's nonce before its first deployment. */
  firstNonce?: number
  /** The first block that can contain a log. Default: the current block, or 0 if some contracts are already deployed. */
  startBlock?: number
}

interface Creation {
  name: string
  address: Address
  data: Hex
}

/**
 * Deploys the contracts of both markets and returns their addresses. The contracts refer to each other in their constructors, so
 * the addresses are computed beforehand from the deployer's nonces: do not use that account for anything else. Contracts that
 * are already deployed are verified and skipped, so an interrupted deployment can be continued.
 */
export async function deployContracts(
  client: ChainClient,
  deployer: LocalAccount,
  options: DeployOptions,
  onProgress: (done: number, total: number, name: string) => void = () => {},
): Promise<Deployments> {
  const { firstNonce = 0 } = options
  const { creations, ...suite } = plan(deployer.address, options)
  const chainId = await getChainId(client)
  const { tokToken, timelock, usdOracle } = options
  for (const [name, address] of Object.entries({ tokToken, timelock, usdOracle })) {
    if (address && !(await getCode(client, { address }))) {
      throw new DeployError(`there is no contract at ${address}, the address given for ${name}`)
    }
  }
  const nonce = await getTransactionCount(client, { address: deployer.address })
  if (nonce < firstNonce)
    throw new DeployError(`the deployer's nonce is ${nonce}, which is below firstNonce ${firstNonce}`)
  const deployed = Math.min(nonce - firstNonce, creations.length)
  const startBlock = options.startBlock ?? (deployed === 0 ? Number(await getBlockNumber(client)) : 0)
  for (const [index, creation] of creations.slice(0, deployed).entries()) {
    await verifyDeployed(client, deployer.address, firstNonce + index, creation)
  }
  for (const [index, creation] of creations.entries()) {
    if (index >= deployed) await deployOne(client, deployer, firstNonce + index, creation)
    onProgress(index + 1, creations.length, creation.name)
  }
  return { chainId, startBlock, ...suite, codeHashes: await readCodeHashes(client, { chainId, startBlock, ...suite }) }
}

/** Computes every address and every creation transaction, in nonce order. */
function plan(deployer: Address, options: DeployOptions) {
  const { usdc, tokHolder, governors, priceFeed, sequencerFeed = zeroAddress, treasury, finalCourt, guardian } = options
  if (!options.tokToken && !tokHolder) throw new DeployError('neither tokToken nor tokHolder is given')
  if (!options.timelock && !governors) throw new DeployError('neither timelock nor governors are given')
  let nonce = options.firstNonce ?? 0
  const nextAddress = () => getContractAddress({ from: deployer, nonce: BigInt(nonce++) })
  const shared = {
    tokToken: options.tokToken ?? nextAddress(),
    timelock: options.timelock ?? nextAddress(),
    usdOracle: options.usdOracle ?? (priceFeed ? nextAddress() : zeroAddress),
    pricingPolicy: nextAddress(),
    usdc,
    treasury,
    finalCourt,
  }
  const owner = options.owner ?? shared.timelock
  const plans = paidPlans.map((plan) => ({ planId: encodePlanId(plan), plan: planPrices[plan] }))
  const creations: Creation[] = []
  if (!options.tokToken && tokHolder) {
    creations.push({
      name: 'TokToken',
      address: shared.tokToken,
      data: encodeDeployData({ ...tokTokenCreation, args: [tokHolder] }),
    })
  }
  if (!options.timelock && governors) {
    creations.push({
      name: 'TimelockController',
      address: shared.timelock,
      data: encodeDeployData({
        ...timelockControllerCreation,
        // No admin: only the timelock itself can change its roles.
        args: [BigInt(timelockDelay), [...governors], [...governors], zeroAddress],
      }),
    })
  }
  if (!options.usdOracle && priceFeed) {
    creations.push({
      name: 'UsdOracle',
      address: shared.usdOracle,
      data: encodeDeployData({
        ...usdOracleCreation,
        args: [priceFeed, sequencerFeed, BigInt(oracleMaxAge), BigInt(sequencerGrace)],
      }),
    })
  }
  creations.push({
    name: 'PricingPolicy',
    address: shared.pricingPolicy,
    data: encodeDeployData({
      ...pricingPolicyCreation,
      args: [owner, shared.usdOracle, plans],
    }),
  })
  const marketContracts = (market: Market) => {
    const own = Object.fromEntries(marketNames.map((name) => [name, nextAddress()])) as Deployments['markets'][Market]
    creations.push(...marketCreations(market, shared, own, owner, guardian, options.predecessor?.markets[market]))
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
  predecessor: Deployments['markets'][Market] | undefined,
): Creation[] {
  const contracts = { tok: shared.tokToken, ...shared, ...own }
  const params = { market, ...marketParams[market] }
  const data: Record<keyof typeof own, Hex> = {
    taskScopeRegistry: encodeDeployData({
      ...taskScopeRegistryCreation,
      args: [contracts],
    }),
    agreements: encodeDeployData({ ...agreementsCreation, args: [contracts, params] }),
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
      args: [contracts, predecessor?.reputationRegistry ?? zeroAddress],
    }),
    taskRegistry: encodeDeployData({
      ...taskRegistryCreation,
      args: [contracts, params, owner, guardian],
    }),
    taskLens: encodeDeployData({
      ...taskLensCreation,
      args: [contracts, params, predecessor?.taskLens ?? zeroAddress],
    }),
  }
  return marketNames.map((name) => ({ name: `${market} ${name}`, address: own[name], data: data[name] }))
}

/** Reads the hash of the code of every contract, so that apps notice a provider that has other code. */
async function readCodeHashes(client: ChainClient, deployments: Deployments): Promise<Record<Address, Hex>> {
  const hashes = listContracts(deployments).map(async ({ path, address }) => {
    const code = await getCode(client, { address })
    if (!code) throw new DeployError(`the node does not have the code of ${path} at ${address} yet; run it again`)
    return [address, keccak256(code)] as const
  })
  return Object.fromEntries(await Promise.all(hashes))
}

async function deployOne(client: ChainClient, account: LocalAccount, nonce: number, { name, address, data }: Creation) {
  const hash = await sendTransaction(client, { account, chain: client.chain, data, nonce })
  const { status, contractAddress } = await waitForReceipt(client, hash)
  if (status !== 'success') throw new DeployError(`the creation of ${name} in ${hash} failed`)
  if (contractAddress && !isAddressEqual(contractAddress, address)) {
    throw new DeployError(`${name} was deployed at ${contractAddress} instead of ${address}`)
  }
}

/**
 * Polls for a receipt. viem's own wait asks again only when a new block comes: on a chain that mines on demand, none comes,
 * and a receipt that was a moment late was never seen.
 */
async function waitForReceipt(client: ChainClient, hash: Hex): Promise<TransactionReceipt> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await getTransactionReceipt(client, { hash })
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError) || attempt === maxReceiptPolls) throw error
    }
    await setTimeout(receiptPollMs)
  }
}

/** Simulates the creation again and compares the resulting code with the deployed code. */
async function verifyDeployed(client: ChainClient, from: Address, nonce: number, { name, address, data }: Creation) {
  const deployed = await getCode(client, { address })
  if (!deployed) throw new DeployError(`nonce ${nonce} of ${from} was not used to deploy ${name}`)
  const { data: expected } = await call(client, {
    account: from,
    data,
    stateOverride: [
      { address: from, nonce },
      { address, nonce: 0, code: '0x' },
    ],
  })
  if (deployed !== expected) throw new DeployError(`${name} at ${address} is not the contract of this repository`)
}

/** A deployment cannot continue. */
export class DeployError extends SvcError {
  override name = 'DeployError'

  constructor(reason: string) {
    super('DEPLOY', `Cannot deploy: ${reason}.`)
  }
}
