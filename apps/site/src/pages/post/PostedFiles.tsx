import { useApi } from '../../api.ts'
import { SendBriefFiles } from '../../talk/SendBriefFiles.tsx'
import { useMarket } from '../../useMarket.ts'
import { useStore } from '../../work/useStore.ts'

/** Sends the files of a task that was just posted. If this page is closed before, the page of the task does. */
export function PostedFiles({ id }: { id: string }) {
  const { body } = useApi('getTask', { id })
  const store = useStore(useMarket())
  const files = body?.task.text?.files
  return body && store && files ? (
    <SendBriefFiles task={body.task} store={store} files={files} onSent={() => {}} />
  ) : null
}
