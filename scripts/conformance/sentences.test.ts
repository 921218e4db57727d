import { expect, test } from 'vitest'
import { splitSentences } from './sentences.ts'

const text = `# Lanterns

Lanterns hang in rows. Each has a \`wick. Trim it\` and, e.g. in winter, a hood! 3 rows make a street.

## Prices

- Oil costs 5. Wax is free
  on Sundays.
- \`wax\` is a word.

| Name | Price |
|---|---|
| oil | 5 per \`day|night\` |
| wax | 0 |

1. First rule.
2. Second rule.

## Colours

| Name | Colour |
|---|---|
| wax | 0 |
`

test('splits headings, prose, list items and table rows, and keeps code whole', () => {
  expect(splitSentences(text).map(({ line, text }) => `${line}: ${text}`)).toEqual([
    '1: # Lanterns',
    '3: Lanterns hang in rows.',
    '3: Each has a `wick. Trim it` and, e.g. in winter, a hood!',
    '3: 3 rows make a street.',
    '5: ## Prices',
    '7: Oil costs 5.',
    '7: Wax is free on Sundays.',
    '9: `wax` is a word.',
    '13: | oil | 5 per `day|night` |',
    '14: | wax | 0 |',
    '16: First rule.',
    '17: Second rule.',
    '19: ## Colours',
    '23: | wax | 0 |',
  ])
})

test('the same words are another sentence under another heading or other columns', () => {
  const keys = splitSentences(text).map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.every((key) => /^[0-9a-f]{12}$/.test(key))).toBe(true)
})

test('a changed word changes its own key and no other; spaces and line breaks change none', () => {
  const keys = (given: string) => splitSentences(given).map(({ key }) => key)
  const before = keys(text)
  const changed = keys(text.replace('Oil costs 5', 'Oil costs 6'))
  expect(before.filter((key) => !changed.includes(key))).toHaveLength(1)
  expect(keys(text.replace('rows. Each', 'rows.\nEach').replace('| wax | 0 |', '|  wax  |  0 |'))).toEqual(before)
  // Other columns give every row of the table another meaning.
  const columns = keys(text.replace('| Name | Price |', '| Name | Weight |'))
  expect(before.filter((key) => !columns.includes(key))).toHaveLength(2)
})
