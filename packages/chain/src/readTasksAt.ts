import type { TaskRecord } from '@svc/protocol/records'
import type { Address } from 'viem'
import { ChainReadError } from './errors.ts'
import type { Provider } from './providers.ts'
import type { BlockRef } from './reader.ts'
import { readTasks } from './reads/listTasks.ts'

/** Tasks as the contracts store them at one block of the past. Refuses when the provider has another block there. */
export async function readTasksAt(
  provider: Provider,
  taskLens: Address,
  numbers: readonly bigint[],
  block: Pick<BlockRef, 'number' | 'hash'>,
): Promise<Map<bigint, TaskRecord>> {
  const tasks = await readTasks(provider, { taskLens }, numbers, block)
  const { hash } = await provider.client.getBlock({ blockNumber: block.number })
  if (hash !== block.hash) {
    throw new ChainReadError(`${provider.rpc.name} has another block ${block.number}.`, { retryable: true })
  }
  return new Map(tasks.map((task) => [task.number, task]))
}
