import { arbitrationAbi } from '@svc/protocol/abis'
import type { Address, ContractFunctionArgs, ContractFunctionName, LocalAccount, TransactionReceipt } from 'viem'
import { accounts, findAccount } from './accounts.ts'
import type { Scene } from './scene.ts'
import { sendCall } from './send.ts'
import { hashProof, type Job, type Proof, requireWorker } from './steps.ts'

/** Proposes an arbitrator as a party. */
export async function sendProposal(scene: Scene, job: Job, by: LocalAccount, arbitrator: Address): Promise<void> {
  await arbitration(scene, by, 'propose', [job.id, arbitrator])
}

/** Takes a case as the arbitrator whom signed terms or both parties name. */
export async function acceptCase(scene: Scene, job: Job, arbitrator: LocalAccount): Promise<void> {
  await arbitration(scene, arbitrator, 'propose', [job.id, arbitrator.address])
}

/** Proposes the same arbitrator as both parties, which then takes the case. */
export async function agreeOnJudge(scene: Scene, job: Job, arbitrator: LocalAccount): Promise<void> {
  await sendProposal(scene, job, job.poster, arbitrator.address)
  await sendProposal(scene, job, requireWorker(job), arbitrator.address)
  await acceptCase(scene, job, arbitrator)
}

/** Gives the case back as the judge. */
export async function sendStepDown(scene: Scene, job: Job): Promise<void> {
  const { judge } = await readDispute(scene, job)
  await arbitration(scene, findAccount(judge), 'stepDown', [job.id])
}

/** Submits evidence as a party, with the worker's share that it names, in basis points. */
export async function sendEvidence(
  scene: Scene,
  job: Job,
  by: LocalAccount,
  evidence: Proof,
  shareBps: bigint,
): Promise<void> {
  const hash = await hashProof(scene, job, 'evidence', by.address, evidence)
  await arbitration(scene, by, 'submitEvidence', [job.id, hash, shareBps])
}

/** Rules as the judge. */
export async function sendRuling(scene: Scene, job: Job, forWorker: boolean, reason: Proof): Promise<void> {
  const { judge, number } = await readDispute(scene, job)
  const hash = await hashProof(scene, job, 'ruling', judge, reason)
  await arbitration(scene, findAccount(judge), 'resolve', [job.id, BigInt(number), forWorker, hash])
}

/** Appeals a ruling as the party that lost. */
export async function sendAppeal(scene: Scene, job: Job, by: LocalAccount): Promise<void> {
  await arbitration(scene, by, 'escalate', [job.id])
}

/** Decides as the final court. */
export async function sendDecision(scene: Scene, job: Job, forWorker: boolean, reason: Proof): Promise<void> {
  const { number } = await readDispute(scene, job)
  const hash = await hashProof(scene, job, 'ruling', accounts.court.address, reason)
  await arbitration(scene, accounts.court, 'decide', [job.id, BigInt(number), forWorker, hash])
}

/** Pays out a ruling that was not appealed. Anyone may call it. */
export async function sendFinalization(scene: Scene, job: Job, by = accounts.keeper): Promise<void> {
  await arbitration(scene, by, 'finalize', [job.id])
}

/** Ends a wait of a dispute: for a judge, its ruling, or the final court. Anyone may call it. */
export async function sendTimeoutResolution(scene: Scene, job: Pick<Job, 'id'>, by = accounts.keeper): Promise<void> {
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

function readDispute({ client, contracts }: Scene, { id }: Job) {
  return client.readContract({
    address: contracts.arbitration,
    abi: arbitrationAbi,
    functionName: 'disputeOf',
    args: [id],
  })
}
