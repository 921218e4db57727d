import type { TaskDetailJson } from '@svc/client'
import { parseTaskId } from '@svc/protocol'
import { type BriefFile, briefAudiences, findAudience } from '@svc/protocol/internal/work'
import { chainId, contracts } from '../../deployments.ts'
import { loadEngine } from '../loadEngine.ts'
import type { StoreInfo } from '../useStore.ts'
import type { WorkKeys } from '../useWorkKeys.ts'
import { isNamedFile, type LocalFile } from './briefDraft.ts'

/**
 * Sends files that the text of a task names: those for everyone as they are, the others sealed for the poster, whose browser shares them
 * with the worker later. Call it again after a failure.
 */
export async function sendBrief(
  task: TaskDetailJson,
  store: StoreInfo,
  { files, local }: { files: readonly BriefFile[]; local: readonly LocalFile[] },
  signIn: WorkKeys['signIn'],
): Promise<void> {
  const { createMemoryPartCache, getReadingKey, openConnection, sealBundle, uploadBundle } = await loadEngine()
  const keys = await signIn()
  const connection = openConnection(store, keys)
  const subject = {
    kind: 'brief',
    chainId,
    registry: contracts[task.market].taskRegistry,
    taskId: parseTaskId(task.id),
    milestone: task.currentMilestone,
    revision: task.revisions,
    author: keys.wallet,
  } as const
  for (const audience of briefAudiences) {
    const sent = files.flatMap((file) => {
      const found = findAudience(file) === audience && local.find((each) => isNamedFile(file, each))
      return found ? [{ name: file.name, type: file.type, open: () => found.blob.stream() }] : []
    })
    if (sent.length === 0) continue
    const isSealed = audience === 'worker'
    const readers = isSealed ? [{ reader: keys.wallet, key: await getReadingKey(keys.readingIdentity) }] : null
    const parts = createMemoryPartCache()
    const sealed = await sealBundle({ subject, text: '', files: sent, readers, savePart: parts.savePart })
    await uploadBundle(connection, sealed, { readPart: parts.readPart })
  }
}
