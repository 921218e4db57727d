// Part of pnpm check: solhint (contracts/solhint.yaml) and forge lint ([lint] of foundry.toml) on contracts/src. Every
// finding fails. Sources that were clean are not linted again until they or the rules change.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = globSync('contracts/src/**/*.sol', { cwd: root }).sort()
// Not solhint's own cache: it takes a file with warnings for clean.
const stamp = join(root, 'node_modules/.cache/lintContracts')
const hash = createHash('sha256')
// The lockfile stands for the versions of both tools.
for (const file of ['contracts/solhint.yaml', 'foundry.toml', 'pnpm-lock.yaml', ...sources])
  hash.update(file).update(readFileSync(join(root, file)))
const state = hash.digest('hex')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== state) {
  const codes = await Promise.all([
    run('solhint', ['--disc', '--noPoster', '--max-warnings', '0', '--config', 'contracts/solhint.yaml', ...sources]),
    // It compiles first: without the optimizer, and away from the artifacts that other commands read meanwhile.
    run('forge', ['lint', '--deny', 'notes', ...sources], { FOUNDRY_PROFILE: 'lite' }),
  ])
  if (codes.some((code) => code !== 0)) process.exit(1)
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, state)
}

async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  const child = spawn(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? 1
}
