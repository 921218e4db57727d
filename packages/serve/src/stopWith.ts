import type { Log } from './log.ts'

/**
 * Stops a process once: on a signal, or after an uncaught error, which leaves the state unknown. Open work is finished first.
 * After an error the exit code tells the supervisor to restart the process.
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

/** Ends a process that cannot start, with one line that says why. */
export function exitWithError(error: unknown): never {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
