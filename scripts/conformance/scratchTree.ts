import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A checkout of the last commit in a folder of its own. */
export interface ScratchTree {
  path: string
  remove: () => void
}

/** Checks out the last commit beside the repository. Its packages import each other, not those of the repository. */
export function createScratchTree(root: string): ScratchTree {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
  const path = join(folder, 'tree')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' })
  git('worktree', 'add', '--detach', path, 'HEAD')
  const packages = git('ls-files', '*package.json').trim().split('\n').map(dirname)
  for (const each of packages) linkModules(join(root, each, 'node_modules'), join(path, each, 'node_modules'))
  return {
    path,
    remove() {
      git('worktree', 'remove', '--force', path)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Links what is installed. Links of the package manager are relative, so those to our own packages lead to the packages of
 * the new tree. Caches are left out.
 */
function linkModules(from: string, to: string): void {
  if (!existsSync(from)) return
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), join(to, entry.name))
    else if (entry.name.startsWith('@')) linkModules(source, join(to, entry.name))
    else if (/^\.(?:pnpm|bin)$/.test(entry.name)) symlinkSync(source, join(to, entry.name))
  }
}
