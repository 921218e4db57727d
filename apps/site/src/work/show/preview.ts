import { sanitizeText } from '@svc/protocol'
import type { bundleText } from '../../text/bundle.ts'

/** What a browser draws without running anything. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

/** How a file can be shown here. Everything else is only downloaded. */
export type Preview =
  | { kind: 'text'; text: string; looks: 'plain' | 'markdown' | 'table'; isCut: boolean }
  | { kind: 'image'; type: ImageType; width: number; height: number }
  | { kind: 'none'; reason: keyof typeof bundleText.noPreview }

/** Limits of what is shown. A larger file is downloaded. */
export const previewLimits = {
  /** Larger files are not even fetched for a preview. */
  fileBytes: 8_000_000,
  textBytes: 200_000,
  /** A small file can claim a huge picture, which would take the memory of the page. */
  imageSide: 12_000,
  imagePixels: 40_000_000,
} as const

/**
 * Decides how a stranger's file may be shown, by its bytes. Its name and declared type decide only how text looks: an image is
 * one of four formats that its first bytes show, text is valid UTF-8 without control characters, and markup is never shown as
 * a page.
 */
export function findPreview(name: string, bytes: Uint8Array): Preview {
  if (bytes.length === 0) return { kind: 'none', reason: 'empty' }
  const image = readImage(bytes)
  if (image) {
    const { width, height } = image
    const fits = Math.max(width, height) <= previewLimits.imageSide && width * height <= previewLimits.imagePixels
    return fits && width > 0 && height > 0 ? { kind: 'image', ...image } : { kind: 'none', reason: 'pixels' }
  }
  const text = decodeText(bytes)
  if (text === null) return { kind: 'none', reason: 'binary' }
  if (isActive(name, text)) return { kind: 'none', reason: 'active' }
  const isCut = bytes.length > previewLimits.textBytes
  return { kind: 'text', text, looks: findLooks(name), isCut }
}

/** Decodes text for display, at most as much as is shown. Returns null for anything but text. */
function decodeText(bytes: Uint8Array): string | null {
  const shown = bytes.subarray(0, previewLimits.textBytes)
  try {
    // Streaming keeps back a character that the cut goes through.
    const isCut = shown.length < bytes.length
    const text = new TextDecoder('utf-8', { fatal: true }).decode(shown, { stream: isCut })
    return binary.test(text) ? null : sanitizeText(text)
  } catch {
    return null
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: text does not have them, programs and archives do
const binary = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/

const findLooks = (name: string): 'plain' | 'markdown' | 'table' =>
  /\.(?:md|markdown)$/i.test(name) ? 'markdown' : /\.csv$/i.test(name) ? 'table' : 'plain'

/**
 * Markup that a browser would run if it were opened as a page, and documents with programs in them. Showing their source would
 * be safe, but a reader would take it for the work: the file is for a program that the reader chooses.
 */
function isActive(name: string, text: string): boolean {
  return /\.(?:html?|xhtml|mhtml|svgz?|xml|xsl|pdf)$/i.test(name) || /^\s*(?:<[!?a-z]|%PDF-)/i.test(text)
}

interface Image {
  type: ImageType
  width: number
  height: number
}

/** Reads the format and the size of an image from its header. Returns null if it is none of the four formats. */
function readImage(bytes: Uint8Array): Image | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const startsWith = (text: string, at = 0) =>
    bytes.length >= at + text.length && [...text].every((letter, index) => bytes[at + index] === letter.charCodeAt(0))
  if (startsWith('\x89PNG\r\n\x1a\n') && startsWith('IHDR', 12) && bytes.length >= 24) {
    return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) }
  }
  if ((startsWith('GIF87a') || startsWith('GIF89a')) && bytes.length >= 10) {
    return { type: 'image/gif', width: view.getUint16(6, true), height: view.getUint16(8, true) }
  }
  if (startsWith('RIFF') && startsWith('WEBP', 8) && bytes.length >= 30) return readWebp(view, startsWith)
  if (startsWith('\xff\xd8\xff')) return readJpeg(view)
  return null
}

function readWebp(view: DataView, startsWith: (text: string, at: number) => boolean): Image | null {
  const type = 'image/webp'
  if (startsWith('VP8X', 12)) {
    const readSide = (at: number) => 1 + view.getUint16(at, true) + (view.getUint8(at + 2) << 16)
    return { type, width: readSide(24), height: readSide(27) }
  }
  if (startsWith('VP8L', 12)) {
    const bits = view.getUint32(21, true)
    return { type, width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
  }
  if (!startsWith('VP8 ', 12)) return null
  return { type, width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
}

/** Walks over the segments of a JPEG to the one that has its size. */
function readJpeg(view: DataView): Image | null {
  for (let at = 2; at + 9 <= view.byteLength; ) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    // Start of frame, in all its kinds. C4, C8 and CC mean something else.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { type: 'image/jpeg', height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    // Fill bytes, and markers without a length.
    if (marker === 0xff) at += 1
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else at += 2 + view.getUint16(at + 2)
  }
  return null
}
