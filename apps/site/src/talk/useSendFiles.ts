import type { TaskDetailJson } from '@svc/client'
import { parseTaskId } from '@svc/protocol'
import type { ThreadSubject } from '@svc/protocol/talk'
import type { BundleSubject } from '@svc/protocol/work'
import { getAddress } from 'viem'
import { talkText as labels } from '../text/talk.ts'
import { findPublished } from '../work/findPublished.ts'
import { useWorkKeys } from '../work/useWorkKeys.ts'
import { findDraftProblem } from '../work/write/draftFiles.ts'
import { formatBytes } from '../work/write/formatBytes.ts'
import { sendDraft } from '../work/write/sendDraft.ts'
import { dropSealed, nameDraft, type WorkDraft } from '../work/write/workDraft.ts'
import { loadTalkEngine, type TaskTalk } from './useTalk.ts'

/** Sends text and files to the other party of a running task: sealed for both, kept by the store and named in a message. Null if the store would refuse. */
export function useSendFiles(
  task: TaskDetailJson,
  { send, store }: TaskTalk,
  subject: ThreadSubject,
): ((draft: WorkDraft) => Promise<void>) | null {
  const { wallet, signIn } = useWorkKeys()
  const isRunning = task.worker !== undefined && getAddress(task.worker) === subject.other && task.phase !== 'SETTLED'
  if (!store || !wallet || !isRunning) return null
  return async (draft) => {
    const problem = findDraftProblem(draft, task.market, formatBytes)
    if (problem) throw new Error(problem)
    const about: BundleSubject = {
      kind: 'brief',
      chainId: subject.chainId,
      registry: subject.taskRegistry,
      taskId: parseTaskId(task.id),
      milestone: task.currentMilestone,
      revision: task.revisions,
      author: wallet,
    }
    const readers = [subject.poster, subject.other].filter((each) => each !== wallet)
    const target = { subject: about, store, readers, judges: [], hasCourt: false, needsReceipt: false }
    const { signal } = new AbortController()
    const { hash, waiting } = await sendDraft({ ...target, published: findPublished(task) }, draft, {
      signIn,
      signal,
      onStage: () => {},
    })
    if (waiting.length > 0) throw new Error(labels.compose.noKey)
    const { compareSides } = await loadTalkEngine()
    await send(({ write }) => write(subject, 'Brief', { hash }, compareSides(task, subject)))
    await dropSealed(nameDraft(about))
  }
}
