import { createSigningContext } from '@svc/chain'
import { accounts, hashUtf8, type Scene } from '@svc/devnet'
import {
  buildClaimPermitTypedData,
  buildMutualCancelTypedData,
  buildStorageReceiptTypedData,
  computeSettlementDigest,
  disputePhases,
  type TaskTerms,
  taskStates,
} from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import type { AnyAction, TaskContext } from '@svc/protocol/actions'
import { bps } from '@svc/protocol/internal/money'
import type { Address, Hex, LocalAccount } from 'viem'

/** Reads the terms of all tasks of a market from their events. */
export async function readTermsByTask({ client, contracts }: Scene): Promise<Map<bigint, TaskTerms>> {
  const registry = { address: contracts.taskRegistry, abi: taskRegistryAbi, fromBlock: 0n, strict: true } as const
  const posted = await client.getContractEvents({ ...registry, eventName: 'TaskPosted' })
  const created = await client.getContractEvents({ ...registry, eventName: 'TaskCreated' })
  return new Map([...posted, ...created].map(({ args }) => [args.taskId, args.terms]))
}

let spent = 10n ** 30n

interface InputOptions {
  action: AnyAction
  context: TaskContext
  terms: TaskTerms
  wallet: Address
  /** Signatures and hashes to reuse while nothing is delivered, by message. Without it, each signature gets a new nonce. */
  made?: Map<string, Promise<Hex>>
}

/** Builds the complete valid input of an action: digests, hashes, and signatures of the right people. */
export async function buildFullInput(
  scene: Scene,
  { action, context, terms, wallet, made }: InputOptions,
): Promise<Record<string, unknown>> {
  const signing = createSigningContext(scene.deployments, scene.market)
  const { task, taskId, dispute } = context
  const signer = (address: Address): LocalAccount => {
    const account = Object.values(accounts).find((each) => each.address === address)
    if (!account) throw new Error(`${address} cannot sign here.`)
    return account
  }
  const fresh = () => ({ nonce: made ? 10n ** 29n : spent++, expiry: 2n ** 40n - 1n })
  const reuse = (key: string, make: () => Promise<Hex>): Promise<Hex> => {
    const found = made?.get(key) ?? make()
    made?.set(key, found)
    return found
  }
  const computeDigest = (by: Address) =>
    reuse(`digest ${scene.market} ${taskId.number} ${by}`, async () => computeSettlementDigest(signing, terms, by))
  const worker = (task.worker ?? wallet) as Address
  const cancelBy = async (party: Address) => {
    const message = {
      taskId: taskId.number,
      settlementDigest: await computeDigest(worker),
      milestone: BigInt(task.current),
      state: taskStates.indexOf(task.state),
      reviewEnd: BigInt(task.reviewEnd),
      disputePhase: disputePhases.indexOf(dispute?.phase ?? 'NONE'),
      workerBps: 5_000n,
      party,
      ...fresh(),
    }
    const place = `${task.current} ${task.state} ${task.reviewEnd} ${dispute?.phase}`
    const data = await reuse(`cancel ${scene.market} ${taskId.number} ${place} ${worker} ${party}`, () =>
      signer(party).signTypedData(buildMutualCancelTypedData(signing, message)),
    )
    return { nonce: message.nonce, expiry: message.expiry, data }
  }
  /** A receipt that lasts, of the store or, without one, of somebody whose receipt counts for nothing. */
  const bringReceipt = async () => {
    if (task.reviewEnd === 0) return undefined
    const message = {
      taskId: taskId.number,
      milestone: BigInt(task.current),
      revision: BigInt(task.revisions),
      worker,
      proofHash: hashUtf8('proof'),
      size: 5n,
      until: 2n ** 40n - 1n,
    }
    const place = `${task.current} ${task.revisions} ${worker}`
    const signature = await reuse(`receipt ${scene.market} ${taskId.number} ${place}`, () =>
      signer((task.store ?? accounts.olga.address) as Address).signTypedData(
        buildStorageReceiptTypedData(signing, message),
      ),
    )
    return { size: message.size, until: message.until, signature }
  }
  const brought: Record<string, () => unknown> = {
    taskId: () => taskId,
    milestone: () => BigInt(task.current),
    settlementDigest: () => computeDigest(wallet),
    permit: async () => {
      if (task.claimPolicy === 'ANYONE') return undefined
      const settlementDigest = await computeDigest(wallet)
      const message = { taskId: taskId.number, settlementDigest, worker: wallet, ...fresh() }
      const data = await reuse(`permit ${scene.market} ${taskId.number} ${wallet}`, () =>
        signer(task.poster as Address).signTypedData(buildClaimPermitTypedData(signing, message)),
      )
      return { nonce: message.nonce, expiry: message.expiry, data }
    },
    amountTokWei: () => (task.total > task.funded ? task.total - task.funded : 1n),
    workerBps: () => 5_000n,
    shareBps: () => (wallet === task.poster ? (dispute?.offerBps ?? 0n) : (dispute?.askBps ?? bps)),
    forWorker: () => true,
    round: () => BigInt(dispute?.number ?? 1),
    receipt: bringReceipt,
    proofHash: () => hashUtf8('proof'),
    reasonHash: () => hashUtf8('reason'),
    evidenceHash: () => hashUtf8('evidence'),
    // A party proposes somebody, everybody else itself.
    arbitrator: () => (wallet === task.poster || wallet === task.worker ? accounts.jun.address : wallet),
    worker: () => accounts.emeka.address,
    posterSignature: () => cancelBy(task.poster as Address),
    workerSignature: () => cancelBy(worker),
  }
  const names = Object.keys(action.input.shape)
  const values = await Promise.all(names.map(async (name) => [name, await brought[name]?.()] as const))
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}
