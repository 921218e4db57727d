import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Market, markets } from '@svc/protocol'

/** A line of the indexer's log. */
export interface Line {
  msg: string
  market?: Market
  build?: string
  block?: number
  err?: string
  reason?: string
  port?: number
}

/** A real program as a process, heard through its log. */
export interface Indexer {
  lines: readonly Line[]
  /** Settles when this holds of the lines so far; throws with all that it said when it takes longer, or when it dies first. */
  until: (what: string, holds: (lines: readonly Line[]) => boolean, ms?: number) => Promise<void>
  kill: (signal: NodeJS.Signals) => void
  /** How it ended; null while it runs. */
  ended: () => { code: number | null } | null
  /** Settles when it is gone. */
  gone: Promise<void>
}

const living = new Set<ChildProcess>()

/** Starts an indexer with this environment and no other. */
export function startIndexer(env: Readonly<Record<string, string>>, flags: readonly string[] = []): Indexer {
  return startProgram('indexer', env, flags)
}

/** Starts one of the apps with this environment and no other. */
export function startProgram(
  app: 'indexer' | 'api' | 'gateway',
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
): Indexer {
  const main = fileURLToPath(new URL(`../../apps/${app}/src/main.ts`, import.meta.url))
  const child = spawn(process.execPath, [main, ...flags], { env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: Line[] = []
  const waiters = new Set<() => void>()
  let [ended, trouble]: [{ code: number | null } | null, string] = [null, '']
  const wake = () => {
    for (const waiter of waiters) waiter()
  }
  living.add(child)
  createInterface({ input: child.stdout }).on('line', (text) => {
    lines.push(lineOf(text))
    wake()
  })
  child.stderr.on('data', (text) => {
    trouble = `${trouble}${text}`.slice(-4_000)
  })
  const gone = new Promise<void>((done) => {
    child.once('close', (code) => {
      living.delete(child)
      ended = { code }
      wake()
      done()
    })
  })

  return {
    lines,
    gone,
    ended: () => ended,
    kill: (signal) => void child.kill(signal),
    until: (what, holds, ms = 60_000) =>
      new Promise((done, fail) => {
        const check = () => {
          if (holds(lines)) settle(done)
          else if (ended) settle(() => fail(new UnheardError(what, 'it ended', lines, trouble)))
        }
        const timer = setTimeout(() => settle(() => fail(new UnheardError(what, `${ms} ms`, lines, trouble))), ms)
        const settle = (end: () => void) => {
          clearTimeout(timer)
          waiters.delete(check)
          end()
        }
        waiters.add(check)
        check()
      }),
  }
}

/** Ends whatever still runs: nothing may outlive its scene. */
export async function killAll(): Promise<void> {
  const ends = [...living].map((child) => once(child, 'close'))
  for (const child of living) child.kill('SIGKILL')
  await Promise.all(ends)
}

/** Whether both markets have come to this. */
export function both(msg: string): (lines: readonly Line[]) => boolean {
  return (lines) => markets.every((market) => lines.some((line) => line.market === market && line.msg === msg))
}

function lineOf(text: string): Line {
  try {
    return JSON.parse(text)
  } catch {
    return { msg: text }
  }
}

class UnheardError extends Error {
  override name = 'UnheardError'

  constructor(what: string, why: string, lines: readonly Line[], trouble: string) {
    const said = lines.slice(-15).map((line) => JSON.stringify(line))
    super([`The program did not say "${what}": ${why}. It said:`, ...said, trouble].join('\n'))
  }
}
