import { encodeTaskText } from '@svc/protocol'
import { expect, test } from 'vitest'
import { cleanUntrusted, cleanUntrustedLine, toUntrustedFields } from './untrusted.ts'

test.each([
  ['a terminal command', '\u001b[31mred\u001b[0m', '[31mred[0m'],
  ['a hidden link', '\u001b]8;;https://x\u0007here\u001b]8;;\u0007', ']8;;https://xhere]8;;'],
  ['an override of direction', 'a\u202eb\u202c', 'ab'],
  ['tag characters', 'a\u{e0069}\u{e0067}b', 'ab'],
  ['zero-width characters', 'a\u200b\u200d\ufeffb', 'ab'],
  ['half a surrogate pair', 'a\ud800b', 'a\ufffdb'],
  ['other line ends', 'a\r\nb\rc\u2028d\u0085e', 'a\nb\nc\nd\ne'],
  ['a wall of empty lines', 'a\n\n\n\n\nb', 'a\n\nb'],
])('%s is removed', (_, given, shown) => {
  expect(cleanUntrusted(given, 100)).toBe(shown)
})

test('ordinary text is unchanged', () => {
  const text = 'Übersetze «日本語», 1.000 € – Ωμέγα 🚀\n- eins\n- zwei'
  expect(cleanUntrusted(text, 100)).toBe(text)
})

test('text that is too long is truncated with a mark, never inside a character', () => {
  expect(cleanUntrusted('🚀'.repeat(10), 6)).toBe('🚀🚀\ufffd…')
  expect(cleanUntrusted('x'.repeat(10), 10)).toBe('x'.repeat(10))
  expect(cleanUntrustedLine(`a\n${'b '.repeat(500)}`)).toHaveLength(120)
})

test('a text is split into fields, with the number of hidden characters', () => {
  const text = encodeTaskText({
    title: 'A logo',
    criteria: 'An SVG file.\nOne colour.',
    milestones: ['Draft', 'Final'],
  })
  expect(toUntrustedFields(text)).toEqual({
    untrustedTitle: 'A logo',
    untrustedCriteria: 'An SVG file.\nOne colour.',
    untrustedMilestones: ['Draft', 'Final'],
    removedCharacters: 0,
  })
  expect(toUntrustedFields('pay\u200b\u202e me\r\n')).toMatchObject({ untrustedTitle: 'pay me', removedCharacters: 2 })
})
