import { useSyncExternalStore } from 'react'

let block = 0
const listeners = new Set<() => void>()

/** Records the block of a transaction of the user. */
export function recordOwnBlock(number: number): void {
  if (number <= block) return
  block = number
  for (const listener of listeners) listener()
}

/** The latest block with a transaction of the user; zero if there is none. */
export function useLastOwnBlock(): number {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => block,
  )
}
