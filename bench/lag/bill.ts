import type { CallCounts } from '../index/simulated.ts'

/**
 * What a call costs. These are assumptions, in the manner of public price lists: compute units per method, and one price per
 * million units. Put in the figures of your own contract.
 */
const prices = {
  dollarsPerMillionUnits: 0.45,
  /** Compute units per call. */
  units: {
    eth_chainId: 0,
    eth_getBlockByNumber: 20,
    eth_getLogs: 60,
    eth_call: 26,
    eth_subscribe: 10,
    /** Billed by size in most plans: about 1 kB at 0.04 units per byte. */
    newHeads: 40,
  } satisfies Record<string, number>,
  /** For a method that is not listed. */
  otherUnits: 26,
} as const

const secondsPerMonth = 30 * 24 * 3600

/** What was measured, extrapolated to a month. */
export interface Bill {
  method: string
  callsPerBlock: number
  callsPerMonth: number
  dollars: number
}

/** Returns the monthly bill, one row per method, the most expensive first. */
export function estimateBill(counts: readonly CallCounts[], blocks: number, blockMs: number): Bill[] {
  const totals = new Map<string, number>()
  for (const count of counts)
    for (const [method, calls] of Object.entries(count)) totals.set(method, (totals.get(method) ?? 0) + calls)
  const blocksPerMonth = (secondsPerMonth * 1000) / blockMs
  const units: Readonly<Record<string, number>> = prices.units
  return [...totals]
    .map(([method, calls]) => {
      const callsPerBlock = calls / blocks
      const callsPerMonth = callsPerBlock * blocksPerMonth
      const unitsPerCall = units[method] ?? prices.otherUnits
      const dollars = ((callsPerMonth * unitsPerCall) / 1e6) * prices.dollarsPerMillionUnits
      return { method, callsPerBlock, callsPerMonth, dollars }
    })
    .toSorted((a, b) => b.dollars - a.dollars)
}
