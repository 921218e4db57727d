import {
  arbitrationAbi,
  depositVaultAbi,
  escrowVaultAbi,
  paymentGatewayAbi,
  reputationRegistryAbi,
  stakingVaultAbi,
  taskLensAbi,
  taskRegistryAbi,
  taskScopeRegistryAbi,
} from '@svc/protocol/abis'
import type { Abi } from 'viem'
import type { SimContract } from '../places.ts'

/** The ABI of every contract that a market has of its own. */
export const abis: Readonly<Record<Exclude<SimContract, 'pricingPolicy'>, Abi>> = {
  taskRegistry: taskRegistryAbi,
  taskLens: taskLensAbi,
  taskScopeRegistry: taskScopeRegistryAbi,
  escrowVault: escrowVaultAbi,
  depositVault: depositVaultAbi,
  paymentGateway: paymentGatewayAbi,
  stakingVault: stakingVaultAbi,
  arbitration: arbitrationAbi,
  reputationRegistry: reputationRegistryAbi,
}
