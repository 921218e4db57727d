import type { TaskDetailJson } from '@svc/client'
import { parseTaskId } from '@svc/protocol'
import { type ExpectedBundle, listBundleReferences } from '@svc/protocol/work'
import { zeroAddress } from 'viem'
import { chainId, contracts } from '../deployments.ts'

/** Lists what the hashes of a task stand for, oldest first, from its timeline. */
export function listReferences({ id, timeline }: Pick<TaskDetailJson, 'id' | 'timeline'>): ExpectedBundle[] {
  const taskId = parseTaskId(id)
  const { taskRegistry, finalCourt = zeroAddress } = contracts[taskId.market]
  const context = { chainId, registry: taskRegistry, taskId, finalCourt }
  return listBundleReferences(
    context,
    timeline.map(({ event, args }) => ({ name: event, args })),
  )
}
