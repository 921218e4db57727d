import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { DevError } from './devError.ts'

/** A process of a run: its id, and its command line to recognize it by. */
const leftover = z.object({ pid: z.number().int().positive(), commandLine: z.string().min(1) })
type Leftover = z.infer<typeof leftover>

/** The folder of a run, locked against other runs. */
export interface Folder {
  stateFile: string
  logDir: string
  /** The file that describes the stack to other programs while it runs. */
  stackFile: string
  /** Whether this run continues the last one. */
  goesOn: boolean
  /** Why it does not continue although there is saved data; null otherwise. */
  why: string | null
  /** Marks the saved data as being changed. */
  begin: () => Promise<void>
  /** Records the processes of this run, so that the next run can clean up if this one is killed. */
  note: (parts: readonly Leftover[]) => void
  /** Unlocks the folder. `stoppedAt` is when the chain of a complete stack was asked to save its state. */
  leave: (stoppedAt: number | null) => Promise<void>
}

const aboutText = 'Everything here is made by `pnpm dev`. It may be deleted while none runs.\n'

const runFile = z.object({ pid: z.number().int(), parts: z.array(leftover) })

/** Locks a folder for a run with this database server. Throws if another run has it, or if it has unrelated files. */
export async function takeFolder(dir: string, server: string, fresh: boolean): Promise<Folder> {
  const at = (name: string) => join(dir, name)
  const [stateFile, run, kept] = [at('chain.json'), at('run.json'), at('kept.txt')]
  await mkdir(dir, { recursive: true })
  const found = await readdir(dir)
  if (found.length > 0 && !found.includes('about.txt')) {
    throw new DevError(`${dir} has files that pnpm dev did not write. Choose a new or empty folder with --dir.`)
  }
  await writeFile(at('about.txt'), aboutText)
  const wasKilled = await lock(run, dir)

  // Not the server's URL itself, which may contain a password.
  const served = createHash('sha256').update(server).digest('hex')
  const lastServed = await readFile(kept, 'utf8').catch(() => null)
  const why = wasKilled
    ? 'The last run was killed'
    : lastServed === null
      ? found.includes('chain.json')
        ? 'The last run never was ready, or lost its chain'
        : null
      : lastServed === served
        ? null
        : 'The last run had another database'
  const goesOn = !fresh && why === null && lastServed !== null && existsSync(stateFile)
  const old = ['kept.txt', 'chain.json', 'bundles', 'database', 'gateway', 'log', 'site', 'stack.json', 'work']
  for (const name of goesOn ? [] : old) await rm(at(name), { recursive: true, force: true })
  await mkdir(at('log'), { recursive: true })
  return {
    stateFile,
    logDir: at('log'),
    stackFile: at('stack.json'),
    goesOn,
    why: fresh ? null : why,
    begin: () => rm(kept, { force: true }),
    note: (parts) => writeFileSync(run, JSON.stringify({ pid: process.pid, parts })),
    async leave(stoppedAt) {
      const writtenAt = (await stat(stateFile).catch(() => null))?.mtimeMs ?? 0
      if (stoppedAt !== null && writtenAt >= stoppedAt) await writeFile(kept, served)
      await rm(run, { force: true })
    },
  }
}

/** Writes our process id into the lock file. Returns whether a dead run held the lock; its leftover processes are killed. */
async function lock(run: string, dir: string): Promise<boolean> {
  const text = JSON.stringify({ pid: process.pid, parts: [] })
  try {
    await writeFile(run, text, { flag: 'wx' })
    return false
  } catch {
    const { pid, parts } = await lastRun(run)
    if (isAlive(pid)) {
      throw new DevError(
        `pnpm dev is running in ${dir} already, as process ${pid}. Stop it, or choose another folder with --dir. If process ${pid} is another program, delete ${run}.`,
      )
    }
    await endLeftovers(parts)
    await writeFile(run, text)
    return true
  }
}

async function lastRun(run: string): Promise<z.infer<typeof runFile>> {
  try {
    return runFile.parse(JSON.parse(await readFile(run, 'utf8')))
  } catch {
    throw new DevError(`${run} cannot be read. Delete it if pnpm dev is not running in that folder.`)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Kills the leftover processes of a killed run. A process id that now belongs to another program is left alone. */
async function endLeftovers(parts: readonly Leftover[]): Promise<void> {
  for (const { pid, commandLine } of parts) {
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).catch(() => ({
      stdout: '',
    }))
    if (stdout.trim() !== commandLine) continue
    try {
      // Each part leads a process group with its children.
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It ended in the meantime.
    }
  }
}
