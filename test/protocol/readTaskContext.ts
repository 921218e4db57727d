import { createProvider, createViemChain, getTaskContext } from '@svc/chain'
import type { Scene } from '@svc/devnet'
import type { TaskContext } from '@svc/protocol/actions'
import type { Address } from 'viem'

/** Reads the contexts of tasks for these wallets at the latest block. */
export async function readTaskContexts(
  { client, contracts, market }: Scene,
  ids: readonly bigint[],
  wallets: readonly Address[],
): Promise<TaskContext[]> {
  const request = (method: string, params: readonly unknown[]) => client.request({ method, params } as never)
  const provider = createProvider({ name: 'devnet', request }, createViemChain(8453))
  const { number, hash, timestamp } = await client.getBlock()
  const block = { number, hash, timestamp: Number(timestamp) }
  const contexts: TaskContext[] = []
  for (const id of ids) {
    const context = await getTaskContext(provider, contracts, { market, number: id }, wallets, block)
    if (!context) throw new Error(`Task ${id} was not read.`)
    contexts.push(context)
  }
  return contexts
}
