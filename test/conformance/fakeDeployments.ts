import type { Deployments } from '@svc/chain'
import type { Address } from 'viem'

/** Deployments in which each contract has an address of its own. Nothing is deployed there. */
export const fakeDeployments: Deployments = {
  chainId: 8453,
  startBlock: 0,
  shared: {
    tokToken: address(1),
    usdc: address(2),
    usdOracle: address(3),
    pricingPolicy: address(4),
    timelock: address(5),
    treasury: address(6),
    finalCourt: address(7),
  },
  markets: { standard: contracts(16), micro: contracts(32) },
}

function contracts(first: number): Deployments['markets']['standard'] {
  return {
    taskScopeRegistry: address(first),
    escrowVault: address(first + 1),
    depositVault: address(first + 2),
    paymentGateway: address(first + 3),
    stakingVault: address(first + 4),
    arbitration: address(first + 5),
    reputationRegistry: address(first + 6),
    taskRegistry: address(first + 7),
    taskLens: address(first + 8),
    agreements: address(first + 9),
  }
}

function address(number: number): Address {
  return `0x${number.toString(16).padStart(40, '0')}`
}
