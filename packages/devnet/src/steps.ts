import { randomBytes } from 'node:crypto'
import { signingContext } from '@svc/chain'
import {
  acceptanceTypedData,
  claimPermitTypedData,
  claimPolicies,
  defaultReviewWindow,
  mutualCancelTypedData,
  type SigningContext,
  settlementDigest,
  type TaskTerms,
  taskScopes,
} from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import {
  type Address,
  bytesToBigInt,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type Hex,
  keccak256,
  type LocalAccount,
  parseEventLogs,
  type TransactionReceipt,
  toHex,
  zeroAddress,
} from 'viem'
import { accounts } from './accounts.ts'
import { publishedText } from './publishedText.ts'
import type { Scene } from './scene.ts'
import { send } from './send.ts'
import { chainTime } from './time.ts'

/** A task and its people, as steps hand it on. */
export interface Job {
  id: bigint
  terms: TaskTerms
  poster: LocalAccount
  /** Null until the claim. */
  worker: LocalAccount | null
}

/** What a task is about. Windows and policies have the market's defaults. */
export interface Offer {
  poster: LocalAccount
  /** The title, a blank line, and the criteria. */
  text: string
  /** TOK wei of each milestone. */
  amounts: readonly bigint[]
  /** Seconds of each milestone; one number holds for all. */
  duration: number
  reviewWindow?: number
  maxRevisions?: number
  arbitrator?: Address
  /** Only workers with the poster's permit may claim. */
  permitOnly?: boolean
  /** Unix seconds; default half of what the market allows. */
  claimDeadline?: number
}

/** Posts an open task, by default with all its money. */
export async function post(scene: Scene, offer: Offer, fundAmount = sum(offer.amounts)): Promise<Job> {
  const terms = await termsOf(scene, offer, 'OPEN')
  const receipt = await registry(scene, offer.poster, 'post', [
    terms,
    publishedText(offer.text, offer.amounts.length),
    fundAmount,
  ])
  return { id: newTaskId(receipt, 'TaskPosted'), terms, poster: offer.poster, worker: null }
}

/** Makes a private task from two signatures; the worker sends them in. */
export async function create(scene: Scene, offer: Offer, worker: LocalAccount): Promise<Job> {
  const terms = await termsOf(scene, offer, 'PRIVATE')
  const accept = async (party: LocalAccount) => {
    const fresh = await freshness(scene)
    const message = { terms, worker: worker.address, party: party.address, ...fresh }
    return { ...fresh, data: await party.signTypedData(acceptanceTypedData(contextOf(scene), message)) }
  }
  const args = [terms, worker.address, await accept(offer.poster), await accept(worker)] as const
  const receipt = await registry(scene, worker, 'create', args)
  return { id: newTaskId(receipt, 'TaskCreated'), terms, poster: offer.poster, worker }
}

/** Adds to the escrow, by default all of a task that has nothing yet. */
export async function fund(scene: Scene, job: Job, amount = sum(job.terms.amounts)): Promise<void> {
  await registry(scene, job.poster, 'fund', [job.id, amount])
}

/** Takes the task. Where the terms ask for the poster's permit, the poster signs one. */
export async function claim(scene: Scene, job: Job, worker: LocalAccount): Promise<void> {
  const digest = settlementDigest(contextOf(scene), job.terms, worker.address)
  if (job.terms.claimPolicy === claimPolicies.indexOf('PERMIT')) {
    const fresh = await freshness(scene)
    const message = { taskId: job.id, worker: worker.address, ...fresh }
    const data = await job.poster.signTypedData(claimPermitTypedData(contextOf(scene), message))
    await registry(scene, worker, 'claimWithPermit', [job.id, digest, { ...fresh, data }])
  } else {
    await registry(scene, worker, 'claim', [job.id, digest])
  }
  job.worker = worker
}

/** Starts the work; the poster may at any time, the worker after the vet window. */
export async function activate(scene: Scene, job: Job, by = job.poster): Promise<void> {
  await registry(scene, by, 'activate', [job.id])
}

/** The poster sends the worker away. */
export async function dismiss(scene: Scene, job: Job): Promise<void> {
  await registry(scene, job.poster, 'dismiss', [job.id])
  job.worker = null
}

/** The worker gives the task up. */
export async function leave(scene: Scene, job: Job): Promise<void> {
  await registry(scene, workerOf(job), 'leaveTask', [job.id])
  job.worker = null
}

/** The worker delivers the milestone in work. */
export async function deliver(scene: Scene, job: Job, proof: string): Promise<void> {
  await registry(scene, workerOf(job), 'markDelivered', [job.id, await currentMilestone(scene, job), hashOf(proof)])
}

/** The poster sends the delivery back. */
export async function requestRevision(scene: Scene, job: Job, reason: string): Promise<void> {
  await registry(scene, job.poster, 'requestRevision', [job.id, await currentMilestone(scene, job), hashOf(reason)])
}

