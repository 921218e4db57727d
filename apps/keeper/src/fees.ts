/** The fees of a transaction, per gas. */
export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

export interface FeeLimits {
  /** The highest fee per gas. */
  maxFeeWei: bigint
  /** The tip of a first attempt. */
  tipWei: bigint
}

/** Nodes accept a replacement from 10 % more on. */
const bump = (wei: bigint, times = 1): bigint => (times === 0 ? wei : bump((wei * 5n) / 4n + 1n, times - 1))

/**
 * Computes the fees of a new transaction: room for the base fee to double, below the limit. `raises` is how often a node has
 * called it underpriced. Returns null while the base fee and the tip exceed the limit.
 */
export function computeFees(baseFee: bigint, { maxFeeWei, tipWei }: FeeLimits, raises = 0): Fees | null {
  const tip = bump(tipWei, raises)
  if (baseFee + tip > maxFeeWei) return null
  const wanted = bump(2n * baseFee + tipWei, raises)
  return { maxFeePerGas: wanted < maxFeeWei ? wanted : maxFeeWei, maxPriorityFeePerGas: tip }
}

/** Computes the fees that replace a transaction; null if the limit leaves no room for a fee that nodes accept. */
export function computeReplacementFees(
  { maxFeePerGas, maxPriorityFeePerGas }: Fees,
  { maxFeeWei }: FeeLimits,
): Fees | null {
  const next = { maxFeePerGas: bump(maxFeePerGas), maxPriorityFeePerGas: bump(maxPriorityFeePerGas) }
  return next.maxFeePerGas > maxFeeWei ? null : next
}
