/** A bound on what runs at the same time, whose queue gives up with the caller. */
export interface Slots {
  /** Waits for a slot and returns the function that releases it. Rejects when the signal aborts, or if too many wait. */
  take: (signal: AbortSignal) => Promise<() => void>
}

/** Creates `max` slots, for which at most `maxWaiting` callers wait. */
export function createSlots(max: number, maxWaiting: number): Slots {
  let taken = 0
  const waiting = new Set<() => void>()
  const release = () => {
    const [next] = waiting
    if (next) next()
    else taken--
  }
  return {
    async take(signal) {
      signal.throwIfAborted()
      if (taken < max) {
        taken++
        return release
      }
      if (waiting.size >= maxWaiting) throw new Error(`More than ${maxWaiting} calls wait.`)
      await new Promise<void>((resolve, reject) => {
        const settle = (done: () => void) => {
          waiting.delete(start)
          signal.removeEventListener('abort', abort)
          done()
        }
        const start = () => settle(resolve)
        const abort = () => settle(() => reject(signal.reason))
        waiting.add(start)
        signal.addEventListener('abort', abort)
      })
      return release
    },
  }
}
