import { type DeployedContract, type Deployments, describeRealityCourt, listContracts } from '@svc/chain'
import { suiteFactoryCreation } from '@svc/devnet/creations'
import { buildSuite, type Creation, type NewRealityCourt, type SuiteOptions } from '@svc/devnet/suite'
import { markets } from '@svc/protocol'
import { suiteFactoryAbi } from '@svc/protocol/abis'
import { create2Deployer } from '@svc/protocol/internal/base'
import {
  type Address,
  concat,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  size,
  zeroAddress,
} from 'viem'
import { hashPlan, type Plan } from './planFile.ts'

/** One transaction of a deployment. */
export interface PlannedStep {
  name: string
  /** The contract that it creates. */
  address: Address
  to: Address
  data: Hex
  /** An upper estimate. */
  gas: bigint
}

/** Everything that follows from a plan without asking the chain. */
export interface PlannedSuite extends Omit<Deployments, 'startBlock'> {
  factory: Address
  creations: readonly Creation[]
  /** The factory first, then a contract each. */
  steps: readonly PlannedStep[]
}

/**
 * Computes the addresses and transactions of a plan. The canonical CREATE2 deployer creates a factory, whose address follows
 * from the whole plan; the factory creates the contracts, whose addresses follow from its nonces.
 */
export function computeSuite(plan: Plan): PlannedSuite {
  const salt = hashPlan(plan)
  const bytecode = encodeDeployData({ ...suiteFactoryCreation, args: [plan.deployer] })
  const factory = getContractAddress({ opcode: 'CREATE2', from: create2Deployer, salt, bytecode })
  // The first nonce of a contract is 1.
  let nonce = 1n
  const nextAddress = () => getContractAddress({ from: factory, nonce: nonce++ })
  const { shared, markets: suiteMarkets, creations } = buildSuite(toSuiteOptions(plan), nextAddress)
  const create = ({ name, address, data }: Creation, index: number): PlannedStep => ({
    name,
    address,
    to: factory,
    data: encodeFunctionData({ abi: suiteFactoryAbi, functionName: 'create', args: [BigInt(index), data] }),
    gas: estimateGas(data),
  })
  const first = {
    name: 'SuiteFactory',
    address: factory,
    to: create2Deployer,
    data: concat([salt, bytecode]),
    gas: estimateGas(bytecode),
  }
  return {
    chainId: plan.chainId,
    shared,
    markets: suiteMarkets,
    factory,
    creations,
    steps: [first, ...creations.map(create)],
  }
}

/** Lists the contracts of a suite whose code is ours: a new final court is one of them. */
export function listSuiteContracts(suite: Pick<PlannedSuite, 'chainId' | 'shared' | 'markets' | 'creations'>) {
  const court = suite.creations.some(({ address }) => address === suite.shared.finalCourt)
  const contracts: DeployedContract[] = listContracts({ ...suite, startBlock: 0 })
  return court ? [...contracts, describeRealityCourt(suite)] : contracts
}

/** Lists every contract with its creation code, the factory first. */
export const listCreations = (plan: Plan, { factory, creations }: PlannedSuite): Creation[] => [
  {
    name: 'SuiteFactory',
    address: factory,
    data: encodeDeployData({ ...suiteFactoryCreation, args: [plan.deployer] }),
  },
  ...creations,
]

function toSuiteOptions({ tok, timelock, oracle, predecessor, ...plan }: Plan): SuiteOptions {
  return {
    usdc: plan.usdc,
    treasury: plan.treasury,
    finalCourt: toFinalCourt(plan.finalCourt),
    guardian: plan.guardian,
    ...('address' in tok ? { tokToken: tok.address } : { tokHolder: tok.mintTo }),
    ...('address' in timelock ? { timelock: timelock.address } : { governors: timelock.governors }),
    ...(oracle && ('address' in oracle ? { usdOracle: oracle.address } : toFeeds(oracle))),
    ...(predecessor && { predecessor: { markets: fillMarkets(predecessor) } }),
  }
}

const toFinalCourt = (court: Plan['finalCourt']): Address | NewRealityCourt =>
  typeof court === 'string' ? court : { reality: court.reality, policy: court.policy, minBond: court.minBondWei }

const toFeeds = ({ priceFeed, sequencerFeed }: { priceFeed: Address; sequencerFeed: Address | null }) => ({
  priceFeed,
  ...(sequencerFeed && { sequencerFeed }),
})

/** Only the lens and the reputation registry of a predecessor are named by its successor. */
function fillMarkets(predecessor: NonNullable<Plan['predecessor']>): Deployments['markets'] {
  const rest = {
    taskScopeRegistry: zeroAddress,
    agreements: zeroAddress,
    escrowVault: zeroAddress,
    depositVault: zeroAddress,
    paymentGateway: zeroAddress,
    stakingVault: zeroAddress,
    arbitration: zeroAddress,
    taskRegistry: zeroAddress,
  }
  const [standard, micro] = markets.map((market) => ({ ...rest, ...predecessor[market] }))
  if (!standard || !micro) throw new RangeError('There are two markets.')
  return { standard, micro }
}

/** Calldata, 200 gas for each byte of code, and room for the constructor and the factory. */
function estimateGas(creationCode: Hex): bigint {
  const bytes = BigInt(size(creationCode))
  return 21_000n + 32_000n + bytes * 16n + bytes * 200n + bytes * 2n + 700_000n
}
