import { type Deployments, listContracts } from '@svc/chain'
import { type Market, markets } from '@svc/protocol'
import { type Address, getAddress, type Hex, keccak256 } from 'viem'
import { keccakText } from './hash.ts'

/** The contracts of one market. All but the agreements and the price list emit events or answer calls. */
export type SimContract =
  | 'taskRegistry'
  | 'taskLens'
  | 'taskScopeRegistry'
  | 'agreements'
  | 'escrowVault'
  | 'depositVault'
  | 'paymentGateway'
  | 'stakingVault'
  | 'arbitration'
  | 'reputationRegistry'
  | 'pricingPolicy'

/** Addresses of a simulated suite. The shape fits both a real deployment and the chain reader's `MarketDeployment`. */
export interface SimPlaces {
  chainId: number
  tok: Address
  usdc: Address
  treasury: Address
  finalCourt: Address
  owner: Address
  guardian: Address
  multicall3: Address
  markets: Readonly<Record<Market, Readonly<Record<SimContract, Address>>>>
}

const contracts: readonly SimContract[] = [
  'taskRegistry',
  'taskLens',
  'taskScopeRegistry',
  'agreements',
  'escrowVault',
  'depositVault',
  'paymentGateway',
  'stakingVault',
  'arbitration',
  'reputationRegistry',
]

/** Derives an address from a name. */
export function deriveAddress(name: string): Address {
  return getAddress(`0x${keccakText(name).slice(26)}`)
}

/** Creates made-up addresses, the same for every simulated chain with this id. */
export function simPlaces(chainId: number): SimPlaces {
  const pricingPolicy = deriveAddress('pricingPolicy')
  const own = (market: Market) => ({
    ...(Object.fromEntries(contracts.map((name) => [name, deriveAddress(`${market} ${name}`)])) as Record<
      SimContract,
      Address
    >),
    pricingPolicy,
  })
  return {
    chainId,
    tok: deriveAddress('tok'),
    usdc: deriveAddress('usdc'),
    treasury: deriveAddress('treasury'),
    finalCourt: deriveAddress('finalCourt'),
    owner: deriveAddress('owner'),
    guardian: deriveAddress('guardian'),
    multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
    markets: Object.fromEntries(markets.map((market) => [market, own(market)])) as SimPlaces['markets'],
  }
}

/** Builds the contents of a deployments file for a simulated suite. */
export function buildDeployments(
  { chainId, tok, usdc, treasury, finalCourt, owner, markets }: SimPlaces,
  startBlock: number,
): Deployments & Required<Pick<Deployments, 'codeHashes'>> {
  const { pricingPolicy } = markets.standard
  const shared = { tokToken: tok, usdc, treasury, finalCourt, timelock: owner, pricingPolicy, usdOracle: pricingPolicy }
  const suite = { chainId, startBlock, shared, markets }
  return {
    ...suite,
    codeHashes: Object.fromEntries(
      listContracts(suite).map(({ address }) => [address, keccak256(deriveCode(address))]),
    ),
  }
}

/** Creates the made-up code of a contract at an address. */
export const deriveCode = (address: string): Hex => `0xfe${address.slice(2).toLowerCase()}`
