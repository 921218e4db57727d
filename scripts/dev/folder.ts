import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { DevError } from './devError.ts'
import { endLeftovers, type Leftover, leftover } from './leftovers.ts'

/** The folder of a run, which is the only one in it. */
export interface Folder {
  stateFile: string
  logDir: string
  /** Where programs find the stack, while it is whole. */
  stackFile: string
  /** Whether it goes on where the last run stopped. */
  goesOn: boolean
  /** Why it does not, though something was kept; null otherwise. */
  why: string | null
  /** From here on what was kept is being changed. */
  begin: () => Promise<void>
  /** Notes the processes of this run, for whoever finds that it was killed. */
  note: (parts: readonly Leftover[]) => void
  /** Lets others use the folder; `stoppedAt` says when the chain of a whole stack was told to write itself down. */
  leave: (stoppedAt: number | null) => Promise<void>
}

const aboutText = 'Everything here is made by `pnpm dev`. It may be deleted while none runs.\n'

const runFile = z.object({ pid: z.number().int(), parts: z.array(leftover) })

/** Takes a folder for a run over this database server. Refuses one that another run has, or that is somebody else's. */
export async function takeFolder(dir: string, server: string, fresh: boolean): Promise<Folder> {
  const at = (name: string) => join(dir, name)
  const [stateFile, run, kept] = [at('chain.json'), at('run.json'), at('kept.txt')]
  await mkdir(dir, { recursive: true })
  const found = await readdir(dir)
  if (found.length > 0 && !found.includes('about.txt')) {
    throw new DevError(`${dir} has files that are not of pnpm dev. Choose a new or empty folder with --dir.`)
  }
  await writeFile(at('about.txt'), aboutText)
  const wasKilled = await lock(run, dir)

  // Not the server's URL itself, which may carry a password.
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
  const old = ['kept.txt', 'chain.json', 'database', 'gateway', 'log', 'site', 'stack.json']
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

/** Writes our process into the file; answers whether one stood there that is no more. What that one left is ended. */
async function lock(run: string, dir: string): Promise<boolean> {
  const text = JSON.stringify({ pid: process.pid, parts: [] })
  try {
    await writeFile(run, text, { flag: 'wx' })
    return false
  } catch {
    const { pid, parts } = await lastRun(run)
    if (isAlive(pid)) {
      throw new DevError(
        `pnpm dev runs in ${dir} already, as process ${pid}. Stop that one, or give this one another folder with --dir. If process ${pid} is something else, delete ${run}.`,
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
    throw new DevError(`${run} cannot be read. Delete it if no pnpm dev runs in that folder.`)
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
