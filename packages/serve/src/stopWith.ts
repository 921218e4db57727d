import type { Log } from './log.ts'

/**
 * Has a process stopped once: when it is told to, or after a fault that nobody caught, of which nobody knows what state it left
 * behind. Then what was begun is finished, and the exit code says that somebody should start it again.
 */
export function stopWith(log: Log, stop: () => Promise<void>): void {
  let isStopping = false
  const stopOnce = () => {
    if (isStopping) return
    isStopping = true
    log.info({}, 'stopping')
    void stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopOnce)
  for (const fault of ['uncaughtException', 'unhandledRejection'] as const) {
    process.once(fault, (err: unknown) => {
      log.fatal({ err }, fault)
      process.exitCode = 1
      stopOnce()
    })
  }
}
