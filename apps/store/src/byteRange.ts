import { ServiceError } from '@svc/operations'
import type { ByteRange } from './objects/objectStore.ts'

/**
 * Parses a Range header for one range. Returns null for the whole, also for several ranges and other units, which a server may
 * ignore. Throws RANGE_NOT_SATISFIABLE.
 */
export function parseByteRange(header: string | undefined, size: number): ByteRange | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  const range =
    first === ''
      ? { start: Math.max(0, size - Number(last)), end: size - 1 }
      : { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
  if (range.start <= range.end && range.start < size) return range
  throw new ServiceError('RANGE_NOT_SATISFIABLE', `The part has ${size} bytes.`, {
    headers: { 'content-range': `bytes */${size}` },
  })
}
