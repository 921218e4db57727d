import { encodeAbiParameters, type Hex, keccak256 } from 'viem'
import { panelSizes } from '../../packages/protocol/src/amounts.ts'
import { disputeSituation, isBonded } from './facts.ts'
import type { Task, World } from './world.ts'

/** The bonds that weight a draw, in order of registration. They are fixed when the draw is scheduled. */
export type DrawWeights = readonly { wallet: string; weight: bigint }[]

const maxDraws = 40

/** Lists the bonds that a draw scheduled now would use. */
export function listDrawWeights(world: World): DrawWeights {
  return Object.entries(world.arbitrators).map(([wallet, arbitrator]) => ({
    wallet,
    weight: isBonded(arbitrator) ? arbitrator.bond : 0n,
  }))
}

/** Picks the panel that a block hash seats. A plain walk along the bonds, to check the contract's tree against. */
export function selectPanel(world: World, task: Task, taskId: bigint, weights: DrawWeights, hash: Hex): string[] {
  const total = weights.reduce((sum, { weight }) => sum + weight, 0n)
  const { maySit } = disputeSituation(world, task, { operation: 'seat', caller: '' })
  const panel: string[] = []
  for (let i = 0; i < maxDraws && panel.length < (panelSizes[task.dispute.tier] ?? 0); i++) {
    const types = [{ type: 'bytes32' }, { type: 'uint256' }, { type: 'uint256' }] as const
    let point = BigInt(keccak256(encodeAbiParameters(types, [hash, taskId, BigInt(i)]))) % total
    const found = weights.find(({ weight }) => {
      if (point < weight) return true
      point -= weight
      return false
    })
    if (found && maySit(found.wallet) && !panel.includes(found.wallet)) panel.push(found.wallet)
  }
  return panel
}
