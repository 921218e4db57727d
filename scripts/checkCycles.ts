// pnpm check: fails if TypeScript files import each other in a circle. Type-only and dynamic imports count too.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const STATEMENT = /^[ \t]*(?:import|export)\b[^'"`;]*?['"]([^'"\n]+)['"]/gm
const EXPRESSION = /\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g

/** Lists the modules that a source file imports or re-exports. */
export function listImports(source: string): string[] {
  const statements = [...source.matchAll(STATEMENT)].filter(([text]) => /\bfrom\b|^[ \t]*import\s*['"]/.test(text))
  return [...statements, ...source.matchAll(EXPRESSION)].flatMap((match) => match[1] ?? [])
}

/** Reads a package.json and maps each import name of that package to the file its `exports` give. */
export function listPackageEntries(folder: string, packageJson: string): [name: string, file: string][] {
  const { name, exports = {} } = JSON.parse(packageJson) as { name: string; exports?: Record<string, unknown> }
  return Object.entries(exports).flatMap(([key, target]) =>
    typeof target === 'string' && !key.includes('*') ? [[join(name, key), join(folder, target)]] : [],
  )
}

/**
 * Finds import cycles, each as the shortest circle of files through one member of a strongly connected component
 * (Tarjan), so that the first file is repeated at the end.
 */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const indexes = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []

  const visit = (file: string): number => {
    const index = indexes.size
    indexes.set(file, index)
    stack.push(file)
    let low = index
    for (const next of graph.get(file) ?? []) {
      if (!indexes.has(next)) low = Math.min(low, visit(next))
      else if (stack.includes(next)) low = Math.min(low, indexes.get(next) ?? low)
    }
    if (low === index) {
      const members = new Set(stack.splice(stack.indexOf(file)))
      if (members.size > 1 || graph.get(file)?.includes(file)) cycles.push(shortestCircle(graph, file, members))
    }
    return low
  }

  for (const file of graph.keys()) if (!indexes.has(file)) visit(file)
  return cycles
}

/** Searches breadth first from `start` back to itself; `members` hold such a path. */
function shortestCircle(
  graph: ReadonlyMap<string, readonly string[]>,
  start: string,
  members: ReadonlySet<string>,
): string[] {
  const paths = [[start]]
  const seen = new Set<string>()
  for (const path of paths) {
    for (const next of graph.get(path.at(-1) ?? start) ?? []) {
      if (next === start) return [...path, start]
      if (!members.has(next) || seen.has(next)) continue
      seen.add(next)
      paths.push([...path, next])
    }
  }
  throw new Error(`No circle through ${start}.`)
}

/** Reads the import graph of all tracked TypeScript files below `root`. */
export function readImportGraph(root: string): Map<string, string[]> {
  const tracked = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*package.json'], { cwd: root, encoding: 'utf8' })
  const files = new Set(tracked.trim().split('\n'))
  const read = (file: string): string => readFileSync(join(root, file), 'utf8')
  const entries = new Map(
    [...files].flatMap((file) => (file.endsWith('package.json') ? listPackageEntries(dirname(file), read(file)) : [])),
  )
  const resolve = (from: string, specifier: string): string | undefined =>
    specifier.startsWith('.') ? join(dirname(from), specifier) : entries.get(specifier)
  const sources = [...files].filter((file) => /\.tsx?$/.test(file))
  return new Map(
    sources.map((file) => {
      const targets = listImports(read(file)).map((specifier) => resolve(file, specifier))
      return [file, [...new Set(targets.filter((target) => target !== undefined && files.has(target)))] as string[]]
    }),
  )
}

if (import.meta.main) {
  const cycles = findCycles(readImportGraph(join(import.meta.dirname, '..')))
  for (const cycle of cycles) console.error(`Import cycle: ${cycle.join(' → ')}`)
  if (cycles.length > 0) {
    console.error('Move what both files need (often a type) to a file that imports neither.')
    process.exitCode = 1
  }
}
