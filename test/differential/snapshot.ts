import { newArbitrator, readWithdrawable, type Task, type World } from '@svc/simulation/model'
import { encodeAbiParameters, type Hex, keccak256 } from 'viem'
import { disputeEndings, disputePhases, taskStates } from '../../packages/protocol/src/tasks/states.ts'
import { vaults, walletIndex, wallets } from './wallets.ts'

/** Returns everything that model and contracts must agree on, as words. contracts/test/differential/Snapshot.sol reads the same. */
export function snapshot(world: World): bigint[] {
  return [
    ...wallets.flatMap((wallet) => walletWords(world, wallet)),
    ...vaults.map((vault) => world.tok[vault] ?? 0n),
    world.tok.burnt ?? 0n,
    world.usdc.depositVault ?? 0n,
    world.deposits.treasury ?? 0n,
    ...world.tasks.flatMap((task) => (task ? [...taskWords(task), ...disputeWords(task)] : [])),
  ]
}

export const hashWords = (words: readonly bigint[]): Hex =>
  keccak256(encodeAbiParameters([{ type: 'uint256[]' }], [words]))

function walletWords(world: World, wallet: string): bigint[] {
  const arbitrator = world.arbitrators[wallet] ?? newArbitrator
  return [
    world.tok[wallet] ?? 0n,
    world.usdc[wallet] ?? 0n,
    world.deposits[wallet] ?? 0n,
    world.reserved[wallet] ?? 0n,
    readWithdrawable(world, wallet),
    arbitrator.bond,
    arbitrator.locked,
    BigInt(arbitrator.unbondAt),
    BigInt(arbitrator.openCases),
    BigInt(arbitrator.resolved),
    BigInt(arbitrator.timedOut),
    BigInt(arbitrator.overturned),
    arbitrator.slashed,
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
    BigInt(task.fundedAtClaim),
    BigInt(task.deadline),
    BigInt(task.reviewEnd),
    BigInt(task.receipted),
    BigInt(task.underNotice),
    walletIndex(task.allowedWorker),
    task.workerBps,
    BigInt(task.ruled),
    task.total,
    task.funded,
    task.released,
    task.refunded,
    ...wallets.flatMap((wallet) => [task.reserves[wallet] ?? 0n, task.exitDeposits[wallet] ?? 0n]),
  ]
}

function disputeWords({ dispute }: Task): bigint[] {
  return [
    BigInt(dispute.number),
    BigInt(disputePhases.indexOf(dispute.phase)),
    BigInt(disputeEndings.indexOf(dispute.ending)),
    BigInt(dispute.openedByPoster),
    BigInt(dispute.posterSpoke),
    BigInt(dispute.workerSpoke),
    BigInt(dispute.ruled),
    BigInt(dispute.forWorker),
    BigInt(dispute.appealed),
    walletIndex(dispute.judge),
    walletIndex(dispute.named),
    walletIndex(dispute.posterProposal),
    walletIndex(dispute.workerProposal),
    dispute.offerBps,
    dispute.askBps,
    dispute.workerBps,
    dispute.amount,
    dispute.stake,
    BigInt(dispute.openedAt),
    BigInt(dispute.consentEnd),
    BigInt(dispute.evidenceEnd),
    BigInt(dispute.rulingEnd),
    BigInt(dispute.appealEnd),
    BigInt(dispute.courtEnd),
  ]
}
