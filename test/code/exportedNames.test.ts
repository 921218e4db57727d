import { expect, test } from 'vitest'
import { readSources } from './sources.ts'

/** A function declaration, or a constant whose value is an arrow function. A re-export is not a definition. */
const definition =
  /^export (?:default )?(?:async )?(?:function\*? (\w+)|const (\w+)(?:: [^=\n]+)? =\s*(?:async )?(?:<[^>\n]*>)?(?:\([^)]*\)(?::[^=\n]+)? =>|\w+ =>))/gm

test('no two exported functions share a name', () => {
  // A set, because the overloads of a function are several definitions in one file.
  const files = new Map<string, ReadonlySet<string>>()
  for (const { path, text } of readSources('**/*.{ts,tsx}')) {
    if (path.includes('/abis/')) continue
    for (const [, declared, constant] of text.matchAll(definition)) {
      const name = declared ?? constant ?? ''
      files.set(name, new Set([...(files.get(name) ?? []), path]))
    }
  }
  expect(files.size).toBeGreaterThan(500)
  const shared = [...files].filter(([, paths]) => paths.size > 1)
  expect(shared.map(([name, paths]) => `${name}: ${[...paths].join(', ')}`)).toEqual([])
})

/** About half of them are views of the contracts, in the generated ABIs. */
const maxOfNames = 60

test('few functions are named after what they return, such as `marketOf`', () => {
  const names = readSources('**/*.{ts,tsx}').flatMap(
    ({ text }) => text.match(/(?:function|const) [a-z][A-Za-z]*Of\b/g) ?? [],
  )
  expect(new Set(names).size).toBeLessThan(maxOfNames)
})
