import { formatEther } from 'viem'

/** Formats an amount of ETH with at most four significant decimals. */
export function formatEth(wei: bigint): string {
  const number = Number(formatEther(wei))
  return `${new Intl.NumberFormat('en', { maximumSignificantDigits: number >= 1 ? 6 : 3 }).format(number)} ETH`
}
