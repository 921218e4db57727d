import { useState } from 'react'

const prefix = 'svc-draft-'

/** A draft that is saved in the browser, so that a reload does not lose it. `clear` goes back to the start. */
export function useDraft<T extends object>(
  name: string,
  empty: T,
): [draft: T, change: (next: T) => void, clear: () => void] {
  const key = `${prefix}${name}`
  const [drafts, setDrafts] = useState<Readonly<Record<string, T>>>({})
  const draft = drafts[key] ?? load(key, empty)
  return [
    draft,
    (next) => {
      setDrafts({ ...drafts, [key]: next })
      store(key, JSON.stringify(next))
    },
    () => {
      setDrafts({ ...drafts, [key]: empty })
      store(key, null)
    },
  ]
}

function store(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    // Without storage, the draft is lost when the page closes.
  }
}

function load<T extends object>(key: string, empty: T): T {
  try {
    return { ...empty, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<T>) }
  } catch {
    return empty
  }
}

/** Counts the drafts in this browser. */
export const countDrafts = (): number => listDraftKeys().length

/** Deletes all drafts from this browser. */
export function clearDrafts(): void {
  for (const key of listDraftKeys()) localStorage.removeItem(key)
}

function listDraftKeys(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(prefix))
  } catch {
    return []
  }
}
