import { workLimits } from '@svc/protocol/work'

/** Reads the type of a picture from its bytes; null for anything but a small PNG or WebP. SVG can carry scripts, so it is none. */
export function findPictureType(bytes: Uint8Array): 'image/png' | 'image/webp' | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const readText = (at: number, length: number) => Buffer.from(bytes.subarray(at, at + length)).toString('latin1')
  if (readText(0, 8) === '\x89PNG\r\n\x1a\n' && readText(12, 4) === 'IHDR' && bytes.length >= 33)
    return isSmall(view.getUint32(16), view.getUint32(20)) ? 'image/png' : null
  if (readText(0, 4) !== 'RIFF' || readText(8, 4) !== 'WEBP' || bytes.length < 30) return null
  return isSmall(...readWebpSize(view, readText(12, 4))) ? 'image/webp' : null
}

/** The sizes of the three kinds of WebP; zeros for another. */
function readWebpSize(view: DataView, kind: string): [width: number, height: number] {
  const read24 = (at: number) => view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
  if (kind === 'VP8 ') return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff]
  if (kind === 'VP8X') return [read24(24) + 1, read24(27) + 1]
  if (kind !== 'VP8L') return [0, 0]
  const bits = view.getUint32(21, true)
  return [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1]
}

/** A few bytes can stand for a picture that fills the memory of whoever looks at it. */
const isSmall = (width: number, height: number) =>
  Math.min(width, height) > 0 && Math.max(width, height) <= workLimits.pictureSide
