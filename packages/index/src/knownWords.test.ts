import { expect, test } from 'vitest'
import { collectWords } from './knownWords.ts'

const known = collectWords([
  'Translate a lease into Portuguese',
  'Translate a menu into German',
  'Caption ten photos',
  'translation lang:pt',
])

test.each([
  ['portugese', 'portuguese'],
  ['Translte menu', 'translate menu'],
  ['fotos', 'photos'],
  ['lease portuguesse', 'lease portuguese'],
])('%s is corrected to %s', (given, expected) => expect(known.correct(given)).toBe(expected))

test.each(['menu', 'PHOTOS', 'zzzzzz', 'ab', '', '🗺 !'])('nothing is corrected in "%s"', (given) =>
  expect(known.correct(given)).toBeNull(),
)

test('of two words that are equally near, the one that more tasks have wins', () => {
  expect(collectWords(['cart', 'card', 'card']).correct('carx')).toBe('card')
  expect(collectWords(['cart', 'cart', 'card']).correct('carx')).toBe('cart')
})

test('only so many words are known and compared', () => {
  const many = collectWords(Array.from({ length: 2_500 }, (_, index) => `word${index}`))
  expect(many.correct('word2400')).not.toBeNull()
  expect(many.correct('word1900')).toBeNull()
  expect(many.correct('words77 words78 words79 words80')).toMatch(/^word\d+ word\d+ word\d+ words80$/)
})
