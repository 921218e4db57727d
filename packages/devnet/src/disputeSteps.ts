import { disputePhases } from '@svc/protocol'
import { arbitrationAbi } from '@svc/protocol/abis'
import type { Address, ContractFunctionArgs, ContractFunctionName, LocalAccount, TransactionReceipt } from 'viem'
import { accounts } from './accounts.ts'
import type { Scene } from './scene.ts'
import { sendCall } from './send.ts'
import { hashUtf8, type Job, requireWorker } from './steps.ts'

/** Proposes an arbitrator as a party. Once both parties propose the same one, it is seated. */
export async function sendProposal(scene: Scene, job: Job, by: LocalAccount, arbitrator: Address): Promise<void> {
  await arbitration(scene, by, 'propose', [job.id, arbitrator])
}

/** Proposes the same arbitrator as both parties, which seats it. */
export async function agreeOnArbitrator(scene: Scene, job: Job, arbitrator: LocalAccount): Promise<void> {
  await sendProposal(scene, job, job.poster, arbitrator.address)
  await sendProposal(scene, job, requireWorker(job), arbitrator.address)
}

/** Draws a panel: calls the draw, mines past its block, and seats the panel. */
export async function drawPanel(scene: Scene, job: Job, by = accounts.keeper): Promise<void> {
  await arbitration(scene, by, 'seat', [job.id])
  await scene.client.mine({ blocks: 5 })
  await arbitration(scene, by, 'seat', [job.id])
}

/** Submits evidence as a party. */
export async function sendEvidence(scene: Scene, job: Job, by: LocalAccount, evidence: string): Promise<void> {
  await arbitration(scene, by, 'submitEvidence', [job.id, hashUtf8(evidence)])
}

/** Sends the rulings of the panel's members, in their order. With fewer shares than members, the rest do not vote. */
export async function sendRulings(scene: Scene, job: Job, workerBps: readonly bigint[], reason: string): Promise<void> {
  const panel = await readPanel(scene, job)
  for (const [index, share] of workerBps.entries()) {
    const member = panel[index]
    if (member) await arbitration(scene, member, 'resolve', [job.id, share, hashUtf8(reason)])
  }
}

/** Appeals a ruling as a party. */
export async function sendAppeal(scene: Scene, job: Job, by: LocalAccount): Promise<void> {
  await arbitration(scene, by, 'escalate', [job.id])
}

/** Pays out a ruling that was not appealed. Anyone may call it. */
export async function sendFinalization(scene: Scene, job: Job, by = accounts.keeper): Promise<void> {
  await arbitration(scene, by, 'finalize', [job.id])
}

/** Resolves a dispute whose arbitrators did not vote in time or could not be seated. Anyone may call it. */
export async function sendTimeoutResolution(scene: Scene, job: Job, by = accounts.keeper): Promise<void> {
  await arbitration(scene, by, 'resolveTimedOut', [job.id])
}

/** Registers as an arbitrator with a bond in TOK. */
export async function sendRegistration(scene: Scene, account: LocalAccount, bond: bigint): Promise<void> {
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
  return sendCall(client, account, { address: contracts.arbitration, abi: arbitrationAbi, functionName, args })
}

/** Returns the accounts of the seated panel. Throws if one of them is not an account of the devnet. */
async function readPanel({ client, contracts }: Scene, { id }: Job): Promise<LocalAccount[]> {
  const contract = { address: contracts.arbitration, abi: arbitrationAbi } as const
  const dispute = await client.readContract({ ...contract, functionName: 'disputeOf', args: [id] })
  if (disputePhases[dispute.phase] !== 'EVIDENCE') throw new Error(`The dispute of task ${id} has no seated panel.`)
  const bench = await client.readContract({ ...contract, functionName: 'benchOf', args: [id] })
  return bench.slice(dispute.panelStart).map(({ arbitrator }) => {
    const member = Object.values(accounts).find(({ address }) => address === arbitrator)
    if (!member) throw new Error(`Arbitrator ${arbitrator} of task ${id} is not an account of the devnet.`)
    return member
  })
}
