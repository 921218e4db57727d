import type { TaskJson } from '@svc/client'

/** What the newest tasks of a market add up to. */
export interface MarketNumbers {
  paidTokWei: bigint
  heldTokWei: bigint
  /** Tasks that paid their worker anything. */
  paidTasks: number
}

/** Adds up what tasks paid, and what they hold now. */
export function addUpTasks(tasks: readonly TaskJson[]): MarketNumbers {
  const numbers: MarketNumbers = { paidTokWei: 0n, heldTokWei: 0n, paidTasks: 0 }
  for (const { fundedTokWei, releasedTokWei, refundedTokWei } of tasks) {
    const released = BigInt(releasedTokWei)
    numbers.paidTokWei += released
    numbers.heldTokWei += BigInt(fundedTokWei) - released - BigInt(refundedTokWei)
    if (released > 0n) numbers.paidTasks++
  }
  return numbers
}
