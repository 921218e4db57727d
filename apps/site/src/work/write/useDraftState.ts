import { useEffect, useState } from 'react'
import { type DraftFile, emptyDraft, loadDraft, removeDraft, saveFiles, saveText, type WorkDraft } from './workDraft.ts'

/** Whether this device has stored the draft as it is now. */
export type DraftSaveState = 'saved' | 'saving' | 'notSaved'

/** A draft of work that survives a reload. Undefined until it is loaded. */
export function useDraftState(name: string) {
  const [draft, setDraft] = useState<WorkDraft>()
  const [isSaved, setSaved] = useState(true)
  const [savesInProgress, setSavesInProgress] = useState(0)
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
  const save = async (saving: Promise<void>) => {
    setSavesInProgress((count) => count + 1)
    await saving.catch(() => setSaved(false))
    setSavesInProgress((count) => count - 1)
  }
  const saveState: DraftSaveState = isSaved ? (savesInProgress > 0 ? 'saving' : 'saved') : 'notSaved'
  return {
    draft,
    saveState,
    changeText(text: string) {
      setDraft((before) => before && { ...before, text })
      void save(saveText(name, text))
    },
    changeFiles(files: readonly DraftFile[]) {
      setDraft((before) => before && { ...before, files })
      void save(saveFiles(name, files))
    },
    /** Removes it from this device. */
    async clear() {
      setDraft(emptyDraft)
      await removeDraft(name).catch(() => {})
    },
  }
}
