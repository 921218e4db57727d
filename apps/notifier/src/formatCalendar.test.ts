import { expect, test } from 'vitest'
import { formatCalendar } from './formatCalendar.ts'

const entry = {
  id: 'review v2:micro:7 1800003600',
  at: 1_800_003_600,
  title: 'Answer; now, or pay\nX',
  url: 'https://a',
}

test('a deadline is an event with an alarm, and its text adds no line', () => {
  const lines = formatCalendar([entry], 1_800_000_000).split('\r\n')
  expect(lines).toContain('DTSTAMP:20270115T080000Z')
  expect(lines).toContain('DTSTART:20270115T090000Z')
  expect(lines).toContain('SUMMARY:Answer\\; now\\, or pay\\nX')
  expect(lines).toContain('TRIGGER:-PT1H')
  expect(lines.filter((line) => line.startsWith('X'))).toEqual(['X-WR-CALNAME:Task Market'])
})

test('lines are folded at 75 bytes, between characters', () => {
  const title = 'ä€😀'.repeat(40)
  const text = formatCalendar([{ ...entry, title }], 1_800_000_000)
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(text.replaceAll('\r\n ', '')).toContain(`SUMMARY:${title}`)
})
