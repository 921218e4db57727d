import {
  domainSeparator,
  hashTypedData,
  keccak256,
  type LocalAccount,
  maxUint64,
  maxUint256,
  recoverAddress,
  stringToHex,
  type TypedDataDefinition,
} from 'viem'
import { accounts, mnemonic, type Person, people } from '../../../packages/devnet/src/accounts.ts'
import { base } from '../../../packages/protocol/src/base/chains.ts'
import { markets } from '../../../packages/protocol/src/base/market.ts'
import {
  type DisputePhase,
  disputePhases,
  type TaskState,
  taskStates,
} from '../../../packages/protocol/src/tasks/states.ts'
import { toSigningContext, toTaskTerms } from '../../../packages/protocol/src/terms/terms.ts'
import {
  buildAcceptanceTypedData,
  buildClaimPermitTypedData,
  buildMutualCancelTypedData,
  buildStorageReceiptTypedData,
  buildTaskDomain,
  computeSettlementDigest,
} from '../../../packages/protocol/src/terms/typedData.ts'
import { contexts, documents } from './terms.ts'

const maxSeconds = 2n ** 40n - 1n
/** Nonces and expiries, from the smallest to the largest. */
const fresh = [
  { nonce: 0n, expiry: 1_800_000_000n },
  { nonce: 2n, expiry: 0n },
  { nonce: maxUint256, expiry: maxSeconds },
]
const freshAt = (index: number) => fresh[index % fresh.length] ?? { nonce: 0n, expiry: 0n }

/** A struct of every kind with its digest, the signature of an anvil account and the recovered signer. */
export async function createTypedDataVectors() {
  return {
    chainId: base.id,
    mnemonic,
    markets,
    registries: markets.map((market) => contexts[market].taskRegistry),
    domainSeparators: markets.map((market) => domainSeparator({ domain: buildTaskDomain(contexts[market]) })),
    acceptances: await acceptances(),
    permits: await permits(),
    cancels: await cancels(),
    receipts: await receipts(),
  }
}

/** Both parties of every private document of the terms vectors. `terms` is the row there. */
async function acceptances() {
  const rows = documents.flatMap(({ document }, row) =>
    document.worker ? (['poster', 'worker'] as const).map((role) => ({ row, document, role })) : [],
  )
  const signed = await Promise.all(
    rows.map(async ({ row, document, role }, index) => {
      const worker = document.worker ?? document.poster
      const party = document[role] ?? document.poster
      const message = { terms: toTaskTerms(document), worker, party, ...freshAt(index) }
      return {
        row,
        worker,
        party,
        ...freshAt(index),
        ...(await sign(party, buildAcceptanceTypedData(toSigningContext(document), message))),
      }
    }),
  )
  return {
    terms: signed.map(({ row }) => row),
    workers: signed.map(({ worker }) => worker),
    parties: signed.map(({ party }) => party),
    ...columns(signed),
  }
}

async function permits() {
  const signed = await Promise.all(
    markets.flatMap((market) =>
      [1n, 2n ** 64n, maxUint256].map(async (taskId, index) => {
        const settlementDigest = keccak256(stringToHex(`terms of ${market} ${taskId}`))
        const message = { taskId, settlementDigest, worker: accounts.emeka.address, ...freshAt(index) }
        const typedData = buildClaimPermitTypedData(contexts[market], message)
        return { market, ...message, ...(await sign(accounts.ada.address, typedData)) }
      }),
    ),
  )
  return {
    registries: signed.map(({ market }) => contexts[market].taskRegistry),
    taskIds: signed.map(({ taskId }) => String(taskId)),
    settlementDigests: signed.map(({ settlementDigest }) => settlementDigest),
    workers: signed.map(({ worker }) => worker),
    posters: signed.map(({ signer }) => signer),
    ...columns(signed),
  }
}

/** Where a task stands, as a cancel names it. */
const place = (state: TaskState, reviewEnd: bigint, phase: DisputePhase) => ({
  state: taskStates.indexOf(state),
  reviewEnd,
  disputePhase: disputePhases.indexOf(phase),
})

