import type { TaskDetailJson } from '@svc/client'
import { parseTaskId } from '@svc/protocol'
import type { BriefFile } from '@svc/protocol/internal/work'
import type { ExpectedBundle } from '@svc/protocol/work'
import type { FoundBriefFile, StoreConnection } from '@svc/work'
import { getAddress } from 'viem'
import { chainId, contracts } from '../deployments.ts'
import { loadEngine } from './loadEngine.ts'

type Task = Pick<TaskDetailJson, 'id' | 'market' | 'poster'>

/** Where the bundles of a task count. */
export const locateTask = ({ id, market }: Task) => ({
  chainId,
  registry: contracts[market].taskRegistry,
  taskId: parseTaskId(id),
})

/** Finds files that the text of a task names at its store, and opens their bundles as far as this device can. */
export async function findTaskFiles(
  task: Task,
  files: readonly BriefFile[],
  connection: StoreConnection,
): Promise<FoundBriefFile[]> {
  const { findBriefFiles, listBriefs } = await loadEngine()
  const briefs = await listBriefs(connection, locateTask(task), [getAddress(task.poster)])
  return findBriefFiles(connection, briefs, files)
}

/** Lists the sealed bundles that hold the files for the worker. */
export async function listSealedBundles(task: Task, files: readonly BriefFile[], connection: StoreConnection) {
  const found = await findTaskFiles(task, files, connection)
  const hashes = new Set(found.flatMap(({ hash }) => hash ?? []))
  return [...hashes].flatMap((hash): ExpectedBundle[] => {
    const bundle = found.find((each) => each.hash === hash)?.bundle
    if (!bundle) return []
    const { kind, milestone, revision, author } = bundle.descriptor
    return [{ ...locateTask(task), kind, milestone, revision, author, hash }]
  })
}
