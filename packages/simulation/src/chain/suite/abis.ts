import { taskLensAbi } from '@svc/protocol/abis'
import { marketAbis } from '@svc/protocol/fold'
import type { Abi } from 'viem'
import type { SimContract } from '../places.ts'

/** The ABI of every contract of a market that the simulation calls. */
export const abis: Readonly<Record<Exclude<SimContract, 'agreements' | 'pricingPolicy'>, Abi>> = {
  ...marketAbis,
  taskLens: taskLensAbi,
}
