import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'

/** A process of a run: its id, and its command line to recognize it by. */
export const leftover = z.object({ pid: z.number().int().positive(), commandLine: z.string().min(1) })
export type Leftover = z.infer<typeof leftover>

/** Kills the leftover processes of a killed run. A process id that now belongs to another program is left alone. */
export async function endLeftovers(parts: readonly Leftover[]): Promise<void> {
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
