import { useSyncExternalStore } from 'react'

let block = 0
const listeners = new Set<() => void>()

/** Notes the block of one of the reader's own transactions. */
export function noteWritten(number: number): void {
  if (number <= block) return
  block = number
  for (const listener of listeners) listener()
}

/** The newest block that has something of the reader's; zero before the first. */
export function useWritten(): number {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => block,
  )
}
