import { expect, test } from 'vitest'
import { findPreview, previewLimits } from './preview.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const bytes = (...parts: (string | readonly number[])[]) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : [...part])))

const png = (width: number, height: number) => {
  const image = bytes('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', Array(8).fill(0))
  const view = new DataView(image.buffer)
  view.setUint32(16, width)
  view.setUint32(20, height)
  return image
}

test('images are known by their bytes, never by their name', () => {
  const size = { width: 300, height: 200 }
  expect(findPreview('picture.html', png(300, 200))).toEqual({ kind: 'image', type: 'image/png', ...size })
  const gif = bytes('GIF89a', [0x2c, 0x01, 0xc8, 0x00])
  expect(findPreview('a', gif)).toEqual({ kind: 'image', type: 'image/gif', ...size })
  // A comment, then the frame.
  const jpeg = bytes('\xff\xd8\xff\xfe', [0, 4, 1, 1], '\xff\xc0', [0, 17, 8, 0, 200, 1, 44, 3])
  expect(findPreview('a', jpeg)).toEqual({ kind: 'image', type: 'image/jpeg', ...size })
  const webp = bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [10, 0, 0, 0, 0, 0, 0, 0, 0x2b, 1, 0, 0xc7, 0, 0])
  expect(findPreview('a', webp)).toEqual({ kind: 'image', type: 'image/webp', ...size })
  for (const cut of [png(3, 3).subarray(0, 20), jpeg.subarray(0, 9), webp.subarray(0, 26)]) {
    expect(findPreview('a.png', cut).kind).toBe('none')
  }
})

test('an image that would fill the memory is not drawn', () => {
  const none = { kind: 'none', reason: 'pixels' }
  expect(findPreview('a.png', png(previewLimits.imageSide + 1, 1))).toEqual(none)
  expect(findPreview('a.png', png(10_000, 10_000))).toEqual(none)
  expect(findPreview('a.png', png(2 ** 31, 2 ** 31))).toEqual(none)
  expect(findPreview('a.png', png(0, 10))).toEqual(none)
})

test.each([
  ['page.html', '<h1>Hello</h1>'],
  ['page.txt', '  <!doctype html><script>alert(1)</script>'],
  ['picture.svg', '<svg onload="alert(1)"/>'],
  ['picture.png', '<html><body>'],
  ['feed', '<?xml version="1.0"?>'],
  ['report.pdf', 'anything'],
  ['report', '%PDF-1.7 …'],
])('%s is for another program', (name, content) => {
  expect(findPreview(name, encode(content))).toEqual({ kind: 'none', reason: 'active' })
})

test('programs, archives and text in other encodings are only downloaded', () => {
  const none = { kind: 'none', reason: 'binary' }
  expect(findPreview('a.txt', bytes('PK\x03\x04'))).toEqual(none)
  expect(findPreview('a.txt', bytes('text\0text'))).toEqual(none)
  expect(findPreview('a.txt', bytes('caf\xe9'))).toEqual(none)
  expect(findPreview('a.txt', new Uint8Array())).toEqual({ kind: 'none', reason: 'empty' })
})

test('text is shown without what hides or reorders it, and cut', () => {
  expect(findPreview('a.js', encode('if (admin\u202e) {'))).toEqual({
    kind: 'text',
    text: 'if (admin\ufffd) {',
    looks: 'plain',
    isCut: false,
  })
  expect(findPreview('A.MD', encode('# Title'))).toMatchObject({ looks: 'markdown' })
  expect(findPreview('a.csv', encode('a,b'))).toMatchObject({ looks: 'table' })
  // The limit goes through a character of two bytes.
  const long = findPreview('a.txt', encode(`x${'é'.repeat(previewLimits.textBytes)}`))
  expect(long).toMatchObject({ kind: 'text', isCut: true })
})
