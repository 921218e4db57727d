import { encodeAbiParameters, type Hex, keccak256 } from 'viem'
import { bondAge } from '../../packages/protocol/src/amounts.ts'
import { canTakeCase, isBonded } from './facts.ts'
import { newArbitrator, type Task, type World } from './world.ts'

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

/** Picks the judge that a block hash draws, or null. A plain walk along the bonds, to check the contract's tree against. */
export function selectJudge(
  world: World,
  { dispute, poster, worker }: Task,
  taskId: bigint,
  weights: DrawWeights,
  hash: Hex,
): string | null {
  const total = weights.reduce((sum, { weight }) => sum + weight, 0n)
  const mayBeDrawn = (wallet: string) => {
    const arbitrator = world.arbitrators[wallet] ?? newArbitrator
    const isOld = arbitrator.bondedAt + bondAge <= dispute.openedAt
    return isOld && canTakeCase(arbitrator, dispute.amount) && wallet !== poster && wallet !== worker
  }
  for (let i = 0; i < maxDraws; i++) {
    const types = [{ type: 'bytes32' }, { type: 'uint256' }, { type: 'uint256' }] as const
    let point = BigInt(keccak256(encodeAbiParameters(types, [hash, taskId, BigInt(i)]))) % total
    const found = weights.find(({ weight }) => {
      if (point < weight) return true
      point -= weight
      return false
    })
    if (found && mayBeDrawn(found.wallet)) return found.wallet
  }
  return null
}
