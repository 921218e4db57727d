import { encodeAbiParameters, type Hex, keccak256 } from 'viem'
import { panelSizes } from '../../packages/protocol/src/amounts.ts'
import { disputeSituation, isBonded } from '../model/facts.ts'
import type { Task, World } from '../model/world.ts'

/** The bonds a draw falls on: fixed when the draw is called, in order of registration. */
export type Weights = readonly { wallet: string; weight: bigint }[]

const maxDraws = 40

export function weightsOf(world: World): Weights {
  return Object.entries(world.arbitrators).map(([wallet, { bond }]) => ({
    wallet,
    weight: isBonded(world, wallet) ? bond : 0n,
  }))
}

/** Whom a block hash seats: a plain walk along the bonds, to check the contract's tree against. */
export function draw(world: World, task: Task, taskId: number, weights: Weights, hash: Hex): string[] {
  const total = weights.reduce((sum, { weight }) => sum + weight, 0n)
  const { maySit } = disputeSituation(world, task, { operation: 'seat', caller: '' })
  const panel: string[] = []
  for (let i = 0; i < maxDraws && panel.length < (panelSizes[task.dispute.tier] ?? 0); i++) {
    const types = [{ type: 'bytes32' }, { type: 'uint256' }, { type: 'uint256' }] as const
    let point = BigInt(keccak256(encodeAbiParameters(types, [hash, BigInt(taskId), BigInt(i)]))) % total
    const found = weights.find(({ weight }) => {
      if (point < weight) return true
      point -= weight
      return false
    })
    if (found && maySit(found.wallet) && !panel.includes(found.wallet)) panel.push(found.wallet)
  }
  return panel
}
