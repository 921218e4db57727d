import type { Deployments } from '@svc/chain'
import { type Market, markets } from '@svc/protocol'
import { type Address, getAddress } from 'viem'
import { keccakText } from './hash.ts'

/** The contracts of one market that emit or answer. */
export type SimContract =
  | 'taskRegistry'
  | 'taskLens'
  | 'taskScopeRegistry'
  | 'escrowVault'
  | 'depositVault'
  | 'paymentGateway'
  | 'stakingVault'
  | 'arbitration'
  | 'reputationRegistry'
  | 'pricingPolicy'

/** Where a simulated suite stands. The shape fits both a real deployment and the chain reader's `MarketPlaces`. */
export interface SimPlaces {
  chainId: number
  tok: Address
  usdc: Address
  treasury: Address
  owner: Address
  guardian: Address
  multicall3: Address
  markets: Readonly<Record<Market, Readonly<Record<SimContract, Address>>>>
}

const contracts: readonly SimContract[] = [
  'taskRegistry',
  'taskLens',
  'taskScopeRegistry',
  'escrowVault',
  'depositVault',
  'paymentGateway',
  'stakingVault',
  'arbitration',
  'reputationRegistry',
]

/** An address that a name stands for. */
export function addressOf(name: string): Address {
  return getAddress(`0x${keccakText(name).slice(26)}`)
}

/** Made-up addresses: the same on every simulated chain with this id. */
export function simPlaces(chainId: number): SimPlaces {
  const pricingPolicy = addressOf('pricingPolicy')
  const own = (market: Market) => ({
    ...(Object.fromEntries(contracts.map((name) => [name, addressOf(`${market} ${name}`)])) as Record<
      SimContract,
      Address
    >),
    pricingPolicy,
  })
  return {
    chainId,
    tok: addressOf('tok'),
    usdc: addressOf('usdc'),
    treasury: addressOf('treasury'),
    owner: addressOf('owner'),
    guardian: addressOf('guardian'),
    multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
    markets: Object.fromEntries(markets.map((market) => [market, own(market)])) as SimPlaces['markets'],
  }
}

/** Where a simulated suite stands, as a deployments file says it. */
export function deploymentsOf(
  { chainId, tok, usdc, treasury, owner, markets }: SimPlaces,
  startBlock: number,
): Deployments {
  const { pricingPolicy } = markets.standard
  const shared = { tokToken: tok, usdc, treasury, timelock: owner, pricingPolicy, usdOracle: pricingPolicy }
  return { chainId, startBlock, shared, markets }
}
