import { type Address, concat, keccak256, toHex } from 'viem'

/**
 * Computes how long this keeper waits before a call that has become due, from 0 to `jitterMs`. The delay follows from the
 * keeper's address and the call, so keepers take turns: each is the first for its share of the calls, and the others find
 * them done.
 */
export function computeDelayMs(keeper: Address, call: string, jitterMs: number): number {
  const hash = keccak256(concat([keeper, toHex(call)]))
  return Number(BigInt(hash.slice(0, 14)) % BigInt(jitterMs + 1))
}
