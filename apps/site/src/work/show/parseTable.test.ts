import { expect, test } from 'vitest'
import { parseTable, tableLimits } from './parseTable.ts'

test('reads quotes, empty cells and line feeds in cells', () => {
  expect(parseTable('name,says\nAda,"a ""b"", c\nd"\n,\n').rows).toEqual([
    ['name', 'says'],
    ['Ada', 'a "b", c\nd'],
    ['', ''],
  ])
  expect(parseTable('a').rows).toEqual([['a']])
  expect(parseTable('5" pipe,1').rows).toEqual([['5" pipe', '1']])
  expect(parseTable('"open,\n').rows).toEqual([['open,\n']])
})

test('shows a part of a table that is too long or too wide', () => {
  const long = parseTable('a,b\n'.repeat(1_000))
  expect([long.rows.length, long.isCut]).toEqual([1 + tableLimits.rows, true])
  const wide = parseTable(','.repeat(200_000))
  expect([wide.rows[0]?.length, wide.isCut]).toEqual([tableLimits.columns, true])
  expect(parseTable('a\n'.repeat(1 + tableLimits.rows)).isCut).toBe(false)
})
