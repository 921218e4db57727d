import { type Address, type Hex, isHex, type Log, numberToHex } from 'viem'
import { ChainReadError } from './errors.ts'
import { createLearnedLimit } from './learnedLimit.ts'
import { ResponseTooLargeError, type Rpc, RpcResponseError, RpcTimeoutError } from './rpc.ts'

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

/** The most `eth_getLogs` calls of one read of a range, whatever its length. */
const maxLogCalls = 256

/** The most ranges that are requested at the same time. */
const parallelRanges = 4

/** Returns the most blocks whose logs one read can get from this provider, as far as is known. */
export function countReadableBlocks({ logRange }: Pick<Rpc, 'logRange'>, most: bigint): bigint {
  const readable = (logRange?.size() ?? Number.POSITIVE_INFINITY) * maxLogCalls
  return readable < most ? BigInt(readable) : most
}

export interface LogRange {
  from: bigint
  to: bigint
  maxCalls?: number
}

/**
 * Returns the logs of a range of blocks, in order, with at most `maxCalls` calls. Throws `LogRangeError` as soon as it is clear
 * that the provider's ranges are too narrow for that: before the first call, if an earlier read has learned it.
 */
export async function getLogs(rpc: Rpc, filter: LogFilter, range: LogRange): Promise<RawLog[]> {
  const { maxCalls = maxLogCalls } = range
  const { logs } = await scanLogs(rpc, filter, range, (blocks, { limit, width, calls }) => {
    if (calls === 0 || blocks > limit * calls) throw new LogRangeError(rpc, range, width, maxCalls)
  })
  return logs
}

/**
 * Reads the logs of a range of blocks in order, until its end or until `maxCalls` calls are made. Returns the last block that
 * was covered; before the first, if none was. A range that the node rejects is halved, since nodes report "range too wide" in
 * different words, and the width that it accepts is remembered for the next reads. So is a range whose answer is too large, and
 * one whose answer takes too long, which is cut to an eighth, because every attempt takes as long again.
 */
export async function scanLogs(
  rpc: Rpc,
  filter: LogFilter,
  { from, to, maxCalls = maxLogCalls }: LogRange,
  assertReadable: (blocks: number, left: { limit: number; width: number; calls: number }) => void = () => {},
): Promise<{ logs: RawLog[]; covered: bigint }> {
  const limit = rpc.logRange ?? createLearnedLimit()
  const logs: RawLog[] = []
  // The blocks that were rejected may be dense: the next ones are halved here, whatever the limit is.
  let [next, calls, narrow, proven] = [from, maxCalls, Number.POSITIVE_INFINITY, 0]
  while (next <= to) {
    const width = Math.min(limit.size(), narrow)
    assertReadable(Number(to - next) + 1, { limit: limit.size(), width, calls })
    if (calls === 0) break
    // A width is tried with one call before several use it.
    const ranges = splitRange(next, to, width, Math.min(width <= proven ? parallelRanges : 1, calls))
    calls -= ranges.length
    const answers = await Promise.allSettled(ranges.map((range) => fetchRange(rpc, filter, range)))
    if (ranges.length === parallelRanges) narrow *= 2
    for (const [index, answer] of answers.entries()) {
      const range = ranges[index] ?? { from: next, to: next }
      const size = Number(range.to - range.from) + 1
      if (answer.status === 'rejected') {
        if (!isTooWide(answer.reason) || size === 1 || rpc.health?.rank() === 2) throw answer.reason
        const isLate = answer.reason instanceof RpcTimeoutError
        narrow = Math.max(1, Math.floor(size / (isLate ? 8 : 2)))
        limit.reject(size, isLate ? narrow : undefined)
        break
      }
      limit.accept(size)
      proven = size
      next = range.to + 1n
      for (const log of answer.value) logs.push(log)
    }
  }
  return { logs, covered: next - 1n }
}

/** Whether a narrower range may be answered. */
const isTooWide = (error: unknown): boolean =>
  error instanceof RpcResponseError || error instanceof ResponseTooLargeError || error instanceof RpcTimeoutError

function splitRange(from: bigint, to: bigint, width: number, most: number): { from: bigint; to: bigint }[] {
  const ranges: { from: bigint; to: bigint }[] = []
  for (let start = from; start <= to && ranges.length < most; ) {
    const end = width === Number.POSITIVE_INFINITY ? to : start + BigInt(width) - 1n
    ranges.push({ from: start, to: end < to ? end : to })
    start = end + 1n
  }
  return ranges
}

/** A range of blocks cannot be read within the bound on calls, because the provider returns few blocks per call. */
export class LogRangeError extends ChainReadError {
  override name = 'LogRangeError'

  constructor({ name }: Rpc, { from, to }: LogRange, width: number, maxCalls: number) {
    const blocks = (count: bigint | number) => count.toLocaleString('en')
    super(
      `${name} returns logs of at most ${blocks(width)} blocks per call, too few to read ${blocks(to - from + 1n)} blocks in ` +
        `${maxCalls} calls. Use the index, or a provider that allows wider ranges.`,
      // Another provider may allow wider ranges.
      { retryable: true },
    )
  }
}

/** For `catch`: returns null where the provider's ranges are too narrow, so that something else can be read instead. */
export function ignoreLogRange(error: unknown): null {
  if (error instanceof LogRangeError) return null
  throw error
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
