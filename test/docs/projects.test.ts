import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { listPackageEntries } from '../../scripts/checkCycles.ts'
import config from '../../vitest.config.ts'
import { root } from './markdown.ts'

/** What needs more than Node: a chain, a database, another program. Unit tests must not reach any of it. */
const heavy =
  /^(?:packages\/devnet\/|test\/harness\/(?!env|exampleEnv|backup|bareService|runs|freePort)|bench\/)|^playwright-core$/
/** System tests run without Chromium. */
const chromium = /^test\/harness\/(?:browser|axe)\.ts$|^playwright-core$/

test.each([
  ['unit', heavy],
  ['system', chromium],
])('%s tests import nothing that their project must do without', (name, forbidden) => {
  const files = listFiles(name)
  expect(files.length).toBeGreaterThan(20)
  const wrong = files.flatMap((file) => {
    const path = findImport(file, forbidden)
    return path ? [path.join(' imports ')] : []
  })
  expect(wrong).toEqual([])
})

test('each test file belongs to exactly one project', () => {
  const listed = ['unit', 'system', 'browser', 'model'].flatMap(listFiles).sort()
  expect(listed).toEqual(globSync('**/*.test.{ts,tsx}', { cwd: root, exclude: isIgnored }).sort())
})

function listFiles(name: string): string[] {
  const projects = config.test?.projects ?? []
  const project = projects.find((each) => typeof each === 'object' && 'test' in each && each.test?.name === name)
  if (!project || typeof project !== 'object' || !('test' in project)) throw new Error(`No project ${name}.`)
  const { include = [], exclude = [] } = project.test ?? {}
  const excluded = new Set(
    globSync(
      exclude.filter((glob) => !glob.includes('node_modules')),
      { cwd: root, exclude: isIgnored },
    ),
  )
  return globSync(include, { cwd: root, exclude: isIgnored }).filter((file) => !excluded.has(file))
}

function isIgnored(path: string): boolean {
  return /(?:^|\/)(?:node_modules|dist|\.git)$/.test(path)
}

/** Returns the chain of imports from a file to something forbidden, or null. Types are no imports at run time. */
function findImport(start: string, forbidden: RegExp): string[] | null {
  const cameFrom = new Map<string, string | null>([[start, null]])
  for (const file of cameFrom.keys()) {
    if (forbidden.test(file)) return chainTo(file, cameFrom)
    for (const target of listImports(file)) if (!cameFrom.has(target)) cameFrom.set(target, file)
  }
  return null
}

function chainTo(file: string, cameFrom: ReadonlyMap<string, string | null>): string[] {
  const before = cameFrom.get(file)
  return before ? [...chainTo(before, cameFrom), file] : [file]
}

const cache = new Map<string, string[]>()
const entries = new Map(
  globSync('packages/*/package.json', { cwd: root }).flatMap((file) =>
    listPackageEntries(dirname(file), readFileSync(root + file, 'utf8')),
  ),
)

function listImports(file: string): string[] {
  const known = cache.get(file)
  if (known) return known
  const text = /\.tsx?$/.test(file) && existsSync(root + file) ? readFileSync(root + file, 'utf8') : ''
  const statements = text.matchAll(/^(?:import|export)\s+(?!type\b)(?:[^'";]*?from\s+)?'([^']+)'/gm)
  const targets = [...statements].map(([, target = '']) => resolveImport(file, target))
  cache.set(file, targets)
  return targets
}

function resolveImport(file: string, target: string): string {
  return target.startsWith('.') ? normalize(join(dirname(file), target)) : (entries.get(target) ?? target)
}
