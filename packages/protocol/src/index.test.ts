import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

const entries = Object.entries(manifest.exports).filter(([, source]) => source.endsWith('.ts'))

test.each(entries)('the public surface of %s', async (_, source) => {
  const names = Object.keys(await import(new URL(`../${source}`, import.meta.url).href))
  expect(names.sort().join('\n')).toMatchSnapshot()
})
