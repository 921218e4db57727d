import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import manifest from '../../apps/tools/package.json' with { type: 'json' }
import { compileCache } from './env.ts'
import { findProgram } from './programs.ts'

export interface ToolRun {
  code: number | null
  output: string
  errors: string
}

/** The commands of `apps/tools`. */
export type ToolName = keyof typeof manifest.bin

/** Runs a command of `apps/tools` as a process with exactly this environment. Keys go there, never into the arguments. */
export async function runTool(
  program: ToolName,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ToolRun> {
  const child = spawn(process.execPath, [findProgram(`apps/tools/src/${program}.ts`), ...args], {
    env: { ...compileCache.env(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: child.exitCode, output, errors }
}
