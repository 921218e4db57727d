import { disputePhases } from '@svc/protocol'
import { arbitrationAbi } from '@svc/protocol/abis'
import type { Address, ContractFunctionArgs, ContractFunctionName, LocalAccount, TransactionReceipt } from 'viem'
import { accounts } from './accounts.ts'
import type { Scene } from './scene.ts'
import { send } from './send.ts'
import { hashOf, type Job, workerOf } from './steps.ts'

/** A party names an arbitrator; when both name the same one it is seated. */
export async function propose(scene: Scene, job: Job, by: LocalAccount, arbitrator: Address): Promise<void> {
  await arbitration(scene, by, 'propose', [job.id, arbitrator])
}

/** Both parties agree on an arbitrator. */
export async function agreeOn(scene: Scene, job: Job, arbitrator: LocalAccount): Promise<void> {
  await propose(scene, job, job.poster, arbitrator.address)
  await propose(scene, job, workerOf(job), arbitrator.address)
}

/** Has a panel drawn: calls the draw, mines past its block, seats. */
export async function drawPanel(scene: Scene, job: Job, by = accounts.keeper): Promise<void> {
  await arbitration(scene, by, 'seat', [job.id])
  await scene.client.mine({ blocks: 5 })
  await arbitration(scene, by, 'seat', [job.id])
}

/** A party speaks. */
export async function submitEvidence(scene: Scene, job: Job, by: LocalAccount, evidence: string): Promise<void> {
  await arbitration(scene, by, 'submitEvidence', [job.id, hashOf(evidence)])
}

/** The members of the panel rule, in their order; with fewer shares than members the others stay silent. */
export async function rule(scene: Scene, job: Job, workerBps: readonly bigint[], reason: string): Promise<void> {
  const panel = await panelOf(scene, job)
  for (const [index, share] of workerBps.entries()) {
    const member = panel[index]
    if (member) await arbitration(scene, member, 'resolve', [job.id, share, hashOf(reason)])
  }
}

/** A party appeals. */
export async function escalate(scene: Scene, job: Job, by: LocalAccount): Promise<void> {
  await arbitration(scene, by, 'escalate', [job.id])
}

/** Pays a ruling nobody appealed; a stranger may. */
export async function finalize(scene: Scene, job: Job, by = accounts.keeper): Promise<void> {
  await arbitration(scene, by, 'finalize', [job.id])
}

/** Ends the wait for arbitrators who are silent or cannot be found; a stranger may. */
export async function resolveTimedOut(scene: Scene, job: Job, by = accounts.keeper): Promise<void> {
  await arbitration(scene, by, 'resolveTimedOut', [job.id])
}

/** Bonds TOK as an arbitrator. */
export async function registerArbitrator(scene: Scene, account: LocalAccount, bond: bigint): Promise<void> {
  await arbitration(scene, account, 'register', [bond])
}

type Writes = 'nonpayable'
type ArbitrationWrite = ContractFunctionName<typeof arbitrationAbi, Writes>

function arbitration<name extends ArbitrationWrite>(
  { client, contracts }: Scene,
  account: LocalAccount,
  functionName: name,
  args: ContractFunctionArgs<typeof arbitrationAbi, Writes, name>,
): Promise<TransactionReceipt> {
  return send(client, account, { address: contracts.arbitration, abi: arbitrationAbi, functionName, args })
}

/** The accounts that sit now. Refuses a panel with a stranger on it: nobody here could sign for it. */
async function panelOf({ client, contracts }: Scene, { id }: Job): Promise<LocalAccount[]> {
  const contract = { address: contracts.arbitration, abi: arbitrationAbi } as const
  const dispute = await client.readContract({ ...contract, functionName: 'disputeOf', args: [id] })
  if (disputePhases[dispute.phase] !== 'EVIDENCE') throw new Error(`Nobody sits on task ${id}.`)
  const bench = await client.readContract({ ...contract, functionName: 'benchOf', args: [id] })
  return bench.slice(dispute.panelStart).map(({ arbitrator }) => {
    const member = Object.values(accounts).find(({ address }) => address === arbitrator)
    if (!member) throw new Error(`Arbitrator ${arbitrator} of task ${id} has no account here.`)
    return member
  })
}
