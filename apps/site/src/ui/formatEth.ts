import { shortenAmount } from '@svc/protocol/internal/money'
import { formatEther } from 'viem'

/** Formats an amount of ETH with the decimals that matter. */
export const formatEth = (wei: bigint): string => `${formatEther(shortenAmount(wei, 18))} ETH`
