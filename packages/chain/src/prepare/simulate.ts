import { depositVaultAbi, stakingVaultAbi } from '@svc/protocol/abis'
import type { Call } from '@svc/protocol/actions'
import { type ExplainedError, explainError } from '@svc/protocol/errors'
import { type Address, encodeFunctionData, erc20Abi, type Hex, hexToBigInt, isHex, numberToHex } from 'viem'
import type { MarketAddresses } from '../market.ts'
import { nextBlock } from '../nextBlock.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef } from '../reader.ts'
import { RpcRefusal } from '../rpc.ts'

/** What a wallet has in a market: TOK and credits in wei, USDC in its units. */
export interface Wealth {
  tok: bigint
  usdc: bigint
  /** In the market's deposit vault, and the part of it that no task reserves. */
  deposit: bigint
  free: bigint
  credits: bigint
}

/** What calls would do, one after the other, on top of a block. */
export type Simulation =
  | { status: 'succeeds'; before: Wealth; after: Wealth; gas: bigint }
  /** The call at this index is refused. */
  | { status: 'refused'; call: number; error: ExplainedError }
  /** This provider cannot tell. */
  | { status: 'unknown' }

/**
 * Plays calls of a wallet in the block after this one, without sending them, and looks at what the wallet has before and
 * after. Which block that is, is said: of their own accord nodes take this one's number and time, or one 12 s later.
 */
export async function simulateCalls(
  { rpc }: Provider,
  contracts: MarketAddresses,
  { from, calls, block }: { from: Address; calls: readonly Call[]; block: BlockRef },
): Promise<Simulation> {
  const looks = looksAt(contracts, from)
  const all = [...looks, ...calls.map(({ to, data }) => ({ to, data })), ...looks].map((call) => ({ from, ...call }))
  const { number, timestamp } = nextBlock(block)
  const blockOverrides = { number: numberToHex(number), time: numberToHex(timestamp) }
  const given = await rpc
    .request('eth_simulateV1', [{ blockStateCalls: [{ blockOverrides, calls: all }] }, numberToHex(block.number)])
    .catch((error: unknown) => {
      if (error instanceof RpcRefusal) return null
      throw error
    })
  const played = outcomes(given, all.length)
  if (!played) return { status: 'unknown' }
  const made = played.slice(looks.length, -looks.length)
  const refused = made.findIndex(({ ok }) => !ok)
  if (refused >= 0) return { status: 'refused', call: refused, error: explainError(made[refused]?.data ?? '0x') }
  const [before, after] = [wealthOf(played.slice(0, looks.length)), wealthOf(played.slice(-looks.length))]
  if (!before || !after) return { status: 'unknown' }
  return { status: 'succeeds', before, after, gas: made.reduce((sum, { gas }) => sum + gas, 0n) }
}

const looksAt = (contracts: MarketAddresses, wallet: Address) => [
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
  /** Returned, or why it was refused. */
  data: Hex
  gas: bigint
}

/** The answer call by call; null unless it is one. */
function outcomes(given: unknown, count: number): Outcome[] | null {
  const calls = (given as { calls?: unknown }[] | null)?.[0]?.calls
  if (!Array.isArray(calls) || calls.length !== count) return null
  return calls.map(({ status, returnData, gasUsed, error }) => {
    const data = [error?.data, returnData].find((each) => isHex(each) && each !== '0x')
    return { ok: status === '0x1', data: data ?? '0x', gas: isHex(gasUsed) ? hexToBigInt(gasUsed) : 0n }
  })
}

function wealthOf(looks: readonly Outcome[]): Wealth | null {
  if (!looks.every(({ ok, data }) => ok && data.length === 66)) return null
  const [tok = 0n, usdc = 0n, deposit = 0n, free = 0n, credits = 0n] = looks.map(({ data }) => hexToBigInt(data))
  return { tok, usdc, deposit, free, credits }
}
