import { expect, test } from 'vitest'
import { findPictureType } from './findPictureType.ts'

const png = (width: number, height: number) => {
  const bytes = Buffer.alloc(33)
  bytes.write('\x89PNG\r\n\x1a\n', 'latin1')
  bytes.write('IHDR', 12, 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}
const webp = (kind: string, write: (bytes: Buffer) => void) => {
  const bytes = Buffer.alloc(30)
  bytes.write('RIFF', 'latin1')
  bytes.write(`WEBP${kind}`, 8, 'latin1')
  write(bytes)
  return bytes
}

test.each<[string, Uint8Array, ReturnType<typeof findPictureType>]>([
  ['a PNG', png(192, 192), 'image/png'],
  ['a PNG that is too wide', png(513, 10), null],
  ['a PNG of no size', png(0, 10), null],
  ['a PNG that ends early', png(10, 10).subarray(0, 24), null],
  ['a lossy WebP', webp('VP8 ', (bytes) => bytes.writeUInt32LE(192 | (192 << 16), 26)), 'image/webp'],
  ['a lossless WebP', webp('VP8L', (bytes) => bytes.writeUInt32LE(191 | (191 << 14), 21)), 'image/webp'],
  ['a lossless WebP that is too high', webp('VP8L', (bytes) => bytes.writeUInt32LE(191 | (600 << 14), 21)), null],
  ['an extended WebP', webp('VP8X', (bytes) => bytes.writeUIntLE(191, 24, 3)), 'image/webp'],
  ['an extended WebP that is too wide', webp('VP8X', (bytes) => bytes.writeUIntLE(1_000_000, 24, 3)), null],
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), null],
  ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'.padEnd(64)), null],
  ['a JPEG', Buffer.from('\xff\xd8\xff\xe0'.padEnd(64), 'latin1'), null],
])('%s', (_, bytes, type) => {
  expect(findPictureType(bytes)).toBe(type)
})
