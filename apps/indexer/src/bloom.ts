import { type Hex, hexToBytes, keccak256 } from 'viem'

/** Returns the three bits of a value in the 2,048-bit bloom filter of a block. */
export function bloomBits(value: Hex): readonly number[] {
  const hash = hexToBytes(keccak256(value))
  return [0, 2, 4].map((index) => (((hash[index] ?? 0) << 8) | (hash[index + 1] ?? 0)) & 2047)
}

/** Returns whether a block may contain a log with one of these bit triples. False is certain. */
export function mayContainLogs(logsBloom: Hex, triples: readonly (readonly number[])[]): boolean {
  return triples.some((bits) => bits.every((bit) => isSet(logsBloom, bit)))
}

/**
 * Returns how likely a block without such a log matches all the same. On a busy chain most bits are set, and nearly every block
 * matches.
 */
export function estimateFalseMatch(logsBloom: Hex, addresses: number): number {
  let set = 0
  for (let bit = 0; bit < 2_048; bit++) if (isSet(logsBloom, bit)) set++
  return 1 - (1 - (set / 2_048) ** 3) ** addresses
}

/** Bit 0 is the lowest bit of the last byte. */
function isSet(logsBloom: Hex, bit: number): boolean {
  const digit = logsBloom.length - 1 - (bit >> 2)
  return ((Number.parseInt(logsBloom[digit] ?? '0', 16) >> (bit & 3)) & 1) === 1
}
