import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type Market, markets } from '@svc/protocol'
import { compileCache } from '../../test/harness/env.ts'
import { findProgram } from '../../test/harness/programs.ts'

/** A line of an app's log. */
export interface LogLine {
  msg: string
  /** Unix milliseconds. */
  time?: number
  /** A number of pino, or its name. */
  level?: number | string
  /** The id of a request. */
  id?: string
  market?: Market
  task?: string
  bundle?: string
  readers?: readonly string[]
  build?: string
  block?: number
  err?: string
  reason?: string
  port?: number
}

/** A real app as a process, observed through its log. */
export interface AppProcess {
  pid: number
  lines: readonly LogLine[]
  /** The end of what it wrote to its error output. */
  stderr: () => string
  /**
   * Resolves when the condition holds for the lines so far; without one, when a line has this message. Throws with the log if the
   * process ends first, or hangs for `ms`.
   */
  waitForLog: (what: string, holds?: (lines: readonly LogLine[]) => boolean, ms?: number) => Promise<void>
  /** Resolves when both markets have logged this message. */
  waitForBoth: (msg: string, ms?: number) => Promise<void>
  /** Sends a signal. Resolves when the process has ended. */
  kill: (signal: NodeJS.Signals) => Promise<void>
  /** How it ended; null while it runs. */
  exitStatus: () => { code: number | null } | null
  /** Resolves when the process has ended. */
  exited: Promise<void>
}

const running = new Set<ChildProcess>()

/** Starts an indexer with exactly this environment. */
export function startIndexerProcess(env: Readonly<Record<string, string>>, flags: readonly string[] = []): AppProcess {
  return startAppProcess('indexer', env, flags)
}

/** Starts one of the apps with exactly this environment. */
export function startAppProcess(
  app: 'indexer' | 'api' | 'gateway' | 'keeper' | 'store' | 'clerk' | 'notifier' | 'watcher' | 'market',
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): AppProcess {
  const source = app === 'watcher' ? 'apps/admin/src/watch/main.ts' : (`apps/${app}/src/main.ts` as const)
  const child = spawn(process.execPath, [findProgram(source), ...flags], {
    env: { ...compileCache.env(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: LogLine[] = []
  const waiters = new Set<() => void>()
  let [ended, stderr]: [{ code: number | null } | null, string] = [null, '']
  const wake = () => {
    for (const waiter of waiters) waiter()
  }
  running.add(child)
  createInterface({ input: child.stdout }).on('line', (text) => {
    lines.push(parseLogLine(text))
    wake()
  })
  child.stderr.on('data', (text) => {
    stderr = `${stderr}${text}`.slice(-4_000)
  })
  const gone = new Promise<void>((done) => {
    child.once('close', (code) => {
      running.delete(child)
      ended = { code }
      wake()
      done()
    })
  })

  const program: AppProcess = {
    pid: child.pid ?? 0,
    lines,
    stderr: () => stderr,
    exited: gone,
    exitStatus: () => ended,
    kill: (signal) => {
      child.kill(signal)
      return gone
    },
    waitForBoth: (msg, ms) => program.waitForLog(msg, bothMarkets(msg), ms),
    waitForLog: (what, holds = (logged) => logged.some(({ msg }) => msg === what), ms = 240_000) =>
      new Promise((done, fail) => {
        const check = () => {
          if (holds(lines)) settle(done)
          else if (ended) settle(() => fail(new LogTimeoutError(what, 'it ended', lines, stderr)))
        }
        const timer = setTimeout(() => settle(() => fail(new LogTimeoutError(what, `${ms} ms`, lines, stderr))), ms)
        const settle = (end: () => void) => {
          clearTimeout(timer)
          waiters.delete(check)
          end()
        }
        waiters.add(check)
        check()
      }),
  }
  return program
}

/** Kills every process that still runs, so that none outlives its scenario. */
export async function killAllProcesses(): Promise<void> {
  const ends = [...running].map((child) => once(child, 'close'))
  for (const child of running) child.kill('SIGKILL')
  await Promise.all(ends)
}

/** Whether the indexer has logged that it serves a build. */
export function isServing(name: string): (lines: readonly LogLine[]) => boolean {
  return (lines) => lines.some(({ msg, build }) => msg === 'serving' && build === name)
}

/** Whether both markets have logged this message. */
export function bothMarkets(msg: string): (lines: readonly LogLine[]) => boolean {
  return (lines) => markets.every((market) => lines.some((line) => line.market === market && line.msg === msg))
}

function parseLogLine(text: string): LogLine {
  try {
    return JSON.parse(text)
  } catch {
    return { msg: text }
  }
}

class LogTimeoutError extends Error {
  override name = 'LogTimeoutError'

  constructor(what: string, why: string, lines: readonly LogLine[], stderr: string) {
    const lastLines = lines.slice(-15).map((line) => JSON.stringify(line))
    super([`The process did not log "${what}": ${why}. Its last lines:`, ...lastLines, stderr].join('\n'))
  }
}
