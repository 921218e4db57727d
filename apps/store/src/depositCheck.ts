import { ChainReadError, type MarketDeployment, type Provider, type Providers, readAtHead } from '@svc/chain'
import { unavailable } from '@svc/operations'
import { markets, pauseThreshold } from '@svc/protocol'
import { depositVaultAbi } from '@svc/protocol/abis'
import type { Address } from 'viem'

const maxAgeMs = 30_000
const maxCached = 10_000

/**
 * Creates a check whether a wallet has a deposit above the pause threshold in a market. It costs money to have one, so a sender
 * of spam needs money for each wallet. Throws CHAIN_UNREACHABLE.
 */
export function createDepositCheck(
  providers: Providers,
  { markets: contracts }: MarketDeployment,
  now: () => number = Date.now,
): (wallet: Address) => Promise<boolean> {
  const cache = new Map<Address, { at: number; has: Promise<boolean> }>()

  const read = async (wallet: Address): Promise<boolean> => {
    const readDeposits = async ({ client }: Provider, { number }: { number: bigint }) => ({
      deposits: await client.multicall({
        allowFailure: false,
        blockNumber: number,
        contracts: markets.map((market) => ({
          address: contracts[market].depositVault,
          abi: depositVaultAbi,
          functionName: 'balanceOf' as const,
          args: [wallet] as const,
        })),
      }),
    })
    const { deposits } = await readAtHead(providers, readDeposits).catch((error: unknown) => {
      if (error instanceof ChainReadError) throw unavailable('CHAIN_UNREACHABLE', 'The chain cannot be read now.')
      throw error
    })
    return deposits.some((deposit) => deposit >= pauseThreshold)
  }

  return (wallet) => {
    const known = cache.get(wallet)
    if (known && now() - known.at < maxAgeMs) return known.has
    const has = read(wallet)
    if (cache.size >= maxCached) cache.clear()
    cache.set(wallet, { at: now(), has })
    has.catch(() => cache.delete(wallet))
    return has
  }
}
