import {
  domainSeparator,
  hashTypedData,
  type LocalAccount,
  maxUint256,
  recoverAddress,
  type TypedDataDefinition,
} from 'viem'
import { accounts, mnemonic, type Person, people } from '../../../packages/devnet/src/accounts.ts'
import { markets } from '../../../packages/protocol/src/market.ts'
import { toSigningContext, toTaskTerms } from '../../../packages/protocol/src/terms/terms.ts'
import {
  buildAcceptanceTypedData,
  buildClaimPermitTypedData,
  buildMutualCancelTypedData,
  buildTaskDomain,
  computeSettlementDigest,
} from '../../../packages/protocol/src/typedData.ts'
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
    chainId: 8453,
    mnemonic,
    markets,
    registries: markets.map((market) => contexts[market].taskRegistry),
    domainSeparators: markets.map((market) => domainSeparator({ domain: buildTaskDomain(contexts[market]) })),
    acceptances: await acceptances(),
    permits: await permits(),
    cancels: await cancels(),
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
        const message = { taskId, worker: accounts.emeka.address, ...freshAt(index) }
        const typedData = buildClaimPermitTypedData(contexts[market], message)
        return { market, ...message, ...(await sign(accounts.ada.address, typedData)) }
      }),
    ),
  )
  return {
    registries: signed.map(({ market }) => contexts[market].taskRegistry),
    taskIds: signed.map(({ taskId }) => String(taskId)),
    workers: signed.map(({ worker }) => worker),
    posters: signed.map(({ signer }) => signer),
    ...columns(signed),
  }
}

/** Shares and milestones from the smallest to the largest, for the private documents. */
async function cancels() {
  const shares = [
    { taskId: 1n, milestone: 0n, workerBps: 0n },
    { taskId: 42n, milestone: 1n, workerBps: 3_333n },
    { taskId: maxUint256, milestone: 15n, workerBps: 10_000n },
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
    workerBps: signed.map(({ workerBps }) => Number(workerBps)),
    parties: signed.map(({ party }) => party),
    ...columns(signed),
  }
}

type Signed = { nonce: bigint; expiry: bigint } & Awaited<ReturnType<typeof sign>>

const columns = (signed: readonly Signed[]) => ({
  nonces: signed.map(({ nonce }) => String(nonce)),
  expiries: signed.map(({ expiry }) => Number(expiry)),
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
