import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { readSources } from './sources.ts'

/** What only the entry file of an app may do. */
const sideEffects = /\bprocess\.(?:env|argv|exit|once|on)\b|(?<![.\w])listen\(\{|\bstartHealthServer\(/
const parts = ['api', 'clerk', 'indexer', 'keeper', 'notifier', 'store']
const isTest = (path: string) => path.endsWith('.test.ts')

test('only the entry file of a part reads the environment, listens or ends the process', () => {
  const files = parts.flatMap((part) => readSources(`apps/${part}/src/**/*.ts`))
  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(parts.map((part) => `apps/${part}/src/start.ts`)),
  )
  const found = files.filter(({ path, text }) => !isTest(path) && sideEffects.test(text)).map(({ path }) => path)
  expect(found.filter((path) => !path.endsWith('/src/main.ts'))).toEqual([])
})

test('no app imports another, except that a market in one process imports how each part starts', () => {
  const faults = readSources('apps/*/src/**/*.{ts,tsx}').flatMap(({ path, text }) =>
    [...text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].flatMap(([, relative = '']) => {
      const target = posix.join(posix.dirname(path), relative)
      const [app, other] = [path.split('/')[1], target.split('/')[1]]
      if (isTest(path) || app === other || !target.startsWith('apps/')) return []
      return app === 'market' && target === `apps/${other}/src/start.ts` ? [] : [`${path} imports ${target}`]
    }),
  )
  expect(faults).toEqual([])
})
