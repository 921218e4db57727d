import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Forge settings of foundry.toml: `default` for the bytecode we ship, `ci` and `deep` for longer fuzzing. */
export type ForgeProfile = 'default' | 'ci' | 'deep'

/** Runs forge in the repository root, shows what it prints as it comes, and answers that text with the exit code. */
export async function forge(
  args: readonly string[],
  profile: ForgeProfile,
): Promise<{ exitCode: number; output: string }> {
  const child = spawn('forge', args, {
    cwd: new URL('..', import.meta.url),
    env: { ...process.env, FOUNDRY_PROFILE: profile },
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
