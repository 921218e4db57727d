import fc from 'fast-check'
import { keccak256, toBytes } from 'viem'
import { describe, expect, test } from 'vitest'
import { runs } from '../../../../test/harness/runs.ts'
import { normalizeText } from '../base/plainText.ts'
import {
  decodeTaskText,
  encodeTaskText,
  hashTaskText,
  maxTextBytes,
  prose,
  TextTooLongError,
  taskText,
  title,
} from './taskText.ts'

const words = { title: 'Caption ten photos', criteria: 'One sentence each.', milestones: ['All ten'] }
/** Characters that make trouble, among ordinary ones. */
const wild = fc.string({
  unit: fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
    fc.constantFrom(
      '\n',
      '\r',
      '\r\n',
      ' ',
      '\t',
      '\u00a0',
      '\u0301',
      '\u0323',
      '\u200b',
      '\u202e',
      '\ufeff',
      '\ud800',
      'e',
      '"',
      '\\',
    ),
  ),
  maxLength: 40,
})
const clean = (schema: typeof title) => wild.map(normalizeText).filter((text) => schema.safeParse(text).success)
const anyWords = fc.record({
  title: clean(title),
  criteria: clean(prose),
  milestones: fc.array(clean(title), { minLength: 1, maxLength: 16 }),
})

test('normalizing twice changes nothing', () => {
  fc.assert(
    fc.property(wild, (text) => {
      expect(normalizeText(normalizeText(text))).toBe(normalizeText(text))
    }),
    { numRuns: runs(2_000) },
  )
})

test('round trip', () => {
  fc.assert(
    fc.property(anyWords, (given) => {
      const text = encodeTaskText(given)
      expect(decodeTaskText(text)).toEqual({ ...given, canonical: true })
      expect(hashTaskText(text)).toBe(keccak256(toBytes(text)))
    }),
    { numRuns: runs(500) },
  )
})

test('a text has one canonical form: another order, space or escape is not canonical', () => {
  const text = encodeTaskText(words)
  expect(text).toBe('{"criteria":"One sentence each.","milestones":["All ten"],"title":"Caption ten photos"}')
  const { title, criteria, milestones } = words
  const others = [
    JSON.stringify({ title, criteria, milestones }),
    JSON.stringify({ criteria, milestones, title }, null, 1),
    `${text}\n`,
    text.replace('C', '\\u0043'),
    text.replace('}', ',"pay":"1"}'),
    text.replace('"Caption', '" Caption'),
  ]
  for (const other of others)
    expect(decodeTaskText(other), other).toMatchObject({ canonical: false, criteria: other, milestones: [] })
})

test('a text of another format becomes the criteria, and its first line the title', () => {
  expect(decodeTaskText('\n Paint a fence\nGreen.')).toEqual({
    title: 'Paint a fence',
    criteria: '\n Paint a fence\nGreen.',
    milestones: [],
    canonical: false,
  })
  expect(decodeTaskText('')).toEqual({ title: '', criteria: '', milestones: [], canonical: false })
})

test('the title of a text of another format is short and well-formed', () => {
  fc.assert(
    fc.property(fc.oneof(wild, fc.string({ unit: 'binary', minLength: 100, maxLength: 140 })), (text) => {
      const { title } = decodeTaskText(text)
      expect(title.length).toBeLessThanOrEqual(120)
      expect(title.isWellFormed()).toBe(true)
    }),
    { numRuns: runs(500) },
  )
})

describe('text with hidden characters', () => {
  const ranges: [number, number][] = [
    [0x00, 0x09],
    [0x0b, 0x1f],
    [0x7f, 0x9f],
    [0xad, 0xad],
    [0x61c, 0x61c],
    [0x200b, 0x200b],
    [0x200e, 0x200f],
    [0x2028, 0x202e],
    [0x2060, 0x206f],
    [0xfeff, 0xfeff],
    [0xd800, 0xdfff],
    [0xe0000, 0xe007f],
  ]
  const codes = ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, index) => from + index))

  test(`rejects ${codes.length} control, bidi, zero-width, tag and surrogate characters`, () => {
    for (const code of codes) {
      const text = `a${String.fromCodePoint(code)}b`
      expect(title.safeParse(text).success, code.toString(16)).toBe(false)
      expect(prose.safeParse(text).success, code.toString(16)).toBe(false)
    }
  })

  test('a line feed is rejected in a title and accepted in prose', () => {
    expect(title.safeParse('a\nb').success).toBe(false)
    expect(prose.safeParse('a\n\nb').success).toBe(true)
    expect(prose.safeParse('a\r\nb').success).toBe(false)
  })

  test('joiners are accepted, because scripts and emoji need them', () => {
    for (const text of [
      '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
      '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
      '\u2764\ufe0f',
    ]) {
      expect(title.safeParse(text).success).toBe(true)
      expect(prose.safeParse(text).success).toBe(true)
    }
  })

  test('rejects surrounding spaces and decomposed letters', () => {
    for (const text of [' a', 'a ', '\na', 'a\n', '\u00a0a', 'e\u0301']) {
      expect(title.safeParse(text).success, JSON.stringify(text)).toBe(false)
      expect(prose.safeParse(text).success, JSON.stringify(text)).toBe(false)
    }
  })
})

describe('limits', () => {
  test('a title has 1 to 120 characters, a task 1 to 16 milestones', () => {
    const taken = (change: object) => taskText.safeParse({ ...words, ...change }).success
    expect(['', 'x', 'x'.repeat(120), 'x'.repeat(121)].map((title) => taken({ title }))).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect([0, 1, 16, 17].map((count) => taken({ milestones: Array(count).fill('x') }))).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(taken({ criteria: '' })).toBe(false)
    expect(taken({ pay: '1' })).toBe(false)
    expect(taken({ tags: ['translation', 'lang:pt', 'a-b:c-1'] })).toBe(true)
    for (const tags of [
      [],
      ['A'],
      ['a b'],
      ['a:'],
      [':a'],
      ['a:b:c'],
      ['-a'],
      ['a--b'],
      ['a', 'a'],
      ['x'.repeat(33)],
      [...'abcdefghi'],
    ])
      expect(taken({ tags }), JSON.stringify(tags)).toBe(false)
  })

  test('the whole text has at most 8,192 bytes, as written', () => {
    const room = maxTextBytes - encodeTaskText({ ...words, criteria: 'x' }).length + 1
    expect(new TextEncoder().encode(encodeTaskText({ ...words, criteria: 'x'.repeat(room) }))).toHaveLength(
      maxTextBytes,
    )
    expect(() => encodeTaskText({ ...words, criteria: 'x'.repeat(room + 1) })).toThrow(TextTooLongError)
    // Two bytes each in UTF-8, and two as an escape.
    for (const wide of ['\u00e9', '"']) {
      expect(() => encodeTaskText({ ...words, criteria: wide.repeat(room / 2 + 1) })).toThrow(TextTooLongError)
    }
  })

  test('the error contains the size and what to do', () => {
    expect(() => encodeTaskText({ ...words, criteria: 'x'.repeat(maxTextBytes) })).toThrowErrorMatchingInlineSnapshot(
      `[TextTooLongError: The task's text has 8261 bytes, but the limit is 8192. Shorten the criteria, or refer to a longer document by its hash.]`,
    )
  })
})
