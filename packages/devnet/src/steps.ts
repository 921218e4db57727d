import { randomBytes } from 'node:crypto'
import { createSigningContext } from '@svc/chain'
import {
  buildAcceptanceTypedData,
  buildClaimPermitTypedData,
  buildMutualCancelTypedData,
  buildStorageReceiptTypedData,
  claimPolicies,
  computeSettlementDigest,
  type SigningContext,
  type TaskTerms,
  taskScopes,
} from '@svc/protocol'
import { arbitrationAbi, taskRegistryAbi } from '@svc/protocol/abis'
import { defaultReviewWindow } from '@svc/protocol/internal/money'
import type { BundleKind } from '@svc/protocol/work'
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
import { accounts, findAccount } from './accounts.ts'
import { formatPublishedText } from './publishedText.ts'
import type { Scene } from './scene.ts'
import { sealWork, type Work } from './sealWork.ts'
import { sendCall } from './send.ts'
import { getChainTime } from './time.ts'

/** A task and its parties, as steps use it. */
export interface Job {
  id: bigint
  terms: TaskTerms
  poster: LocalAccount
  /** Null until the task is claimed. */
  worker: LocalAccount | null
}

/** The terms of a task to post. Omitted windows and policies get the market's defaults. */
export interface Offer {
  poster: LocalAccount
  /** The title, a blank line, and the criteria. */
  text: string
  /** The title of each milestone. Default: numbered ones. */
  titles?: readonly string[]
  tags?: readonly string[]
  /** What is published, if it is not the text above in the form of a task's text. */
  published?: string
  /** Amount of each milestone in TOK wei. */
  amounts: readonly bigint[]
  /** Duration of every milestone in seconds, or of each. */
  duration: number | readonly number[]
  reviewWindow?: number
  maxRevisions?: number
  arbitrator?: Address
  /** The store whose receipts deliveries need. */
  store?: Address
  /** Only workers with the poster's permit may claim. */
  permitOnly?: boolean | undefined
  /** Unix seconds. Default: half of what the market allows. */
  claimDeadline?: number
}

/** Posts an open task, fully funded by default. */
export async function sendPost(scene: Scene, offer: Offer, fundAmount = sum(offer.amounts)): Promise<Job> {
  const terms = await makeTerms(scene, offer, 'OPEN')
  const receipt = await registry(scene, offer.poster, 'post', [terms, formatOffer(offer), fundAmount])
  return { id: newTaskId(receipt, 'TaskPosted'), terms, poster: offer.poster, worker: null }
}

/** Creates a private task from the signatures of both parties. The worker sends the transaction. */
export async function sendCreate(scene: Scene, offer: Offer, worker: LocalAccount): Promise<Job> {
  const terms = await makeTerms(scene, offer, 'PRIVATE')
  const accept = async (party: LocalAccount) => {
    const fresh = await makeNonceAndExpiry(scene)
    const message = { terms, worker: worker.address, party: party.address, ...fresh }
    return { ...fresh, data: await party.signTypedData(buildAcceptanceTypedData(toSigningContext(scene), message)) }
  }
  const args = [terms, worker.address, await accept(offer.poster), await accept(worker)] as const
  const receipt = await registry(scene, worker, 'create', args)
  return { id: newTaskId(receipt, 'TaskCreated'), terms, poster: offer.poster, worker }
}

/** Funds the escrow, by default with the full amount. */
export async function sendFunding(scene: Scene, job: Job, amount = sum(job.terms.amounts)): Promise<void> {
  await registry(scene, job.poster, 'fund', [job.id, amount])
}

/** Lets a wallet claim without a permit, as the poster. */
export async function sendAllowance(scene: Scene, job: Job, worker: Address): Promise<void> {
  await registry(scene, job.poster, 'allowWorker', [job.id, worker])
}

/** Claims the task. If the terms require a permit, the poster signs one. */
export async function sendClaim(scene: Scene, job: Job, worker: LocalAccount): Promise<void> {
  const digest = computeSettlementDigest(toSigningContext(scene), job.terms, worker.address)
  if (job.terms.claimPolicy === claimPolicies.indexOf('PERMIT')) {
    const fresh = await makeNonceAndExpiry(scene)
    const message = { taskId: job.id, settlementDigest: digest, worker: worker.address, ...fresh }
    const data = await job.poster.signTypedData(buildClaimPermitTypedData(toSigningContext(scene), message))
    await registry(scene, worker, 'claimWithPermit', [job.id, digest, { ...fresh, data }])
  } else {
    await registry(scene, worker, 'claim', [job.id, digest])
  }
  job.worker = worker
}

/** Starts the work. The poster may do this at any time, the worker after the vet window. */
export async function sendActivation(scene: Scene, job: Job, by = job.poster): Promise<void> {
  await registry(scene, by, 'activate', [job.id])
}

/** Removes the worker, as the poster. */
export async function sendDismissal(scene: Scene, job: Job): Promise<void> {
  await registry(scene, job.poster, 'dismiss', [job.id])
  job.worker = null
}

