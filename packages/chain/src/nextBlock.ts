import type { BlockRef } from './reader.ts'

/**
 * The block that a call sent now is carried out in, as far as the newest one tells: its number, and the next second. On Base
 * several blocks share a second, but nodes take no simulated block that is not later than its parent.
 */
export function nextBlock({ number, timestamp }: BlockRef): Pick<BlockRef, 'number' | 'timestamp'> {
  return { number: number + 1n, timestamp: timestamp + 1 }
}
