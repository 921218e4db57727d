import { expect, test } from 'vitest'
import { excerptText } from './excerptText.ts'

test('a short text stays as it is, on one line', () => {
  expect(excerptText(' The map\n\nshows\tthe harbour. ', 200)).toBe('The map shows the harbour.')
  expect(excerptText('', 200)).toBe('')
  expect(excerptText('x'.repeat(200), 200)).toBe('x'.repeat(200))
})

test('a long text ends at a word, and never exceeds the limit', () => {
  expect(excerptText('one two three four', 10)).toBe('one two…')
  expect(excerptText('one two three four', 14)).toBe('one two three…')
  expect(excerptText('word '.repeat(99), 200)).toMatch(/ word…$/)
  for (let max = 5; max < 60; max++) {
    const cut = excerptText('The harbour and its lighthouse, seen from the sea.', max)
    expect(cut.length).toBeLessThanOrEqual(max)
  }
})

test('a long word is cut inside, but not inside a character', () => {
  expect(excerptText('x'.repeat(300), 200)).toBe(`${'x'.repeat(199)}…`)
  const cut = excerptText('🗺'.repeat(300), 200)
  expect(cut.isWellFormed()).toBe(true)
  expect(cut).toMatch(/^🗺+…$/u)
  expect(cut.length).toBeLessThanOrEqual(200)
})
