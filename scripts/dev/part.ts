import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DevError } from './devError.ts'

/** One process of the stack, as a row. */
export interface Part {
  name: string
  /** What it is, for people. */
  what: string
  command: string
  args: readonly string[]
  /** All that it sees of the environment, beside PATH and HOME. */
  env: Readonly<Record<string, string>>
  cwd?: string
  /** Whom it runs as. */
  user?: { uid: number; gid: number }
  /** The parts that must be ready before it starts. */
  after: readonly string[]
  /** A line that says it is ready; null for one that is done when it ends. */
  ready: RegExp | null
}

export interface Running {
  part: Part
  pid: number
  /** The last lines that it said. */
  last: readonly string[]
  /** Settles when it is ready; throws when it ends before. */
  ready: Promise<void>
  /** Settles when it is gone, with what it ended with. */
  gone: Promise<string>
  /** Asks it to end, and waits; what outstays its time, and what it left behind, is killed. */
  stop: () => Promise<void>
  kill: () => void
}

/** So many of its last lines are shown when it fails. */
const linesShown = 15
const patienceMs = 30_000

/** Starts a part. What it says goes to its file in `logDir`. */
export function startPart(part: Part, logDir: string, base: Readonly<Record<string, string>>): Running {
  const log = createWriteStream(join(logDir, `${part.name}.log`))
  // In a group of its own: Ctrl-C in a terminal is for us alone, who stop all in order.
  const child = spawn(part.command, [...part.args], {
    cwd: part.cwd,
    env: { ...base, ...part.env },
    ...part.user,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const last: string[] = []
  let hear = (_line: string) => {}
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      log.write(`${line}\n`)
      last.push(line)
      if (last.length > linesShown) last.shift()
      hear(line)
    })
  }
  const gone = new Promise<string>((done) => {
    child.once('error', (error) => done(error.message))
    child.once('close', (code, signal) => done(signal ?? `exit code ${code}`))
  })
  void gone.then(() => log.end())
  const ready = new Promise<void>((done, fail) => {
    hear = (line) => {
      if (part.ready?.test(line)) done()
    }
    void gone.then((how) => {
      if (part.ready === null && how === 'exit code 0') done()
      fail(new PartError(part, how, last, logDir))
    })
  })
  // Who waits for it hears of it; that nobody may wait any more is no fault.
  ready.catch(() => {})

  const signalGroup = (signal: NodeJS.Signals) => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, signal)
    } catch {
      // Nobody of it is left.
    }
  }
  return {
    part,
    pid: child.pid ?? 0,
    last,
    ready,
    gone,
    kill: () => signalGroup('SIGKILL'),
    async stop() {
      child.kill('SIGTERM')
      const force = setTimeout(() => signalGroup('SIGKILL'), patienceMs)
      await gone
      clearTimeout(force)
      signalGroup('SIGKILL')
    },
  }
}

/** A part ended that should not have. */
export class PartError extends DevError {
  override name = 'PartError'

  constructor({ name, what }: Part, how: string, last: readonly string[], logDir: string) {
    const said =
      last.length > 0 ? [`The end of ${join(logDir, `${name}.log`)}:`, ...last.map((line) => `  ${line}`)] : []
    super([`The part "${name}" (${what}) ended: ${how}.`, ...said].join('\n'))
  }
}
