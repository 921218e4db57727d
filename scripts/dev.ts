// pnpm dev: runs the whole market on this machine, until Ctrl-C.
import { DevError } from './dev/devError.ts'
import { help, readOptions } from './dev/options.ts'
import { runStack } from './dev/runStack.ts'

/** The first signal shuts down gracefully, the second kills. */
const [stop, kill] = [new AbortController(), new AbortController()]
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => (stop.signal.aborted ? kill : stop).abort())
}

try {
  const options = readOptions(process.argv.slice(2))
  if (options) await runStack({ options, environment: process.env, stop: stop.signal, kill: kill.signal })
  else console.log(help)
} catch (error) {
  console.error(error instanceof DevError ? error.message : error)
  process.exitCode = 1
}
