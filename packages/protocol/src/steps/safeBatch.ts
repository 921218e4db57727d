import type { Address, Hex } from 'viem'

/** A call that a Safe makes. */
export interface SafeCall {
  to: Address
  data: Hex
}

/** A file of the Safe's transaction builder. */
export interface SafeBatch {
  version: '1.0'
  chainId: string
  createdAt: number
  meta: { name: string; description: string; createdFromSafeAddress: Address }
  transactions: { to: Address; value: '0'; data: Hex }[]
}

/** Creates a file for the Safe's transaction builder: its owners review and sign it there. */
export function createSafeBatch(
  { chainId, safe, name, description }: { chainId: number; safe: Address; name: string; description: string },
  calls: readonly SafeCall[],
): SafeBatch {
  return {
    version: '1.0',
    chainId: String(chainId),
    // Not the clock: the same calls give the same file, so that two people can compare theirs.
    createdAt: 0,
    meta: { name, description, createdFromSafeAddress: safe },
    transactions: calls.map(({ to, data }) => ({ to, value: '0', data })),
  }
}

/** Splits calls into batches that stay below an amount of gas each. */
export function splitByGas<T extends { gas: bigint }>(calls: readonly T[], maxGas: bigint): T[][] {
  const batches: T[][] = []
  let gas = 0n
  for (const call of calls) {
    const last = batches.at(-1)
    if (last && gas + call.gas <= maxGas) {
      last.push(call)
      gas += call.gas
    } else {
      batches.push([call])
      gas = call.gas
    }
  }
  return batches
}
