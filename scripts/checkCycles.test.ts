import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findCycles, findUpwardImports, listImports, listPackageEntries, readImportGraph } from './checkCycles.ts'

describe('listImports', () => {
  it('lists value, type-only, side-effect and dynamic imports and re-exports', () => {
    const source = `
import './a.ts'
import { b } from './b.ts'
import type { C } from "./c.ts"
import {
  type D,
  d,
} from './d.ts'
export * from './e.ts'
export type { F } from './f.ts'
const g = await import('./g.ts')
type H = import('./h.ts').H
`
    expect(listImports(source).sort()).toEqual('abcdefgh'.split('').map((name) => `./${name}.ts`))
  })

  it('takes no other string for an import', () => {
    expect(
      listImports(`export const name = 'a'\nexport function f() {\n  return 'b'\n}\nexport default 'c'\n`),
    ).toEqual([])
  })
})

describe('listPackageEntries', () => {
  it('maps import names to files and skips patterns', () => {
    const packageJson = { name: '@x/y', exports: { '.': './src/index.ts', './z': './src/z.ts', './s/*': './s/*' } }
    expect(listPackageEntries('packages/y', JSON.stringify(packageJson))).toEqual([
      ['@x/y', 'packages/y/src/index.ts'],
      ['@x/y/z', 'packages/y/src/z.ts'],
    ])
  })
})

describe('findCycles', () => {
  const find = (graph: Record<string, string[]>) => findCycles(new Map(Object.entries(graph)))

  it('finds none where all imports run one way', () => {
    expect(find({ a: ['b', 'c'], b: ['c'], c: [] })).toEqual([])
  })

  it('finds the shortest circle of each group, and files that import themselves', () => {
    expect(find({ a: ['b'], b: ['c', 'd'], c: ['b'], d: ['a', 'b'], e: ['e'], f: ['a'] })).toEqual([
      ['a', 'b', 'd', 'a'],
      ['e', 'e'],
    ])
  })
})

it('finds imports of the site that point upwards', () => {
  const site = (name: string) => `apps/site/src/${name}`
  const graph = {
    [site('pages/task.tsx')]: [site('actions/Tray.tsx'), site('api.ts'), site('text/task.ts')],
    [site('wallet/Connect.tsx')]: [site('actions/track.ts')],
    [site('api.ts')]: [site('App.tsx'), 'packages/client/src/index.ts'],
    [site('new/Folder.tsx')]: [],
    'packages/client/src/index.ts': [site('pages/task.tsx')],
  }
  expect(findUpwardImports(new Map(Object.entries(graph)))).toEqual([
    `${site('wallet/Connect.tsx')} → ${site('actions/track.ts')}`,
    `${site('api.ts')} → ${site('App.tsx')}`,
    `${site('new/Folder.tsx')} is in no layer`,
  ])
})

it('this repository has neither', () => {
  const graph = readImportGraph(join(import.meta.dirname, '..'))
  expect([findCycles(graph), findUpwardImports(graph)]).toEqual([[], []])
})
