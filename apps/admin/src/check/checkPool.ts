import type { Deployments, Provider } from '@svc/chain'
import { findSwapPlace } from '@svc/protocol/internal/base'
import { type Address, parseAbi, zeroAddress } from 'viem'
import { compareFacts, type Difference } from './facts.ts'

const abi = parseAbi([
  'function factory() view returns (address)',
  'function WETH9() view returns (address)',
  'function getPool(address a, address b, uint24 fee) view returns (address)',
  'function fee() view returns (uint24)',
  'function token0() view returns (address)',
  'function token1() view returns (address)',
  'function liquidity() view returns (uint128)',
])

/**
 * Compares the pool of a deployments file with the chain: router and quoter belong to the factory of the chain's profile, and the
 * pool is the one that the factory has for TOK, USDC and this fee. Nothing to compare without a pool.
 */
export async function checkPool({ client, rpc }: Provider, deployments: Deployments): Promise<Difference[]> {
  const { chainId, shared, swapPool } = deployments
  if (!swapPool) return []
  const place = findSwapPlace(deployments)
  if (!place)
    return [
      {
        path: 'swapPool',
        expected: `no pool on chain ${chainId}`,
        found: swapPool.pool,
        provider: 'the deployments file',
      },
    ]
  const { tokToken, usdc } = shared
  const [token0, token1] = BigInt(tokToken) < BigInt(usdc) ? [tokToken, usdc] : [usdc, tokToken]
  const expected = new Map<string, string>([
    ['swap.router.factory', place.factory],
    ['swap.router.weth', place.weth],
    ['swap.quoter.factory', place.factory],
    ['swapPool.pool', place.pool],
    ['swapPool.fee', String(place.fee)],
    ['swapPool.token0', token0],
    ['swapPool.token1', token1],
    ['swapPool.liquidity', 'some'],
  ])
  const read = async (
    address: Address,
    functionName: 'factory' | 'WETH9' | 'fee' | 'token0' | 'token1' | 'liquidity',
  ): Promise<string> => client.readContract({ address, abi, functionName }).then(String, () => 'no answer')
  const args = [tokToken, usdc, place.fee] as const
  const known = await client
    .readContract({ address: place.factory, abi, functionName: 'getPool', args })
    .catch(() => zeroAddress)
  const liquidity = await read(place.pool, 'liquidity')
  const found = new Map<string, string>([
    ['swap.router.factory', await read(place.router, 'factory')],
    ['swap.router.weth', await read(place.router, 'WETH9')],
    ['swap.quoter.factory', await read(place.quoter, 'factory')],
    ['swapPool.pool', known],
    ['swapPool.fee', await read(place.pool, 'fee')],
    ['swapPool.token0', await read(place.pool, 'token0')],
    ['swapPool.token1', await read(place.pool, 'token1')],
    ['swapPool.liquidity', /^[1-9]/.test(liquidity) ? 'some' : liquidity === '0' ? 'none' : liquidity],
  ])
  return compareFacts(lower(expected), lower(found), rpc.name)
}

/** Files may write addresses in any case. */
const lower = (facts: ReadonlyMap<string, string>) =>
  new Map([...facts].map(([path, value]) => [path, value.toLowerCase()]))
