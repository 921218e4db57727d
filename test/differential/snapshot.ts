import { encodeAbiParameters, type Hex, keccak256 } from 'viem'
import { disputePhases, taskStates } from '../../packages/protocol/src/states.ts'
import type { Task, World } from '../model/world.ts'
import { vaults, walletIndex, wallets } from './wallets.ts'

/** Returns everything that model and contracts must agree on, as words. contracts/test/differential/Snapshot.sol reads the same. */
export function snapshot(world: World): bigint[] {
  return [
    ...wallets.flatMap((wallet) => walletWords(world, wallet)),
    ...vaults.map((vault) => world.tok[vault] ?? 0n),
    world.usdc.depositVault ?? 0n,
    world.deposits.treasury ?? 0n,
    ...world.tasks.flatMap((task) => (task ? [...taskWords(task), ...disputeWords(task)] : [])),
  ]
}

export const hashWords = (words: readonly bigint[]): Hex =>
  keccak256(encodeAbiParameters([{ type: 'uint256[]' }], [words]))

function walletWords(world: World, wallet: string): bigint[] {
  const arbitrator = world.arbitrators[wallet]
  return [
    world.tok[wallet] ?? 0n,
    world.usdc[wallet] ?? 0n,
    world.deposits[wallet] ?? 0n,
    world.reserved[wallet] ?? 0n,
    BigInt(world.liveClaims[wallet] ?? 0),
    world.withdrawable[wallet] ?? 0n,
    arbitrator?.bond ?? 0n,
    BigInt(arbitrator?.openCases ?? 0),
    BigInt(arbitrator?.resolved ?? 0),
    BigInt(arbitrator?.timedOut ?? 0),
    BigInt(arbitrator?.unbondAt ?? 0),
    arbitrator?.slashed ?? 0n,
  ]
}

function taskWords(task: Task): bigint[] {
  return [
    BigInt(taskStates.indexOf(task.state)),
    walletIndex(task.poster),
    walletIndex(task.worker),
    BigInt(task.current),
    BigInt(task.revisions),
    BigInt(task.claimedAt),
    BigInt(task.deadline),
    BigInt(task.reviewEnd),
    task.workerBps,
    BigInt(task.ruled),
    task.total,
    task.funded,
    task.released,
    task.refunded,
    ...wallets.map((wallet) => task.reserves[wallet] ?? 0n),
  ]
}

function disputeWords({ dispute }: Task): bigint[] {
  return [
    BigInt(dispute.number),
    BigInt(disputePhases.indexOf(dispute.phase)),
    BigInt(dispute.tier),
    BigInt(dispute.reseated),
    BigInt(dispute.posterSpoke),
    BigInt(dispute.workerSpoke),
    dispute.workerBps,
    walletIndex(dispute.posterProposal),
    walletIndex(dispute.workerProposal),
    BigInt(dispute.consentEnd),
    BigInt(dispute.seatEnd),
    BigInt(dispute.evidenceEnd),
    BigInt(dispute.rulingEnd),
    BigInt(dispute.appealEnd),
    BigInt(dispute.panelStart),
    ...dispute.bench.flatMap(({ arbitrator, voted, workerBps }) => [walletIndex(arbitrator), BigInt(voted), workerBps]),
    ...dispute.appeals.flatMap(({ appellant, fromBps, bond }) => [walletIndex(appellant), fromBps, bond]),
  ]
}
