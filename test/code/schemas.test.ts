import { globSync, readFileSync } from 'node:fs'
import type { DatabaseOptions } from '@svc/serve'
import { keepOf, schemas } from '@svc/serve'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)

test('every schema that code creates is declared, so that a backup knows whether it is kept', () => {
  const files = globSync(['{apps,packages}/*/src/**/*.ts', '{apps,packages}/*/migrations/*.sql', 'deploy/*.sql'], {
    cwd: root,
  })
  const found = files.flatMap((file) => [
    ...readFileSync(new URL(file, root), 'utf8').matchAll(
      /create (?:schema(?: if not exists)?|table(?: if not exists)?) (?!if\b)(\w+)/gi,
    ),
  ])
  const names = new Set(found.flatMap(([text, name = '']) => (/schema/i.test(text) || name in schemas ? [name] : [])))
  expect([...names].filter((name) => keepOf(name) === undefined)).toEqual([])
  expect(names.size).toBeGreaterThan(5)
})

test('a schema that is not declared is a type error', () => {
  // @ts-expect-error: not in the table
  const other: DatabaseOptions = { schema: 'reviews', migrations: root }
  expect(keepOf(other.schema)).toBeUndefined()
})
