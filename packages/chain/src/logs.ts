import { type Address, type Hex, isHex, type Log, numberToHex } from 'viem'
import { ChainReadError } from './errors.ts'
import { type Rpc, RpcResponseError } from './rpc.ts'

/** The fields of a node's log that we use. Only the numbers are decoded. */
export interface RawLog {
  address: Address
  topics: readonly Hex[]
  data: Hex
  blockNumber: bigint
  blockHash: Hex
  /** Unix seconds; null if the node does not return it. */
  blockTimestamp: number | null
  transactionHash: Hex
  logIndex: number
}

/** Converts a log to viem's type, for `parseEventLogs` and `decodeEventLog`. Nothing here reads `transactionIndex`. */
export function toViemLog(log: RawLog): Log<bigint, number, false> {
  const { blockTimestamp: _, ...rest } = log
  const [selector, ...indexed] = log.topics
  return { ...rest, topics: selector ? [selector, ...indexed] : [], transactionIndex: 0, removed: false }
}

export interface LogFilter {
  address: Address | readonly Address[]
  topics?: readonly (Hex | readonly Hex[] | null)[]
}

/**
 * Returns the logs of a range of blocks, in order. If the node rejects a range, the range is halved and both halves are
 * requested, since nodes report "range too wide" in different ways. Makes at most `maxCalls` calls.
 */
export async function getLogs(
  rpc: Rpc,
  filter: LogFilter,
  { from, to, maxCalls = 256 }: { from: bigint; to: bigint; maxCalls?: number },
): Promise<RawLog[]> {
  const logs: RawLog[] = []
  const ranges = [{ from, to }]
  for (let calls = 0; ; calls++) {
    const range = ranges.shift()
    if (!range) return logs
    if (range.to < range.from) continue
    if (calls >= maxCalls) {
      throw new ChainReadError(`${rpc.name} needs more than ${maxCalls} calls for blocks ${from} to ${to}.`, {
        // Another provider may allow wider ranges.
        retryable: true,
      })
    }
    try {
      for (const log of await fetchRange(rpc, filter, range)) logs.push(log)
    } catch (error) {
      if (!(error instanceof RpcResponseError) || range.from === range.to) throw error
      const middle = (range.from + range.to) / 2n
      ranges.unshift({ from: range.from, to: middle }, { from: middle + 1n, to: range.to })
    }
  }
}

/** Returns the logs of the block with this hash. A node that does not have the block must return an error. */
export async function getBlockLogs(rpc: Rpc, filter: LogFilter, blockHash: Hex): Promise<RawLog[]> {
  return parseLogs(rpc, await rpc.request('eth_getLogs', [{ ...filter, blockHash }]))
}

async function fetchRange(rpc: Rpc, filter: LogFilter, { from, to }: { from: bigint; to: bigint }): Promise<RawLog[]> {
  const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to) }
  const logs = parseLogs(rpc, await rpc.request('eth_getLogs', [{ ...filter, ...range }]))
  const outside = logs.find(({ blockNumber }) => blockNumber < from || blockNumber > to)
  if (outside) throw createInvalidLogsError(rpc, `a log of block ${outside.blockNumber} for blocks ${from} to ${to}`)
  return logs
}

/** Parses a response of logs. Throws if any of them is invalid. */
export function parseLogs(rpc: Rpc, answer: unknown): RawLog[] {
  if (!Array.isArray(answer)) throw createInvalidLogsError(rpc, 'something that is not a list')
  let last: RawLog | undefined
  return answer.map((log: Record<string, unknown>) => {
    last = parseLog(log ?? {}, last)
    if (!last) throw createInvalidLogsError(rpc, 'an invalid log')
    return last
  })
}

/** Skips the validation of values equal to those of the previous log: neighbours mostly share block and transaction. */
function parseLog(log: Record<string, unknown>, last: RawLog | undefined): RawLog | undefined {
  const { address, topics, data, blockNumber, blockHash, transactionHash, logIndex, blockTimestamp, removed } = log
  const complete =
    (address === last?.address || isHex(address)) &&
    (blockHash === last?.blockHash || isHex(blockHash)) &&
    (transactionHash === last?.transactionHash || isHex(transactionHash)) &&
    isHex(data) &&
    isHex(blockNumber) &&
    isHex(logIndex)
  if (!complete || !Array.isArray(topics) || !topics.every((topic) => isHex(topic)) || removed === true)
    return undefined
  return {
    address: address as Address,
    topics,
    data,
    blockNumber: BigInt(blockNumber),
    blockHash: blockHash as Hex,
    blockTimestamp: isHex(blockTimestamp) ? Number(blockTimestamp) : null,
    transactionHash: transactionHash as Hex,
    logIndex: Number(logIndex),
  }
}

const createInvalidLogsError = (rpc: Rpc, what: string) =>
  new ChainReadError(`${rpc.name} returned ${what} instead of the requested logs.`, { retryable: true })
