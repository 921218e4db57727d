import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { compileCache } from './env.ts'
import { dropDatabase, postgresServer } from './postgres.ts'

/** A whole market as started by `pnpm dev`, in its own folder and on its own ports. */
export interface DevStack {
  rpcUrl: string
  apiUrl: string
  gatewayUrl: string
  databaseUrl: string
  deploymentsFile: string
  dir: string
  /** Stops it as Ctrl-C does, and removes its data. */
  stop: () => Promise<void>
}

/** Starts it with the demo world, on free ports and with its own database. */
export async function startDevStack(): Promise<DevStack> {
  const dir = await mkdtemp(join(tmpdir(), 'dev-'))
  const dev = startDev(dir, ['--no-watch'])
  const stack = await dev.ready()
  return {
    ...stack,
    dir,
    async stop() {
      await dev.interrupt()
      await dropDatabase(stack.databaseUrl)
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** `pnpm dev` as a process. */
export interface DevProcess {
  pid: number
  /** Everything it has printed. */
  output: () => string
  /** Resolves with its URLs when it is ready. Throws with its output if it ends first. */
  ready: () => Promise<Stack>
  /** Resolves with the exit code when it has ended. */
  ended: Promise<number | null>
  /** Sends Ctrl-C and returns the exit code. */
  interrupt: () => Promise<number | null>
  kill: (signal: NodeJS.Signals) => void
}

const main = fileURLToPath(new URL('../../scripts/dev.ts', import.meta.url))
const freePortFlags = ['rpc', 'api', 'gateway', 'store', 'notify', 'index', 'site'].flatMap((part) => [
  `--${part}-port`,
  '0',
])

const stackFile = z.object({
  rpcUrl: z.string(),
  apiUrl: z.string(),
  gatewayUrl: z.string(),
  storeUrl: z.string(),
  notifierUrl: z.string(),
  databaseUrl: z.string(),
  deploymentsFile: z.string(),
})
export type Stack = z.infer<typeof stackFile>

/** Starts `pnpm dev` in a folder, over the given Postgres server or, for null, over its own. `args` override the free ports. */
export function startDev(
  dir: string,
  args: readonly string[] = [],
  databaseUrl: string | null = postgresServer,
): DevProcess {
  const child = spawn(process.execPath, [main, '--dir', dir, ...freePortFlags, ...args], {
    env: {
      PATH: `${binaries}:/usr/bin:/bin`,
      ...compileCache.env(),
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const interruptNow = () => child.kill('SIGINT')
  process.once('exit', interruptNow)
  let output = ''
  let wake = () => {}
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      wake()
    })
  }
  const ended = once(child, 'close').then(([code]) => {
    process.off('exit', interruptNow)
    return code as number | null
  })
  return {
    pid: child.pid ?? 0,
    output: () => output,
    ended,
    async ready() {
      const isReady = new Promise<void>((done) => {
        wake = () => output.includes('Ready in') && done()
        wake()
      })
      const code = await Promise.race([isReady, ended])
      if (code !== undefined) throw new Error(`pnpm dev ended with code ${code}:\n${output}`)
      return stackFile.parse(JSON.parse(await readFile(join(dir, 'stack.json'), 'utf8')))
    },
    interrupt: () => {
      child.kill('SIGINT')
      return ended
    },
    kill: (signal) => void child.kill(signal),
  }
}

const binaries = fileURLToPath(new URL('../../node_modules/.bin', import.meta.url))