/** Ends work that is under way, as the poster. The worker may still deliver what it has. */
export async function sendNotice(scene: Scene, job: Job): Promise<void> {
  await registry(scene, job.poster, 'dismiss', [job.id])
}

/** Leaves the task, as the worker. */
export async function sendLeave(scene: Scene, job: Job): Promise<void> {
  await registry(scene, requireWorker(job), 'leaveTask', [job.id])
  job.worker = null
}

/** What a step puts on chain as a hash: work, of which a public bundle is made, or any text. */
export type Proof = string | Work

/** Delivers the current milestone, as the worker. */
export async function sendDelivery(scene: Scene, job: Job, proof: Proof): Promise<void> {
  const worker = requireWorker(job)
  const hash = await hashProof(scene, job, 'delivery', worker.address, proof)
  await registry(scene, worker, 'markDelivered', [job.id, await currentMilestone(scene, job), hash, noReceipt])
}

/** Hashes what a step stands for. Work becomes a bundle of the current milestone, which the scene keeps. */
export async function hashProof(
  scene: Scene,
  job: Pick<Job, 'id'>,
  kind: BundleKind,
  author: Address,
  proof: Proof,
): Promise<Hex> {
  if (typeof proof === 'string') return hashUtf8(proof)
  const { current, revisions } = await readTask(scene, job)
  const bundle = await sealWork(
    {
      kind,
      chainId: scene.deployments.chainId,
      registry: scene.contracts.taskRegistry,
      taskId: { market: scene.market, number: job.id },
      milestone: current,
      revision: revisions,
      author,
    },
    proof,
  )
  scene.bundles.push(bundle)
  return bundle.hash
}

/** What a delivery without a receipt passes on chain. */
const noReceipt = { size: 0n, until: 0n, signature: '0x' } as const

/** Delivers again what is in review, with the store's receipt, as the worker. */
export async function sendReceipt(scene: Scene, job: Pick<Job, 'id'>, { store = accounts.store } = {}): Promise<void> {
  const { current, revisions, worker, reviewWindow } = await readTask(scene, job)
  const { evidenceWindow, rulingWindow, appealWindow, courtWindow } = scene.params
  const longest = reviewWindow + evidenceWindow + rulingWindow + appealWindow + courtWindow
  const message = {
    taskId: job.id,
    milestone: BigInt(current),
    revision: BigInt(revisions),
    worker,
    proofHash: await readProofHash(scene, job),
    size: 1_000n,
    // The block that includes it is later than the last one.
    until: BigInt((await getChainTime(scene.client)) + 2 * longest),
  }
  const signature = await store.signTypedData(buildStorageReceiptTypedData(toSigningContext(scene), message))
  const receipt = { size: message.size, until: message.until, signature }
  await registry(scene, findAccount(worker), 'markDelivered', [job.id, message.milestone, message.proofHash, receipt])
}

/** Requests a revision of the delivery, as the poster. */
export async function sendRevisionRequest(scene: Scene, job: Job, reason: Proof): Promise<void> {
  const hash = await hashProof(scene, job, 'revision', job.poster.address, reason)
  await registry(scene, job.poster, 'requestRevision', [job.id, await currentMilestone(scene, job), hash])
}

/** Pays the current milestone, as the poster. In a dispute this concedes it. */
export async function sendRelease(scene: Scene, job: Job): Promise<void> {
  await registry(scene, job.poster, 'release', [job.id, await currentMilestone(scene, job)])
}

/** Pays all remaining milestones, as the poster. */
export async function sendCompletion(scene: Scene, job: Job): Promise<void> {
  await registry(scene, job.poster, 'complete', [job.id])
}

/** Pays a delivery that was not reviewed in time. Anyone may call it. */
export async function sendLapsedRelease(scene: Scene, job: Job, by = accounts.keeper): Promise<void> {
  await registry(scene, by, 'releaseLapsed', [job.id, await currentMilestone(scene, job)])
}

/** Cancels an unclaimed task, as the poster. */
export async function sendCancellation(scene: Scene, job: Job): Promise<void> {
  await registry(scene, job.poster, 'cancel', [job.id])
}

/** Expires a task after its deadline. Anyone may call it. */
export async function sendExpiry(scene: Scene, job: Pick<Job, 'id'>, by = accounts.keeper): Promise<void> {
  await registry(scene, by, 'expire', [job.id])
}

/** Cancels the task with signatures of both parties over the worker's share, in basis points. */
export async function sendMutualCancellation(scene: Scene, job: Job, workerBps: bigint): Promise<void> {
  const context = toSigningContext(scene)
  const digest = computeSettlementDigest(context, job.terms, requireWorker(job).address)
  const { current, state, reviewEnd } = await readTask(scene, job)
  const disputePhase = await scene.client.readContract({
    address: scene.contracts.arbitration,
    abi: arbitrationAbi,
    functionName: 'phaseOf',
    args: [job.id],
  })
  const place = { milestone: BigInt(current), state, reviewEnd: BigInt(reviewEnd), disputePhase }
  const sign = async (party: LocalAccount) => {
    const fresh = await makeNonceAndExpiry(scene)
    const message = { taskId: job.id, settlementDigest: digest, ...place, workerBps, party: party.address, ...fresh }
    return { ...fresh, data: await party.signTypedData(buildMutualCancelTypedData(context, message)) }
  }
  const args = [job.id, workerBps, await sign(job.poster), await sign(requireWorker(job))] as const
  await registry(scene, job.poster, 'mutualCancel', args)
}

