import type { Market } from '@svc/protocol'
import { depositVaultAbi, stakingVaultAbi } from '@svc/protocol/abis'
import type { Call, Cost } from '@svc/protocol/actions'
import type { ExplainedError } from '@svc/protocol/errors'
import { type Address, encodeFunctionData, erc20Abi, type Hex, hexToBigInt, isHex, numberToHex } from 'viem'
import type { MarketAddresses } from '../market.ts'
import { predictNextBlock } from '../nextBlock.ts'
import type { Provider } from '../providers.ts'
import type { BlockRef } from '../reader.ts'
import { RpcResponseError } from '../rpc.ts'
import { explainRefusal } from './explainRefusal.ts'
import type { Holder } from './holders.ts'

/** The balances of a wallet in a market: TOK and credits in wei, USDC in its smallest unit. */
export interface MarketBalances {
  tok: bigint
  usdc: bigint
  /** The balance in the market's deposit vault; `free` is the part that no task reserves. */
  deposit: bigint
  free: bigint
  credits: bigint
}

/** An amount of somebody besides the caller, before and after. */
interface HolderChange extends Pick<Holder, 'who' | 'address' | 'what'> {
  before: bigint
  after: bigint
}

/** The result of simulating calls, one after the other, on top of a block. */
export type Simulation =
  | {
      status: 'succeeds'
      before: MarketBalances
      after: MarketBalances
      others: readonly HolderChange[]
      gas: bigint
      returned: readonly Hex[]
    }
  /** The call at this index reverts. */
  | { status: 'refused'; call: number; error: ExplainedError }
  /** This provider cannot simulate. */
  | { status: 'unknown' }

export interface SimulationQuery {
  market: Market
  from: Address
  calls: readonly Call[]
  block: BlockRef
  /** What the calls take in all, where it is known: a refusal then names the whole amount that is missing. */
  cost?: Cost
  /** Whether the calls are more than one action. */
  isBatch?: boolean
  /** Whose amounts to read too. */
  holders?: readonly Holder[]
}

/**
 * Simulates calls of a wallet in the block after this one, and reads its balances and those of others before and after. The
 * number and time of that block are given explicitly: by default nodes use those of this block, or a time 12 s later.
 */
export async function simulateCalls(
  { rpc }: Provider,
  contracts: MarketAddresses,
  { market, from, calls, block, cost, isBatch, holders = [] }: SimulationQuery,
): Promise<Simulation> {
  const own = buildBalanceCalls(contracts, from)
  const reads = [...own, ...holders.flatMap((holder) => holder.reads)]
  const all = [...reads, ...calls.map(({ to, data }) => ({ to, data })), ...reads].map((call) => ({
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
  const callOutcomes = outcomes.slice(reads.length, -reads.length)
  const [first, last] = [outcomes.slice(0, reads.length), outcomes.slice(-reads.length)]
  const before = decodeBalances(first.slice(0, own.length))
  const refused = callOutcomes.findIndex(({ ok }) => !ok)
  const [call, outcome] = [calls[refused], callOutcomes[refused]]
  if (call && outcome) {
    const error = explainRefusal({
      market,
      from,
      contracts,
      call,
      data: outcome.data,
      balances: before,
      cost,
      ...(isBatch && { isBatch }),
    })
    return { status: 'refused', call: refused, error }
  }
  const after = decodeBalances(last.slice(0, own.length))
  const others = decodeHolders(holders, first.slice(own.length), last.slice(own.length))
  if (!before || !after || !others) return { status: 'unknown' }
  return {
    status: 'succeeds',
    before,
    after,
    others,
    gas: callOutcomes.reduce((sum, { gas }) => sum + gas, 0n),
    returned: callOutcomes.map(({ data }) => data),
  }
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

const isAmount = ({ ok, data }: Outcome) => ok && data.length === 66

/** Sums the reads of each holder; null if one of them failed. */
function decodeHolders(
  holders: readonly Holder[],
  first: readonly Outcome[],
  last: readonly Outcome[],
): HolderChange[] | null {
  if (![...first, ...last].every(isAmount)) return null
  let next = 0
  return holders.map(({ who, address, what, reads, isNew }) => {
    const [start, end] = [next, next + reads.length]
    next = end
    const sum = (outcomes: readonly Outcome[]) =>
      outcomes.slice(start, end).reduce((total, { data }) => total + hexToBigInt(data), 0n)
    const [before, after] = [sum(first), sum(last)]
    return { who, address, what, ...(isNew ? { before: 0n, after: after - before } : { before, after }) }
  })
}

function decodeBalances(balanceCalls: readonly Outcome[]): MarketBalances | null {
  if (!balanceCalls.every(isAmount)) return null
  const [tok = 0n, usdc = 0n, deposit = 0n, free = 0n, credits = 0n] = balanceCalls.map(({ data }) => hexToBigInt(data))
  return { tok, usdc, deposit, free, credits }
}
