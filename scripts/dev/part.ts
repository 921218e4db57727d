import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DevError } from './devError.ts'

/** One process of the stack. */
export interface Part {
  name: string
  /** Description for the user. */
  what: string
  command: string
  args: readonly string[]
  /** Its environment variables, besides PATH, HOME and Node's folder for compiled files. */
  env: Readonly<Record<string, string>>
  cwd?: string
  /** The user it runs as. */
  user?: { uid: number; gid: number }
  /** The parts that must be ready before it starts, or earlier moments of theirs. */
  after: readonly string[]
  /** A moment before it is ready that other parts can wait for, and the output line that says so. */
  early?: { name: string; line: RegExp }
  /** The app whose sources it runs: it is restarted when they change. */
  app?: string
  /** Matches the output line that says it is ready; null for a part that is done when it exits. */
  ready: RegExp | null
}

export interface Running {
  part: Part
  pid: number
  /** The last lines of its output. */
  last: readonly string[]
  /** Resolves when it is ready; rejects if it exits before. */
  ready: Promise<void>
  /** Resolves at its early moment, or when it is ready if it has none; rejects if it exits before. */
  early: Promise<void>
  /** Resolves when it has exited, with the exit code or signal. */
  gone: Promise<string>
  /** Asks it to exit and waits. Kills it after a timeout, and any children it left behind. */
  stop: () => Promise<void>
  kill: () => void
}

/** How many of its last lines are shown when it fails. */
const linesShown = 15
const patienceMs = 30_000

/** Starts a part. Its output goes to its file in `logDir`; a restart appends to it. */
export function startPart(
  part: Part,
  logDir: string,
  base: Readonly<Record<string, string>>,
  isRestart = false,
): Running {
  const log = createWriteStream(join(logDir, `${part.name}.log`), { flags: isRestart ? 'a' : 'w' })
  // In its own process group, so that Ctrl-C in a terminal reaches only us, and we stop the parts in order.
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
  const early = Promise.withResolvers<void>()
  const ready = new Promise<void>((done, fail) => {
    hear = (line) => {
      if (part.early?.line.test(line)) early.resolve()
      if (part.ready?.test(line)) done()
    }
    void gone.then((how) => {
      if (part.ready === null && how === 'exit code 0') done()
      fail(new PartError(part, how, last, logDir))
    })
  })
  // Callers that await `ready` get the error. Without one, it must not become an unhandled rejection.
  ready.catch(() => {})
  ready.then(early.resolve, early.reject)
  early.promise.catch(() => {})

  const signalGroup = (signal: NodeJS.Signals) => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, signal)
    } catch {
      // The process group has already exited.
    }
  }
  return {
    part,
    pid: child.pid ?? 0,
    last,
    ready,
    early: early.promise,
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

/** A part exited unexpectedly. */
export class PartError extends DevError {
  override name = 'PartError'

  constructor({ name, what }: Part, how: string, last: readonly string[], logDir: string) {
    const said =
      last.length > 0 ? [`The end of ${join(logDir, `${name}.log`)}:`, ...last.map((line) => `  ${line}`)] : []
    super([`The part "${name}" (${what}) ended: ${how}.`, ...said].join('\n'))
  }
}
