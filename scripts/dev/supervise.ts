import { once } from 'node:events'
import { type Part, PartError, type Running, startPart } from './part.ts'

export interface SuperviseOptions {
  parts: readonly Part[]
  logDir: string
  /** What every part sees of the environment. */
  base: Readonly<Record<string, string>>
  /** Hears of each process that starts. */
  onStarted: (running: readonly Running[]) => void
  /** Hears of each part that is ready, and after how many milliseconds. */
  onReady: (part: Part, ms: number) => void
  stop: AbortSignal
  kill: AbortSignal
}

/** The parts as processes: each starts when those before it are ready. */
export interface Supervised {
  /** Settles when all are ready, with true, or when told to stop, with false; throws when one fails. */
  ready: Promise<boolean>
  /** Settles when told to stop; throws when a part ends by itself. */
  lasting: Promise<void>
  /** Stops them, the last one first; answers when each was told to. */
  stopAll: () => Promise<ReadonlyMap<string, number>>
}

/** Starts all parts of a table in which each comes after those that it needs. */
export function supervise({ parts, logDir, base, onStarted, onReady, stop, kill }: SuperviseOptions): Supervised {
  const running: Running[] = []
  const readiness = new Map<string, Promise<void>>()
  const died = Promise.withResolvers<never>()
  const killAll = () => {
    for (const each of running) each.kill()
  }
  process.once('exit', killAll)
  kill.addEventListener('abort', killAll)

  const start = async (part: Part): Promise<void> => {
    await Promise.all(part.after.map((name) => readiness.get(name)))
    if (stop.aborted) return
    const began = performance.now()
    const each = startPart(part, logDir, base)
    running.push(each)
    onStarted(running)
    void each.gone.then((how) => {
      if (part.ready !== null) died.reject(new PartError(part, how, each.last, logDir))
    })
    await each.ready
    onReady(part, performance.now() - began)
  }
  for (const part of parts) readiness.set(part.name, start(part))
  const stopped = stop.aborted ? Promise.resolve() : once(stop, 'abort').then(() => {})
  const lasting = Promise.race([stopped, died.promise])
  const ready = Promise.race([Promise.all(readiness.values()).then(() => !stop.aborted), lasting.then(() => false)])
  // Whoever waits hears of a fault; after the first one nobody does.
  for (const promise of [died.promise, lasting, ready, ...readiness.values()]) promise.catch(() => {})

  return {
    ready,
    lasting,
    async stopAll() {
      const toldAt = new Map<string, number>()
      for (const each of running.toReversed()) {
        toldAt.set(each.part.name, Date.now())
        await each.stop()
      }
      process.off('exit', killAll)
      return toldAt
    },
  }
}
