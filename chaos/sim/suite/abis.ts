import { taskLensAbi } from '@svc/protocol/abis'
import { marketAbis } from '@svc/protocol/fold'
import type { Abi } from 'viem'
import type { SimContract } from '../places.ts'

/** The ABI of every contract of a market. */
export const abis: Readonly<Record<Exclude<SimContract, 'pricingPolicy'>, Abi>> = {
  ...marketAbis,
  taskLens: taskLensAbi,
}
