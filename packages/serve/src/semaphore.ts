/** Runs a limited number of tasks at a time; the others wait in a queue. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

/** At most `max` tasks run and at most `maxWaiting` wait. Any further task is rejected with the error from `full`. */
export function createSemaphore(max: number, maxWaiting: number, full: () => Error): Semaphore {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < max) running++
    else if (waiting.length >= maxWaiting) throw full()
    else await new Promise<void>((start) => waiting.push(start))
    try {
      return await work()
    } finally {
      // Hand the slot to the next task in the queue, or release it.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