/** Shares and milestones from the smallest to the largest, for the private documents. */
async function cancels() {
  const shares = [
    { taskId: 1n, milestone: 0n, workerBps: 0n, ...place('CLAIMED', 0n, 'NONE') },
    { taskId: 42n, milestone: 1n, workerBps: 3_333n, ...place('ACTIVE', 1_800_000_000n, 'CLOSED') },
    { taskId: maxUint256, milestone: 15n, workerBps: 10_000n, ...place('DISPUTED', maxSeconds, 'COURT') },
  ]
  const rows = documents.flatMap(({ document }, row) =>
    document.worker ? shares.map((share) => ({ row, document, share })) : [],
  )
  const signed = await Promise.all(
    rows.map(async ({ row, document, share }, index) => {
      const worker = document.worker ?? document.poster
      const party = index % 2 ? worker : document.poster
      const digest = computeSettlementDigest(toSigningContext(document), toTaskTerms(document), worker)
      const message = { ...share, settlementDigest: digest, party, ...freshAt(index) }
      return {
        row,
        ...message,
        ...(await sign(party, buildMutualCancelTypedData(toSigningContext(document), message))),
      }
    }),
  )
  return {
    terms: signed.map(({ row }) => row),
    taskIds: signed.map(({ taskId }) => String(taskId)),
    settlementDigests: signed.map(({ settlementDigest }) => settlementDigest),
    milestones: signed.map(({ milestone }) => Number(milestone)),
    states: signed.map(({ state }) => state),
    reviewEnds: signed.map(({ reviewEnd }) => Number(reviewEnd)),
    disputePhases: signed.map(({ disputePhase }) => disputePhase),
    workerBps: signed.map(({ workerBps }) => Number(workerBps)),
    parties: signed.map(({ party }) => party),
    ...columns(signed),
  }
}

/** Receipts of a store, from nothing to the largest. They have no nonce: one receipt fits one delivery. */
async function receipts() {
  const deliveries = [
    { taskId: 1n, milestone: 0n, revision: 0n, size: 0n, until: 0n },
    { taskId: 42n, milestone: 1n, revision: 3n, size: 123_456_789n, until: 1_800_000_000n },
    { taskId: maxUint256, milestone: 15n, revision: 3n, size: maxUint64, until: maxUint64 },
  ]
  const signed = await Promise.all(
    markets.flatMap((market) =>
      deliveries.map(async (delivery) => {
        const proofHash = keccak256(stringToHex(`proof of ${market} ${delivery.taskId}`))
        const message = { ...delivery, worker: accounts.emeka.address, proofHash }
        const typedData = buildStorageReceiptTypedData(contexts[market], message)
        return { market, ...message, ...(await sign(accounts.olga.address, typedData)) }
      }),
    ),
  )
  return {
    registries: signed.map(({ market }) => contexts[market].taskRegistry),
    taskIds: signed.map(({ taskId }) => String(taskId)),
    milestones: signed.map(({ milestone }) => Number(milestone)),
    revisions: signed.map(({ revision }) => Number(revision)),
    workers: signed.map(({ worker }) => worker),
    proofHashes: signed.map(({ proofHash }) => proofHash),
    sizes: signed.map(({ size }) => String(size)),
    untils: signed.map(({ until }) => String(until)),
    stores: signed.map(({ signer }) => signer),
    ...signatureColumns(signed),
  }
}

type Signed = { nonce: bigint; expiry: bigint } & Awaited<ReturnType<typeof sign>>

const columns = (signed: readonly Signed[]) => ({
  nonces: signed.map(({ nonce }) => String(nonce)),
  expiries: signed.map(({ expiry }) => Number(expiry)),
  ...signatureColumns(signed),
})

const signatureColumns = (signed: readonly Awaited<ReturnType<typeof sign>>[]) => ({
  digests: signed.map(({ digest }) => digest),
  keyIndices: signed.map(({ keyIndex }) => keyIndex),
  signatures: signed.map(({ signature }) => signature),
  signers: signed.map(({ signer }) => signer),
})

async function sign(party: string, typedData: object) {
  const person = (Object.keys(people) as Person[]).find((each) => accounts[each].address === party)
  const account: LocalAccount | undefined = person && accounts[person]
  if (!person || !account) throw new Error(`${party} is none of anvil's accounts.`)
  const definition = typedData as TypedDataDefinition
  const digest = hashTypedData(definition)
  const signature = await account.signTypedData(definition)
  return {
    digest,
    signature,
    keyIndex: Object.keys(people).indexOf(person),
    signer: await recoverAddress({ hash: digest, signature }),
  }
}