/** Opens a dispute about the delivery, by default as the poster, who offers the worker a share in basis points. */
export async function sendDispute(
  scene: Scene,
  job: Job,
  evidence: Proof,
  { by = job.poster, shareBps }: { by?: LocalAccount; shareBps?: bigint } = {},
): Promise<void> {
  const share = shareBps ?? (by === job.poster ? 0n : 10_000n)
  const hash = await hashProof(scene, job, 'evidence', by.address, evidence)
  await registry(scene, by, 'openDispute', [job.id, await currentMilestone(scene, job), hash, share])
}

/** Returns the worker of a job. Throws if there is none. */
export function requireWorker(job: Job): LocalAccount {
  if (!job.worker) throw new Error(`Task ${job.id} has no worker.`)
  return job.worker
}

/** Returns the keccak256 hash of a text, which is what goes on chain. */
export function hashUtf8(text: string): Hex {
  return keccak256(toHex(text))
}

const toSigningContext = (scene: Scene): SigningContext => createSigningContext(scene.deployments, scene.market)
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n)
/** Nonces are unordered, so a random one works. */
const randomNonce = () => bytesToBigInt(randomBytes(6))

type Writes = 'nonpayable'
type RegistryWrite = ContractFunctionName<typeof taskRegistryAbi, Writes>

function registry<name extends RegistryWrite>(
  { client, contracts }: Scene,
  account: LocalAccount,
  functionName: name,
  args: ContractFunctionArgs<typeof taskRegistryAbi, Writes, name>,
): Promise<TransactionReceipt> {
  return sendCall(client, account, { address: contracts.taskRegistry, abi: taskRegistryAbi, functionName, args })
}

async function makeTerms(scene: Scene, offer: Offer, scope: (typeof taskScopes)[number]): Promise<TaskTerms> {
  const { amounts, duration } = offer
  const deadline = offer.claimDeadline ?? (await getChainTime(scene.client)) + scene.params.maxClaimDeadline / 2
  return {
    poster: offer.poster.address,
    amounts,
    durations: amounts.map((_, index) => BigInt(typeof duration === 'number' ? duration : (duration[index] ?? 0))),
    reviewWindow: BigInt(offer.reviewWindow ?? defaultReviewWindow[scene.market]),
    maxRevisions: offer.maxRevisions ?? 1,
    arbitrator: offer.arbitrator ?? zeroAddress,
    store: offer.store ?? zeroAddress,
    criteriaHash: hashUtf8(formatOffer(offer)),
    scope: taskScopes.indexOf(scope),
    claimPolicy: claimPolicies.indexOf(offer.permitOnly ? 'PERMIT' : 'ANYONE'),
    claimDeadline: BigInt(Math.floor(deadline)),
    nonce: randomNonce(),
  }
}

const formatOffer = ({ text, amounts, titles, tags, published }: Offer) =>
  published ?? formatPublishedText(text, amounts.length, titles, tags)

/** Returns a nonce for a signature and an expiry one hour from now. */
async function makeNonceAndExpiry({ client }: Scene): Promise<{ nonce: bigint; expiry: bigint }> {
  return { nonce: randomNonce(), expiry: BigInt((await getChainTime(client)) + 3600) }
}

async function currentMilestone(scene: Scene, job: Job): Promise<bigint> {
  return BigInt((await readTask(scene, job)).current)
}

function readTask({ client, contracts }: Scene, { id }: Pick<Job, 'id'>) {
  const address = contracts.taskRegistry
  return client.readContract({ address, abi: taskRegistryAbi, functionName: 'taskOf', args: [id] })
}

/** Reads the hash of the last delivery. */
async function readProofHash({ client, contracts }: Scene, { id }: Pick<Job, 'id'>): Promise<Hex> {
  const logs = await client.getContractEvents({
    address: contracts.taskRegistry,
    abi: taskRegistryAbi,
    eventName: 'MilestoneDelivered',
    args: { taskId: id },
    fromBlock: 0n,
    strict: true,
  })
  const last = logs.at(-1)
  if (!last) throw new Error(`Task ${id} has no delivery.`)
  return last.args.proofHash
}

function newTaskId(receipt: TransactionReceipt, eventName: 'TaskPosted' | 'TaskCreated'): bigint {
  const [log] = parseEventLogs({ abi: taskRegistryAbi, eventName, logs: receipt.logs })
  if (!log) throw new Error(`Transaction ${receipt.transactionHash} has no ${eventName}.`)
  return log.args.taskId
}