/** The poster pays the milestone in work; in a dispute that is a concession. */
export async function release(scene: Scene, job: Job): Promise<void> {
  await registry(scene, job.poster, 'release', [job.id, await currentMilestone(scene, job)])
}

/** The poster pays all that is left. */
export async function complete(scene: Scene, job: Job): Promise<void> {
  await registry(scene, job.poster, 'complete', [job.id])
}

/** Pays a delivery that was not answered in time; a stranger may. */
export async function releaseLapsed(scene: Scene, job: Job, by = accounts.keeper): Promise<void> {
  await registry(scene, by, 'releaseLapsed', [job.id, await currentMilestone(scene, job)])
}

/** The poster takes an unclaimed task back. */
export async function cancel(scene: Scene, job: Job): Promise<void> {
  await registry(scene, job.poster, 'cancel', [job.id])
}

/** Ends a wait whose time is over; a stranger may. */
export async function expire(scene: Scene, job: Job, by = accounts.keeper): Promise<void> {
  await registry(scene, by, 'expire', [job.id])
}

/** Both sign a share for the worker, in basis points, and the task ends. */
export async function mutualCancel(scene: Scene, job: Job, workerBps: bigint): Promise<void> {
  const context = contextOf(scene)
  const digest = settlementDigest(context, job.terms, workerOf(job).address)
  const milestone = await currentMilestone(scene, job)
  const sign = async (party: LocalAccount) => {
    const fresh = await freshness(scene)
    const message = { taskId: job.id, settlementDigest: digest, milestone, workerBps, party: party.address, ...fresh }
    return { ...fresh, data: await party.signTypedData(mutualCancelTypedData(context, message)) }
  }
  const args = [job.id, workerBps, await sign(job.poster), await sign(workerOf(job))] as const
  await registry(scene, job.poster, 'mutualCancel', args)
}

/** A party, by default the poster, takes the delivery to arbitration. */
export async function openDispute(scene: Scene, job: Job, evidence: string, by = job.poster): Promise<void> {
  await registry(scene, by, 'openDispute', [job.id, await currentMilestone(scene, job), hashOf(evidence)])
}

/** The worker of a job that has one. */
export function workerOf(job: Job): LocalAccount {
  if (!job.worker) throw new Error(`Task ${job.id} has no worker.`)
  return job.worker
}

/** What stands on chain for a text. */
export function hashOf(text: string): Hex {
  return keccak256(toHex(text))
}

const contextOf = (scene: Scene): SigningContext => signingContext(scene.deployments, scene.market)
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
/** Nonces have no order, so a random one will do. */
const randomNonce = () => bytesToBigInt(randomBytes(6))

type Writes = 'nonpayable'
type RegistryWrite = ContractFunctionName<typeof taskRegistryAbi, Writes>

function registry<name extends RegistryWrite>(
  { client, contracts }: Scene,
  account: LocalAccount,
  functionName: name,
  args: ContractFunctionArgs<typeof taskRegistryAbi, Writes, name>,
): Promise<TransactionReceipt> {
  return send(client, account, { address: contracts.taskRegistry, abi: taskRegistryAbi, functionName, args })
}

async function termsOf(scene: Scene, offer: Offer, scope: (typeof taskScopes)[number]): Promise<TaskTerms> {
  const deadline = offer.claimDeadline ?? (await chainTime(scene.client)) + scene.params.maxClaimDeadline / 2
  return {
    poster: offer.poster.address,
    amounts: offer.amounts,
    durations: offer.amounts.map(() => BigInt(offer.duration)),
    reviewWindow: BigInt(offer.reviewWindow ?? defaultReviewWindow[scene.market]),
    maxRevisions: offer.maxRevisions ?? 1,
    arbitrator: offer.arbitrator ?? zeroAddress,
    criteriaHash: hashOf(publishedText(offer.text, offer.amounts.length)),
    scope: taskScopes.indexOf(scope),
    claimPolicy: claimPolicies.indexOf(offer.permitOnly ? 'PERMIT' : 'ANYONE'),
    claimDeadline: BigInt(Math.floor(deadline)),
    nonce: randomNonce(),
  }
}

/** A signature's own nonce and its end, an hour from now. */
async function freshness({ client }: Scene): Promise<{ nonce: bigint; expiry: bigint }> {
  return { nonce: randomNonce(), expiry: BigInt((await chainTime(client)) + 3600) }
}

async function currentMilestone({ client, contracts }: Scene, { id }: Job): Promise<bigint> {
  const address = contracts.taskRegistry
  const { current } = await client.readContract({ address, abi: taskRegistryAbi, functionName: 'taskOf', args: [id] })
  return BigInt(current)
}

function newTaskId(receipt: TransactionReceipt, eventName: 'TaskPosted' | 'TaskCreated'): bigint {
  const [log] = parseEventLogs({ abi: taskRegistryAbi, eventName, logs: receipt.logs })
  if (!log) throw new Error(`Transaction ${receipt.transactionHash} has no ${eventName}.`)
  return log.args.taskId
}
