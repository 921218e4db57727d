/** Runs so many at a time; the others wait in line. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

/** Turns of which `max` run and `maxWaiting` wait; one more is refused with what `full` makes. */
export function createTurns(max: number, maxWaiting: number, full: () => Error): Turns {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < max) running++
    else if (waiting.length >= maxWaiting) throw full()
    else await new Promise<void>((start) => waiting.push(start))
    try {
      return await work()
    } finally {
      // The turn goes to the next in line, or ends.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
