import type { TaskDetail } from '@svc/chain'
import { formatTaskId, SvcError, type TaskId } from '@svc/protocol'
import { type BundleReference, listBundleReferences } from '@svc/protocol/work'
import type { Markets } from './market.ts'

/** A task on chain, with what each of its hashes stands for, in the order of the chain. */
export interface TaskBundles {
  detail: TaskDetail
  references: readonly BundleReference[]
  blockNumber: bigint
}

/** Reads from the chain what the hashes of a task stand for. Throws TASK_NOT_FOUND. */
export async function listTaskBundles({ reader, deployments }: Markets, taskId: TaskId): Promise<TaskBundles> {
  const { detail, block } = await reader.getTask(taskId.market, taskId.number)
  if (!detail) throw new SvcError('TASK_NOT_FOUND', `${formatTaskId(taskId)} is not on the chain.`)
  const context = {
    chainId: deployments.chainId,
    registry: deployments.markets[taskId.market].taskRegistry,
    taskId,
    finalCourt: deployments.shared.finalCourt,
  }
  return { detail, references: listBundleReferences(context, detail.timeline), blockNumber: block.number }
}
