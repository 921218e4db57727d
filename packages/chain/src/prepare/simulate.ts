import type { Market } from '@svc/protocol'
import { depositVaultAbi, stakingVaultAbi } from '@svc/protocol/abis'
import type { Call } from '@svc/protocol/actions'
import { type ExplainedError, explainError } from '@svc/protocol/errors'
import { type Address, encodeFunctionData, erc20Abi, type Hex, hexToBigInt, isHex, numberToHex } from 'viem'
import type { MarketAddresses } from '../market.ts'
import { predictNextBlock } from '../nextBlock.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef } from '../reader.ts'
import { RpcResponseError } from '../rpc.ts'

/** The balances of a wallet in a market: TOK and credits in wei, USDC in its smallest unit. */
export interface MarketBalances {
  tok: bigint
  usdc: bigint
  /** The balance in the market's deposit vault; `free` is the part that no task reserves. */
  deposit: bigint
  free: bigint
  credits: bigint
}

/** The result of simulating calls, one after the other, on top of a block. */
export type Simulation =
  | { status: 'succeeds'; before: MarketBalances; after: MarketBalances; gas: bigint }
  /** The call at this index reverts. */
  | { status: 'refused'; call: number; error: ExplainedError }
  /** This provider cannot simulate. */
  | { status: 'unknown' }

/**
 * Simulates calls of a wallet in the block after this one, and reads the wallet's balances before and after. The number and
 * time of that block are given explicitly: by default nodes use those of this block, or a time 12 s later.
 */
export async function simulateCalls(
  { rpc }: Provider,
  contracts: MarketAddresses,
  { market, from, calls, block }: { market: Market; from: Address; calls: readonly Call[]; block: BlockRef },
): Promise<Simulation> {
  const balanceCalls = buildBalanceCalls(contracts, from)
  const all = [...balanceCalls, ...calls.map(({ to, data }) => ({ to, data })), ...balanceCalls].map((call) => ({
    from,
    ...call,
  }))
  const { number, timestamp } = predictNextBlock(block)
  const blockOverrides = { number: numberToHex(number), time: numberToHex(timestamp) }
  const given = await rpc
    .request('eth_simulateV1', [{ blockStateCalls: [{ blockOverrides, calls: all }] }, numberToHex(block.number)])
    .catch((error: unknown) => {
      if (error instanceof RpcResponseError) return null
      throw error
    })
  const outcomes = parseOutcomes(given, all.length)
  if (!outcomes) return { status: 'unknown' }
  const callOutcomes = outcomes.slice(balanceCalls.length, -balanceCalls.length)
  const refused = callOutcomes.findIndex(({ ok }) => !ok)
  if (refused >= 0) {
    return { status: 'refused', call: refused, error: explainError(callOutcomes[refused]?.data ?? '0x', { market }) }
  }
  const [before, after] = [
    decodeBalances(outcomes.slice(0, balanceCalls.length)),
    decodeBalances(outcomes.slice(-balanceCalls.length)),
  ]
  if (!before || !after) return { status: 'unknown' }
  return { status: 'succeeds', before, after, gas: callOutcomes.reduce((sum, { gas }) => sum + gas, 0n) }
}

const buildBalanceCalls = (contracts: MarketAddresses, wallet: Address) => [
  { to: contracts.tokToken, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet] }) },
  { to: contracts.usdc, data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet] }) },
  {
    to: contracts.depositVault,
    data: encodeFunctionData({ abi: depositVaultAbi, functionName: 'balanceOf', args: [wallet] }),
  },
  {
    to: contracts.depositVault,
    data: encodeFunctionData({ abi: depositVaultAbi, functionName: 'freeOf', args: [wallet] }),
  },
  {
    to: contracts.stakingVault,
    data: encodeFunctionData({ abi: stakingVaultAbi, functionName: 'creditsOf', args: [wallet] }),
  },
]

interface Outcome {
  ok: boolean
  /** The returned data, or the revert data. */
  data: Hex
  gas: bigint
}

/** Parses the response call by call; null if it is invalid. */
function parseOutcomes(given: unknown, count: number): Outcome[] | null {
  const calls = (given as { calls?: unknown }[] | null)?.[0]?.calls
  if (!Array.isArray(calls) || calls.length !== count) return null
  return calls.map(({ status, returnData, gasUsed, error }) => {
    const data = [error?.data, returnData].find((each) => isHex(each) && each !== '0x')
    return { ok: status === '0x1', data: data ?? '0x', gas: isHex(gasUsed) ? hexToBigInt(gasUsed) : 0n }
  })
}

function decodeBalances(balanceCalls: readonly Outcome[]): MarketBalances | null {
  if (!balanceCalls.every(({ ok, data }) => ok && data.length === 66)) return null
  const [tok = 0n, usdc = 0n, deposit = 0n, free = 0n, credits = 0n] = balanceCalls.map(({ data }) => hexToBigInt(data))
  return { tok, usdc, deposit, free, credits }
}
