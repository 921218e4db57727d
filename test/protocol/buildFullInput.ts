import { createSigningContext } from '@svc/chain'
import { accounts, hashUtf8, type Scene } from '@svc/devnet'
import {
  buildClaimPermitTypedData,
  buildMutualCancelTypedData,
  computeSettlementDigest,
  type TaskTerms,
} from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import type { AnyAction, TaskContext } from '@svc/protocol/actions'
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
  /** Signatures to reuse, by message. Without it, each one gets a new nonce. */
  signatures?: Map<string, Promise<Hex>>
}

/** Builds the complete valid input of an action: digests, hashes, and signatures of the right people. */
export async function buildFullInput(
  scene: Scene,
  { action, context, terms, wallet, signatures }: InputOptions,
): Promise<Record<string, unknown>> {
  const signing = createSigningContext(scene.deployments, scene.market)
  const { task, taskId } = context
  const signer = (address: Address): LocalAccount => {
    const account = Object.values(accounts).find((each) => each.address === address)
    if (!account) throw new Error(`${address} cannot sign here.`)
    return account
  }
  const fresh = () => ({ nonce: signatures ? 10n ** 29n : spent++, expiry: 2n ** 40n - 1n })
  const sign = (key: string, make: () => Promise<Hex>): Promise<Hex> => {
    const signature = signatures?.get(key) ?? make()
    signatures?.set(key, signature)
    return signature
  }
  const worker = (task.worker ?? wallet) as Address
  const cancelBy = async (party: Address) => {
    const message = {
      taskId: taskId.number,
      settlementDigest: computeSettlementDigest(signing, terms, worker),
      milestone: BigInt(task.current),
      workerBps: 5_000n,
      party,
      ...fresh(),
    }
    const data = await sign(`cancel ${scene.market} ${taskId.number} ${task.current} ${worker} ${party}`, () =>
      signer(party).signTypedData(buildMutualCancelTypedData(signing, message)),
    )
    return { nonce: message.nonce, expiry: message.expiry, data }
  }
  const brought: Record<string, () => unknown> = {
    taskId: () => taskId,
    milestone: () => BigInt(task.current),
    settlementDigest: () => computeSettlementDigest(signing, terms, wallet),
    permit: async () => {
      if (task.claimPolicy === 'ANYONE') return undefined
      const message = { taskId: taskId.number, worker: wallet, ...fresh() }
      const data = await sign(`permit ${scene.market} ${taskId.number} ${wallet}`, () =>
        signer(task.poster as Address).signTypedData(buildClaimPermitTypedData(signing, message)),
      )
      return { nonce: message.nonce, expiry: message.expiry, data }
    },
    amountTokWei: () => (task.total > task.funded ? task.total - task.funded : 1n),
    workerBps: () => 5_000n,
    proofHash: () => hashUtf8('proof'),
    reasonHash: () => hashUtf8('reason'),
    evidenceHash: () => hashUtf8('evidence'),
    arbitrator: () => context.candidate ?? accounts.jun.address,
    posterSignature: () => cancelBy(task.poster as Address),
    workerSignature: () => cancelBy(worker),
  }
  const names = Object.keys(action.input.shape)
  const values = await Promise.all(names.map(async (name) => [name, await brought[name]?.()] as const))
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}
