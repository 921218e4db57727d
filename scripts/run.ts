import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Forge settings of foundry.toml: `default` for the bytecode we ship, `ci` and `deep` for longer fuzzing. */
export type ForgeProfile = 'default' | 'ci' | 'deep'

export interface Finished {
  exitCode: number
  output: string
}

/** Runs a command in the repository root, shows what it prints as it comes, and answers that text with the exit code. */
export async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
  const child = spawn(command, args, {
    cwd: new URL('..', import.meta.url),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    process.stdout.write(text)
  })
  const [exitCode] = (await once(child, 'close')) as [number | null]
  return { exitCode: exitCode ?? 1, output }
}

/** Runs forge with one of its profiles. */
export const forge = (args: readonly string[], profile: ForgeProfile): Promise<Finished> =>
  run('forge', args, { FOUNDRY_PROFILE: profile })
