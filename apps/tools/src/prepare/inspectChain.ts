import { type BlockRef, ChainReadError, type MarketAddresses, marketNames, WrongChainError } from '@svc/chain'
import { formatDuration, type Market } from '@svc/protocol'
import type { Address } from 'viem'
import type { Markets } from '../market.ts'
import { createFinding, type Finding } from './finding.ts'

/** Above this age of the latest block, in seconds, deadlines are uncertain. */
const maxHeadAge = 120

/** Checks for every RPC provider: the chain, the age of its latest block, and the contracts. */
export async function inspectChain({ providers, deployments, places }: Markets, market: Market, now: number) {
  const contracts = places.markets[market]
  const each = await Promise.all(
    providers.all.map(async ({ rpc, client }): Promise<Finding[]> => {
      try {
        const { number, hash, timestamp } = await client.getBlock()
        const block = { number, hash, timestamp: Number(timestamp) }
        return [
          createFinding(rpc.name, 'ok', `is on chain ${deployments.chainId}`),
          headFinding(rpc.name, block, now),
          await codeFinding(rpc.name, contracts, (address) => client.getCode({ address })),
        ]
      } catch (error) {
        return [createFinding(rpc.name, 'fail', describeReadError(error), 'Check CHAIN_RPC_URL and the network.')]
      }
    }),
  )
  return each.flat()
}

/** Describes a failed read in our own words, because messages of others can contain a URL with a key. */
function describeReadError(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 20; at = at.cause, depth++) {
    if (at instanceof WrongChainError) return `is refused: ${at.reason}`
    if (at instanceof ChainReadError) return at.message
  }
  return 'returns an invalid response'
}

function headFinding(name: string, { number, timestamp }: BlockRef, now: number): Finding {
  const age = Math.floor(now / 1000) - timestamp
  const offset = age < 0 ? `${formatDuration(-age)} ahead of the local clock` : `${formatDuration(age)} old`
  return createFinding(
    `${name}, latest block`,
    Math.abs(age) > maxHeadAge ? 'warn' : 'ok',
    `block ${number}, ${offset}`,
    'The provider is behind, or the clock of this machine is wrong. Deadlines may be off by this much.',
  )
}

async function codeFinding(
  name: string,
  contracts: MarketAddresses,
  getCode: (address: Address) => Promise<string | undefined>,
): Promise<Finding> {
  const names = [...marketNames, 'tokToken', 'usdc', 'pricingPolicy'] as const
  const codes = await Promise.all(names.map((each) => getCode(contracts[each])))
  const missing = names.filter((_, index) => (codes[index] ?? '0x') === '0x')
  return missing.length === 0
    ? createFinding(`${name}, contracts`, 'ok', `${names.length} contracts found`)
    : createFinding(
        `${name}, contracts`,
        'fail',
        `no contract at the address of ${missing.join(', ')}`,
        'Check SVC_DEPLOYMENTS.',
      )
}
