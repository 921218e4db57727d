// pnpm check: fails if TypeScript files import each other in a circle, or if a folder of the site imports one above it. Type-only
// and dynamic imports count too.
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

/** The folders of the site, lowest first: each imports only those before it. `src` are the files beside them that all may use. */
const siteLayers = ['text', 'src', 'ui', 'wallet', 'parts', 'actions', 'work', 'notify', 'talk', 'pages', 'frame']

function findSiteLayer(file: string): number {
  const [, inside] = /^apps\/site\/src\/(.+)$/.exec(file) ?? []
  if (inside === undefined) return -1
  const [folder = '', ...rest] = inside.split('/')
  if (rest.length > 0) return siteLayers.indexOf(folder)
  return siteLayers.indexOf(/^(?:App|routes|start|main)\.tsx?$/.test(folder) ? 'frame' : 'src')
}

/** Lists the imports that point upwards between folders of the site, and its folders that have no place yet. */
export function findUpwardImports(graph: ReadonlyMap<string, readonly string[]>): string[] {
  return [...graph].flatMap(([file, imports]) => {
    const from = findSiteLayer(file)
    if (from < 0) return file.startsWith('apps/site/src/') ? [`${file} is in no layer`] : []
    return imports.filter((each) => findSiteLayer(each) > from).map((each) => `${file} → ${each}`)
  })
}

if (import.meta.main) {
  const graph = readImportGraph(join(import.meta.dirname, '..'))
  const cycles = findCycles(graph)
  for (const upward of findUpwardImports(graph)) {
    console.error(`Upward import: ${upward}. Move it below both, or see siteLayers in scripts/checkCycles.ts.`)
    process.exitCode = 1
  }
  for (const cycle of cycles) console.error(`Import cycle: ${cycle.join(' → ')}`)
  if (cycles.length > 0) {
    console.error('Move what both files need (often a type) to a file that imports neither.')
    process.exitCode = 1
  }
}
