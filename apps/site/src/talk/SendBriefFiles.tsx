import type { TaskDetailJson } from '@svc/client'
import type { BriefFile } from '@svc/protocol/internal/work'
import { useEffect, useRef, useState } from 'react'
import { briefFilesText } from '../text/briefFiles.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { Note } from '../ui/Note.tsx'
import type { StoreInfo } from '../work/useStore.ts'
import { useWorkKeys } from '../work/useWorkKeys.ts'
import { findLocalFiles, forgetFiles, hashBlob, isNamedFile, type LocalFile } from '../work/write/briefDraft.ts'
import { sendBrief } from '../work/write/sendBrief.ts'
import { useSending } from './useSending.ts'

const labels = briefFilesText.send

interface SendBriefFilesProps {
  task: TaskDetailJson
  store: StoreInfo
  /** Those that the store lacks. */
  files: readonly BriefFile[]
  onSent: () => void
}

/** Sends the files of a posted task: at once if this browser has them and the poster is signed in, otherwise once they are chosen again. */
export function SendBriefFiles({ task, store, files, onSent }: SendBriefFilesProps) {
  const { isSignedIn, signIn } = useWorkKeys()
  const { isBusy, problem, run } = useSending()
  const [local, setLocal] = useState<readonly LocalFile[] | null>(null)
  const [isSent, setSent] = useState(false)
  const begun = useRef(false)
  const missing = files.filter((file) => !local?.some((each) => isNamedFile(file, each)))
  const send = () =>
    run(async () => {
      await sendBrief(task, store, { files, local: local ?? [] }, signIn)
      await forgetFiles(local ?? []).catch(() => {})
      setSent(true)
      onSent()
    })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each task
  useEffect(() => {
    findLocalFiles(files).then(setLocal, () => setLocal([]))
  }, [task.id])
  const isReady = local !== null && missing.length === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when everything is there
  useEffect(() => {
    if (!isReady || !isSignedIn || begun.current) return
    begun.current = true
    void send()
  }, [isReady, isSignedIn])
  const choose = async (chosen: readonly File[]) => {
    const added: LocalFile[] = []
    for (const blob of chosen) {
      const named = files.find(({ name, size }) => name === blob.name && size === blob.size)
      if (named)
        added.push({ name: named.name, type: named.type, blob, sha256: named.sha256 ? await hashBlob(blob) : null })
    }
    setLocal([...(local ?? []), ...added])
  }
  if (isSent) return <p role="status">{labels.sent}</p>
  if (isBusy) return <p role="status">{labels.sending}</p>
  if (local === null) return null
  return (
    <Note>
      <p>
        <strong>{labels.title}</strong> {labels.description}
      </p>
      {problem && <p>{problem}</p>}
      {isReady ? (
        <p>
          <Button look="primary" onClick={() => void send()}>
            {labels.button}
          </Button>
        </p>
      ) : (
        <Field label={labels.again} help={labels.missing(missing.map(({ name }) => name).join(', '))}>
          {(control) => (
            <input
              {...control}
              type="file"
              multiple
              onChange={({ target }) => void choose([...(target.files ?? [])])}
            />
          )}
        </Field>
      )}
    </Note>
  )
}
