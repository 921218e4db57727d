import { signingContext } from '@svc/chain'
import { accounts, hashOf, type Scene } from '@svc/devnet'
import { claimPermitTypedData, mutualCancelTypedData, settlementDigest, type TaskTerms } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import type { AnyAction, Standing } from '@svc/protocol/actions'
import type { Address, LocalAccount } from 'viem'

/** The terms of every task of a market, from the events that published them. */
export async function readTerms({ client, contracts }: Scene): Promise<Map<bigint, TaskTerms>> {
  const registry = { address: contracts.taskRegistry, abi: taskRegistryAbi, fromBlock: 0n, strict: true } as const
  const posted = await client.getContractEvents({ ...registry, eventName: 'TaskPosted' })
  const created = await client.getContractEvents({ ...registry, eventName: 'TaskCreated' })
  return new Map([...posted, ...created].map(({ args }) => [args.taskId, args.terms]))
}

let spent = 10n ** 30n
const fresh = () => ({ nonce: spent++, expiry: 2n ** 40n - 1n })

/** Brings everything an action may ask of a wallet that means well: digests, hashes, and signatures of the right people. */
export async function bring(
  scene: Scene,
  { action, standing, terms, wallet }: { action: AnyAction; standing: Standing; terms: TaskTerms; wallet: Address },
): Promise<Record<string, unknown>> {
  const context = signingContext(scene.deployments, scene.market)
  const { task, taskId } = standing
  const signer = (address: Address): LocalAccount => {
    const account = Object.values(accounts).find((each) => each.address === address)
    if (!account) throw new Error(`${address} cannot sign here.`)
    return account
  }
  const worker = (task.worker ?? wallet) as Address
  const cancelBy = async (party: Address) => {
    const message = {
      taskId: taskId.number,
      settlementDigest: settlementDigest(context, terms, worker),
      milestone: BigInt(task.current),
      workerBps: 5_000n,
      party,
      ...fresh(),
    }
    const data = await signer(party).signTypedData(mutualCancelTypedData(context, message))
    return { nonce: message.nonce, expiry: message.expiry, data }
  }
  const brought: Record<string, () => unknown> = {
    taskId: () => taskId,
    milestone: () => BigInt(task.current),
    settlementDigest: () => settlementDigest(context, terms, wallet),
    permit: async () => {
      if (task.claimPolicy === 'ANYONE') return undefined
      const message = { taskId: taskId.number, worker: wallet, ...fresh() }
      const data = await signer(task.poster as Address).signTypedData(claimPermitTypedData(context, message))
      return { nonce: message.nonce, expiry: message.expiry, data }
    },
    amountTokWei: () => (task.total > task.funded ? task.total - task.funded : 1n),
    workerBps: () => 5_000n,
    proofHash: () => hashOf('proof'),
    reasonHash: () => hashOf('reason'),
    evidenceHash: () => hashOf('evidence'),
    arbitrator: () => standing.candidate ?? accounts.jun.address,
    posterSignature: () => cancelBy(task.poster as Address),
    workerSignature: () => cancelBy(worker),
  }
  const names = Object.keys(action.input.shape)
  const values = await Promise.all(names.map(async (name) => [name, await brought[name]?.()] as const))
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}
