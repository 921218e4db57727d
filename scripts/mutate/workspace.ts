import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Everything that a verdict depends on. */
const needed = ['contracts/src', 'contracts/test', 'packages/protocol/vectors', 'scripts/solc', 'foundry.toml']

/** The settings of forge: no optimizer, and far less gas than usual, so that an endless loop fails quickly. */
export const forgeEnv = {
  ...process.env,
  FOUNDRY_PROFILE: 'lite',
  FOUNDRY_FUZZ_RUNS: '32',
  FOUNDRY_GAS_LIMIT: '1073741824',
}

/** A hash of everything that decides a verdict, the tool itself included. */
export function hashInputs(root: string): string {
  const hash = createHash('sha256')
  const files = [...needed, 'scripts/mutate'].flatMap((path) =>
    globSync([path, `${path}/**/*.{sol,json,txt,ts}`], { cwd: root, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath, entry.name)),
  )
  for (const file of files.sort()) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

/** Copies the project and builds these tests in it. The caller removes the folder. */
export function buildWorkspace(root: string, tests: readonly string[]): string {
  const dir = mkdtempSync(join(tmpdir(), 'mutate-'))
  for (const path of needed) cpSync(join(root, path), join(dir, path), { recursive: true })
  writeFileSync(join(dir, 'package.json'), '{"type":"module"}\n')
  mkdirSync(join(dir, 'node_modules'))
  mkdirSync(join(root, 'node_modules/.cache/solc'), { recursive: true })
  for (const name of ['@openzeppelin', '@reality.eth', 'solc', '.cache']) {
    if (existsSync(join(root, 'node_modules', name)))
      symlinkSync(join(root, 'node_modules', name), join(dir, 'node_modules', name))
  }
  execFileSync('forge', ['build', ...tests], { cwd: dir, env: forgeEnv, stdio: ['ignore', 'ignore', 'inherit'] })
  return dir
}

/** Copies a built project, so that two workers do not disturb each other. */
export function copyWorkspace(dir: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'mutate-'))
  cpSync(dir, copy, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
  return copy
}

export const removeWorkspace = (dir: string): void => rmSync(dir, { recursive: true, force: true })
