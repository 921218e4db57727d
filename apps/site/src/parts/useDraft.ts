import { useState } from 'react'

/** A draft that is saved in the browser, so that a reload does not lose it. */
export function useDraft<T extends object>(name: string, empty: T): [draft: T, change: (next: T) => void] {
  const key = `svc-draft-${name}`
  const [drafts, setDrafts] = useState<Readonly<Record<string, T>>>({})
  const draft = drafts[key] ?? load(key, empty)
  return [
    draft,
    (next) => {
      setDrafts({ ...drafts, [key]: next })
      try {
        localStorage.setItem(key, JSON.stringify(next))
      } catch {
        // Without storage, the draft is lost when the page closes.
      }
    },
  ]
}

function load<T extends object>(key: string, empty: T): T {
  try {
    return { ...empty, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<T>) }
  } catch {
    return empty
  }
}
