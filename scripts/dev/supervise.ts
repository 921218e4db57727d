import { once } from 'node:events'
import { type Part, PartError, type Running, startPart } from './part.ts'

export interface SuperviseOptions {
  parts: readonly Part[]
  logDir: string
  /** Environment variables of every part. */
  base: Readonly<Record<string, string>>
  /** Called for each process that starts. */
  onStarted: (running: readonly Running[]) => void
  /** Called when a part is ready, with the time it took in milliseconds. */
  onReady: (part: Part, ms: number) => void
  /** Called when a part fails to restart. */
  onBroken: (error: Error) => void
  stop: AbortSignal
  kill: AbortSignal
}

/** The running parts. Each starts when the parts it needs are ready. */
export interface Supervised {
  /** Resolves to true when all are ready, or to false on a stop; rejects if one fails. */
  ready: Promise<boolean>
  /** Resolves on a stop; rejects if a part exits by itself. */
  lasting: Promise<void>
  /** Restarts parts one by one. A part that fails stays down until its next restart. */
  restart: (parts: readonly Part[]) => void
  /** Stops them in reverse order. Returns when each was asked to stop. */
  stopAll: () => Promise<ReadonlyMap<string, number>>
}

/** Starts all parts of a table. Each must come after the parts it needs. */
export function supervise(options: SuperviseOptions): Supervised {
  const { parts, logDir, base, onStarted, onReady, onBroken, stop, kill } = options
  const running: Running[] = []
  /** Processes that are being replaced. Their exit is expected. */
  const replaced = new Set<Running>()
  let changes = Promise.resolve()
  let closed = false
  const readiness = new Map<string, Promise<void>>()
  const moments = new Map(
    parts.flatMap(({ early }) => (early ? [[early.name, Promise.withResolvers<void>()] as const] : [])),
  )
  const died = Promise.withResolvers<never>()
  const killAll = () => {
    for (const each of running) each.kill()
  }
  process.once('exit', killAll)
  kill.addEventListener('abort', killAll)

  const start = async (part: Part): Promise<void> => {
    await Promise.all(part.after.map((name) => moments.get(name)?.promise ?? readiness.get(name)))
    if (stop.aborted) return
    const began = performance.now()
    const each = startPart(part, logDir, base)
    running.push(each)
    onStarted(running)
    watchEnd(each)
    if (part.early) each.early.then(moments.get(part.early.name)?.resolve, () => {})
    await each.ready
    onReady(part, performance.now() - began)
  }
  const watchEnd = (each: Running) =>
    each.gone.then((how) => {
      const { part, last } = each
      if (part.ready !== null && !replaced.has(each)) died.reject(new PartError(part, how, last, logDir))
    })
  const replace = async (part: Part): Promise<void> => {
    const index = running.findIndex((each) => each.part === part)
    const old = running[index]
    if (!old || closed) return
    replaced.add(old)
    await old.stop()
    if (closed) return
    const began = performance.now()
    const each = startPart(part, logDir, base, true)
    running[index] = each
    // It may fail until it is ready again: the saved file may be incomplete.
    replaced.add(each)
    onStarted(running)
    void each.ready.then(() => {
      replaced.delete(each)
      watchEnd(each)
      onReady(part, performance.now() - began)
    }, onBroken)
  }
  for (const part of parts) readiness.set(part.name, start(part))
  const stopped = stop.aborted ? Promise.resolve() : once(stop, 'abort').then(() => {})
  const lasting = Promise.race([stopped, died.promise])
  const ready = Promise.race([Promise.all(readiness.values()).then(() => !stop.aborted), lasting.then(() => false)])
  // Callers get the first error; later ones must not become unhandled rejections.
  for (const promise of [died.promise, lasting, ready, ...readiness.values()]) promise.catch(() => {})

  return {
    ready,
    lasting,
    restart: (wanted) => {
      for (const part of wanted) changes = changes.then(() => replace(part))
    },
    async stopAll() {
      closed = true
      await changes
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
