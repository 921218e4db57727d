import { type Deployments, marketNames } from '@svc/chain'
import { type Market, marketParams, markets, SvcError } from '@svc/protocol'
import {
  creditCap,
  creditRate,
  encodePlanId,
  oracleMaxAge,
  paidPlans,
  planPrices,
  realityCourtTimes,
  sequencerGrace,
  timelockDelay,
} from '@svc/protocol/internal/money'
import { type Address, encodeDeployData, type Hex, zeroAddress } from 'viem'
import {
  agreementsCreation,
  arbitrationCreation,
  depositVaultCreation,
  escrowVaultCreation,
  paymentGatewayCreation,
  pricingPolicyCreation,
  realityCourtCreation,
  reputationRegistryCreation,
  stakingVaultCreation,
  taskLensCreation,
  taskRegistryCreation,
  taskScopeRegistryCreation,
  timelockControllerCreation,
  tokTokenCreation,
  usdOracleCreation,
} from './creations/suite.ts'

/**
 * Addresses and roles of a deployment. Everything else comes from the protocol's parameters. A new suite can reuse the TOK,
 * the USDC, the timelock and the oracle of an older one: pass their addresses.
 */
export interface SuiteOptions {
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
  /** Decides disputes that no judge decided, and appeals. It can never take part in a task. A new court asks Reality.eth. */
  finalCourt: Address | NewRealityCourt
  /** May pause new tasks and claims. */
  guardian: Address
  /** The owner of the contracts. Default: the timelock. */
  owner?: Address
  /** The suite that this one replaces. The new lenses and reputation registries name its own. */
  predecessor?: Pick<Deployments, 'markets'>
}

/** A final court that asks the public. */
export interface NewRealityCourt {
  /** Reality.eth 3.0. */
  reality: Address
  /** Where the rules for answers are published. */
  policy: string
  /** The least bond of an answer, in wei of the chain's coin. */
  minBond: bigint
}

/** A contract to create. */
export interface Creation {
  name: string
  address: Address
  /** Creation code with the arguments of the constructor. */
  data: Hex
}

/** The addresses of a suite, and what creates it. */
export interface Suite extends Pick<Deployments, 'shared' | 'markets'> {
  creations: readonly Creation[]
}

/**
 * Computes every address and the creation code of every contract, in the order of their creation. The contracts refer to each
 * other in their constructors, so `nextAddress` must know the address of each before its code.
 */
export function buildSuite(options: SuiteOptions, nextAddress: () => Address): Suite {
  const { usdc, tokHolder, governors, priceFeed, sequencerFeed = zeroAddress, treasury, finalCourt, guardian } = options
  if (!options.tokToken && !tokHolder) throw new DeployError('neither tokToken nor tokHolder is given')
  if (!options.timelock && !governors) throw new DeployError('neither timelock nor governors are given')
  const shared = {
    tokToken: options.tokToken ?? nextAddress(),
    timelock: options.timelock ?? nextAddress(),
    usdOracle: options.usdOracle ?? (priceFeed ? nextAddress() : zeroAddress),
    pricingPolicy: nextAddress(),
    usdc,
    treasury,
    finalCourt: typeof finalCourt === 'string' ? finalCourt : nextAddress(),
  }
  const nextMarket = () =>
    Object.fromEntries(marketNames.map((name) => [name, nextAddress()])) as Deployments['markets'][Market]
  // The court names the markets' contracts, so their addresses come first.
  const own: Deployments['markets'] = { standard: nextMarket(), micro: nextMarket() }
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
  if (typeof finalCourt !== 'string') creations.push(courtCreation(finalCourt, shared, own))
  for (const market of markets)
    creations.push(
      ...marketCreations(market, shared, own[market], owner, guardian, options.predecessor?.markets[market]),
    )
  return { shared, markets: own, creations }
}

function courtCreation(
  { reality, policy, minBond }: NewRealityCourt,
  { tokToken, treasury, finalCourt }: Deployments['shared'],
  own: Deployments['markets'],
): Creation {
  const seats = markets.map((market) => ({
    arbitration: own[market].arbitration,
    deposits: own[market].depositVault,
    ...realityCourtTimes[market],
    minBond,
  }))
  const args = [reality, tokToken, treasury, policy, seats] as const
  return { name: 'RealityCourt', address: finalCourt, data: encodeDeployData({ ...realityCourtCreation, args }) }
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

/** A deployment cannot continue. */
export class DeployError extends SvcError {
  override name = 'DeployError'

  constructor(reason: string) {
    super('DEPLOY', `Cannot deploy: ${reason}.`)
  }
}
