import { useEffect, useState } from 'react'
import { type DraftFile, emptyDraft, loadDraft, removeDraft, saveFiles, saveText, type WorkDraft } from './workDraft.ts'

/** A draft of work that survives a reload. Undefined until it is loaded. */
export function useDraftState(name: string) {
  const [draft, setDraft] = useState<WorkDraft>()
  const [isSaved, setSaved] = useState(true)
  useEffect(() => {
    let isCurrent = true
    setDraft(undefined)
    loadDraft(name)
      .catch(() => {
        // Private windows of some browsers store nothing. The editor works without.
        setSaved(false)
        return emptyDraft
      })
      .then((loaded) => {
        if (isCurrent) setDraft(loaded)
      })
    return () => {
      isCurrent = false
    }
  }, [name])
  const save = (saving: Promise<void>) => void saving.catch(() => setSaved(false))
  return {
    draft,
    isSaved,
    changeText(text: string) {
      setDraft((before) => before && { ...before, text })
      save(saveText(name, text))
    },
    changeFiles(files: readonly DraftFile[]) {
      setDraft((before) => before && { ...before, files })
      save(saveFiles(name, files))
    },
    /** Removes it from this device. */
    async clear() {
      setDraft(emptyDraft)
      await removeDraft(name).catch(() => {})
    },
  }
}
