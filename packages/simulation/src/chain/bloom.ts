import type { Hex } from 'viem'
import { keccakBytes } from './hash.ts'

/** The three bits of an address or a topic, from its hash; cached, since topics repeat. */
const bits = new Map<string, readonly [number, number, number]>()
const maxKept = 500_000

/** A header's filter over the addresses and topics of its logs: 2,048 bits, as every EVM chain makes it. */
export function computeBloom(logs: Iterable<{ address: Hex; topics: readonly Hex[] }>): Hex {
  const bloom = Buffer.alloc(256)
  for (const { address, topics } of logs) {
    add(bloom, address)
    for (const topic of topics) add(bloom, topic)
  }
  return `0x${bloom.toString('hex')}`
}

/** Whether a filter may hold this address or topic; false means certainly not. */
export function mayContain(bloom: Hex, item: Hex): boolean {
  const bytes = Buffer.from(bloom.slice(2), 'hex')
  return computeBloomBits(item).every((bit) => ((bytes[255 - (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0)
}

function add(bloom: Buffer, item: Hex): void {
  for (const bit of computeBloomBits(item)) {
    const index = 255 - (bit >> 3)
    bloom[index] = (bloom[index] ?? 0) | (1 << (bit & 7))
  }
}

function computeBloomBits(item: Hex): readonly [number, number, number] {
  const kept = bits.get(item)
  if (kept) return kept
  const hash = keccakBytes(Buffer.from(item.slice(2), 'hex'))
  const bit = (at: number) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047
  const found = [bit(0), bit(2), bit(4)] as const
  if (bits.size < maxKept) bits.set(item, found)
  return found
}
