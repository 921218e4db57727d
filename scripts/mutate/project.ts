import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import type { Node } from './ast.ts'
import { walk } from './ast.ts'

/** A contract or library with bytecode of its own. */
export interface Deployable {
  source: string
  name: string
}

/** What imports what, among the contracts and their tests. Paths are relative to the repository. */
export interface Project {
  sources: readonly string[]
  /** The contracts whose bytecode a change of this source can alter. */
  listDependents(source: string): Deployable[]
  /** The test files that can see a change of these contracts, without the slow ones. */
  listTests(changed: readonly Deployable[]): string[]
}

/** Random walks and measurements: they take minutes, and find little that the others do not. */
const slowTests = /^contracts\/test\/(?:(?:invariant|differential|gas)\/|.*\/invariants\.t\.sol$)/

/** Reads the import graph of contracts/src and contracts/test. */
export function readProject(root: string, trees: ReadonlyMap<string, Node>): Project {
  const files = globSync('contracts/{src,test}/**/*.sol', { cwd: root }).sort()
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const imports = new Map(files.map((file) => [file, listImports(file, texts.get(file) ?? '')]))
  const reached = new Map<string, ReadonlySet<string>>()
  const reach = (file: string): ReadonlySet<string> => {
    const known = reached.get(file)
    if (known) return known
    const found = new Set([file])
    for (const path of found) for (const next of imports.get(path) ?? []) found.add(next)
    reached.set(file, found)
    return found
  }

  const sources = [...trees.keys()]
  const declared = new Map([...trees].map(([file, tree]) => [file, listDeclared(tree)]))
  const tests = files.filter((file) => file.endsWith('.t.sol') && !slowTests.test(file))

  return {
    sources,
    listDependents: (source) => {
      const own = sources
        .filter((file) => reach(file).has(source))
        .flatMap((file) => (declared.get(file)?.deployable ?? []).map((name) => ({ source: file, name })))
      // The code of an internal library is part of whoever uses it, tests included.
      const libraries = declared.get(source)?.libraries ?? []
      const users = tests.filter((file) =>
        libraries.some((library) => new RegExp(`\\b(?:using ${library}\\b|${library}\\.)`).test(texts.get(file) ?? '')),
      )
      const harnesses = users.flatMap((file) =>
        [...(texts.get(file) ?? '').matchAll(/^contract (\w+)/gm)].map(([, name = '']) => ({ source: file, name })),
      )
      return [...own, ...harnesses]
    },
    listTests: (changed) => tests.filter((file) => changed.some(({ source }) => reach(file).has(source))),
  }
}

/** The folder with the tests of a contract: contracts/test/escrowVault for EscrowVault. */
export function isOwnTest(test: string, { source, name }: Deployable): boolean {
  const folder = `contracts/test/${name.charAt(0).toLowerCase()}${name.slice(1)}/`
  return test === source || test.startsWith(folder)
}

function listImports(file: string, text: string): string[] {
  return [...text.matchAll(/^import [^;]*?"(\.[^"]+)";/gms)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  )
}

function listDeclared(tree: Node): { deployable: string[]; libraries: string[] } {
  const contracts = [...walk(tree)].filter(({ nodeType }) => nodeType === 'ContractDefinition')
  const names = (kind: string) =>
    contracts.filter((node) => node.contractKind === kind && !node.abstract).map((node) => String(node.name))
  const libraries = names('library')
  return { deployable: [...names('contract'), ...libraries], libraries }
}
