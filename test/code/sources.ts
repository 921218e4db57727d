import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const excluded = new Set(['node_modules', 'dist', '.git', 'out', 'out-lite', 'deployments'])

export interface SourceFile {
  path: string
  text: string
}

/** Reads the files of this repository that match a pattern, without what is installed or built. */
export function readSources(pattern: string): SourceFile[] {
  const paths = globSync(pattern, { cwd: root, exclude: (name) => excluded.has(name) })
  return paths.sort().map((path) => ({ path, text: readFileSync(root + path, 'utf8') }))
}
