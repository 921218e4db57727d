import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readPage, root } from './markdown.ts'

test('every route of the gateway is in its page, with its method', () => {
  const source = globSync('apps/gateway/src/routes/*.ts', { cwd: root })
    .map((path) => readFileSync(root + path, 'utf8'))
    .join('\n')
  const calls = [...source.matchAll(/defineCall\('(get|post)', '([^']+)'/g)].map(
    ([, method = '', path]) => `${method.toUpperCase()} ${path}`,
  )
  const reads = [...source.matchAll(/(?:path: |defineList\()'(\/v1\/[^']+)'/g)].map(([, path]) => `GET ${path}`)
  const { text } = readPage('docs/gateway.md')
  expect(calls.length + reads.length).toBeGreaterThan(14)
  expect([...calls, ...reads].filter((route) => !text.includes(`\`${route}\``))).toEqual([])
})
