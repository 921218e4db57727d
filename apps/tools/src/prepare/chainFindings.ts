import { type BlockRef, ChainReadError, type MarketAddresses, marketNames } from '@svc/chain'
import { formatDuration, type Market } from '@svc/protocol'
import type { Address } from 'viem'
import type { Markets } from '../market.ts'
import { type Finding, found } from './finding.ts'

/** A head older than this makes deadlines uncertain. */
const oldHead = 120

/** Whether every RPC answers for our chain, how old its head is, and whether the contracts are there. */
export async function chainFindings({ providers, deployments, places }: Markets, market: Market, now: number) {
  const contracts = places.markets[market]
  const each = await Promise.all(
    providers.all.map(async ({ rpc, client }): Promise<Finding[]> => {
      try {
        const [chainId, { number, hash, timestamp }] = await Promise.all([client.getChainId(), client.getBlock()])
        const block = { number, hash, timestamp: Number(timestamp) }
        const here = chainId === deployments.chainId
        return [
          found(
            rpc.name,
            here ? 'ok' : 'fail',
            `answers for chain ${chainId}`,
            `Set CHAIN_RPC_URL to an RPC of chain ${deployments.chainId}.`,
          ),
          headFinding(rpc.name, block, now),
          ...(here ? [await codeFinding(rpc.name, contracts, (address) => client.getCode({ address }))] : []),
        ]
      } catch (error) {
        return [found(rpc.name, 'fail', wordsOf(error), 'Check CHAIN_RPC_URL and the network.')]
      }
    }),
  )
  return each.flat()
}

/** Our own words for a failed read; those of others may hold a URL, and that a key. */
function wordsOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 20; at = at.cause, depth++) {
    if (at instanceof ChainReadError) return at.message
  }
  return 'answers with something that cannot be read'
}

function headFinding(name: string, { number, timestamp }: BlockRef, now: number): Finding {
  const age = Math.floor(now / 1000) - timestamp
  const words = age < 0 ? `${formatDuration(-age)} ahead of this clock` : `${formatDuration(age)} old`
  return found(
    `${name}, newest block`,
    Math.abs(age) > oldHead ? 'warn' : 'ok',
    `block ${number}, ${words}`,
    'The RPC is behind, or this clock is wrong: deadlines may look nearer or farther than they are.',
  )
}

async function codeFinding(
  name: string,
  contracts: MarketAddresses,
  codeOf: (address: Address) => Promise<string | undefined>,
): Promise<Finding> {
  const names = [...marketNames, 'tokToken', 'usdc', 'pricingPolicy'] as const
  const codes = await Promise.all(names.map((each) => codeOf(contracts[each])))
  const missing = names.filter((_, index) => (codes[index] ?? '0x') === '0x')
  return missing.length === 0
    ? found(`${name}, contracts`, 'ok', `${names.length} contracts answer at their addresses`)
    : found(
        `${name}, contracts`,
        'fail',
        `nothing is at the address of ${missing.join(', ')}`,
        'Check SVC_DEPLOYMENTS.',
      )
}
