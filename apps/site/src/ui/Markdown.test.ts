import { fromMarkdown } from 'mdast-util-from-markdown'
import { expect, test } from 'vitest'
import { isCheap, maxMarkdownLength } from './Markdown.tsx'

test.each([
  ['quotes in quotes', '>'.repeat(20_000)],
  ['spaced quotes', '> '.repeat(10_000)],
  ['lists in lists', '- '.repeat(10_000)],
  ['stars', '*'.repeat(20_000)],
  ['stars around a word', `${'*'.repeat(9_000)}a${'*'.repeat(9_000)}`],
  ['images in images', `${'!['.repeat(6_000)}${'](a)'.repeat(1_500)}`],
  ['brackets', '['.repeat(10_000) + ']'.repeat(10_000)],
])('%s are not parsed', (_, text) => {
  expect(isCheap(text)).toBe(false)
})

test('what is parsed takes a moment at most', () => {
  // As bad as it can be within the limits, as often as the length allows.
  for (const unit of ['*', '![', '**a', '[', '*_']) {
    const paragraph = `a ${unit.repeat(Math.floor(1_000 / (unit.match(/[^a]/g)?.length ?? 1)))}`
    const text = `${paragraph}\n\n`.repeat(50).slice(0, maxMarkdownLength)
    expect(isCheap(text)).toBe(true)
    // Time of the processor, because the machine may be busy.
    const began = process.cpuUsage()
    fromMarkdown(text)
    // Twenty seconds without the limits.
    expect(process.cpuUsage(began).user / 1e6).toBeLessThan(5)
  }
})

test('ordinary text is parsed', () => {
  expect(isCheap('# Title\n\n- one\n  - two\n\n---\n\n> quote\n\n**bold** and `code`')).toBe(true)
  expect(isCheap('-'.repeat(200))).toBe(true)
  expect(isCheap(`| a | b |\n${'| --- | --- |\n'.repeat(30)}`)).toBe(true)
})
