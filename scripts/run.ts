import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Forge settings of foundry.toml: `default` for the bytecode we ship, `ci` and `deep` for longer fuzzing. */
export type ForgeProfile = 'default' | 'ci' | 'deep'

export interface Finished {
  exitCode: number
  output: string
}

/**
 * Runs a command in the repository root, shows what it prints, and answers that text with the exit code. Text is shown
 * as it comes, or at the end, so that commands side by side do not talk at once, or only if the command fails.
 */
export async function run(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  show: 'live' | 'atEnd' | 'ifFailed' = 'live',
): Promise<Finished> {
  const child = spawn(command, args, {
    cwd: new URL('..', import.meta.url),
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', show === 'ifFailed' ? 'pipe' : 'inherit'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (show === 'live') process.stdout.write(text)
    })
  }
  const [exitCode] = (await once(child, 'close')) as [number | null]
  if (show === 'atEnd' || (show === 'ifFailed' && exitCode !== 0)) process.stdout.write(output)
  return { exitCode: exitCode ?? 1, output }
}

/** Runs forge with one of its profiles. */
export const forge = (args: readonly string[], profile: ForgeProfile): Promise<Finished> =>
  run('forge', args, { FOUNDRY_PROFILE: profile })
