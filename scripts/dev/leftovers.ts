import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'

/** A process of a run: its number, and its command line, by which it is known again. */
export const leftover = z.object({ pid: z.number().int().positive(), commandLine: z.string().min(1) })
export type Leftover = z.infer<typeof leftover>

/** Kills the processes of a run that was itself killed. A number that is another program's by now is left alone. */
export async function endLeftovers(parts: readonly Leftover[]): Promise<void> {
  for (const { pid, commandLine } of parts) {
    const { stdout } = await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)]).catch(() => ({
      stdout: '',
    }))
    if (stdout.trim() !== commandLine) continue
    try {
      // Each part leads a group with all that it started.
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It ended meanwhile.
    }
  }
}
