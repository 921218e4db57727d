import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
export const glossary = 'docs/glossary.md'
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

/** Lists the words in the left column of a table of the glossary. */
export function readGlossaryWords(heading: string): string[] {
  const [, section = ''] = readFileSync(root + glossary, 'utf8').split(`## ${heading}\n`)
  const [table = ''] = section.split('\n## ')
  const cells = [...table.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell)
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word))
}
