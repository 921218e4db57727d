import { Worker } from 'node:worker_threads'

/** Runs in a thread of its own, which a busy main thread does not hold up. */
const program = `
const { workerData: { beats, limitMs } } = require('node:worker_threads')
let [last, at] = [-1, performance.now()]
setInterval(() => {
  const beat = Atomics.load(beats, 0)
  if (beat !== last) [last, at] = [beat, performance.now()]
  else if (performance.now() - at > limitMs) {
    require('node:fs').writeSync(2, 'The event loop has been blocked for ' + limitMs + ' ms: the process ends, to be started again.\\n')
    process.kill(process.pid, 'SIGKILL')
  }
}, limitMs / 10)`

/**
 * Ends this process if its event loop is blocked for so long: all parts of a market share it, and a part in an endless loop would
 * silence them for ever. What starts the process again is systemd or Docker.
 */
export function startWatchdog(limitMs: number): void {
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(program, { eval: true, execArgv: [], workerData: { beats, limitMs } })
  worker.unref()
  setInterval(() => Atomics.add(beats, 0, 1), limitMs / 10).unref()
}
