import type { BlockRef } from './reader.ts'

/**
 * Estimates the block that includes a transaction sent now: the next number, one second later. On Base several blocks share a
 * second, but nodes reject a simulated block that is not later than its parent.
 */
export function predictNextBlock({ number, timestamp }: BlockRef): Pick<BlockRef, 'number' | 'timestamp'> {
  return { number: number + 1n, timestamp: timestamp + 1 }
}
