import { type Address, type Hex, isHex, numberToHex } from 'viem'
import { ChainReadError } from './errors.ts'
import { type Rpc, RpcRefusal } from './rpc.ts'

/** A log as the node gives it, as far as we use it; numbers decoded, nothing else. */
export interface RawLog {
  address: Address
  topics: readonly Hex[]
  data: Hex
  blockNumber: bigint
  blockHash: Hex
  /** Unix seconds; null where the node does not say. */
  blockTimestamp: number | null
  transactionHash: Hex
  logIndex: number
}

export interface LogFilter {
  address: Address | readonly Address[]
  topics?: readonly (Hex | readonly Hex[] | null)[]
}

/**
 * The logs of a range of blocks, in order. A range that the node refuses is halved until it answers, whatever its words for
 * it; at most `maxCalls` calls in all.
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
      for (const log of await ask(rpc, filter, range)) logs.push(log)
    } catch (error) {
      if (!(error instanceof RpcRefusal) || range.from === range.to) throw error
      const middle = (range.from + range.to) / 2n
      ranges.unshift({ from: range.from, to: middle }, { from: middle + 1n, to: range.to })
    }
  }
}

/** The logs of the one block with this hash: a node that does not have it must refuse. */
export async function getLogsOf(rpc: Rpc, filter: LogFilter, blockHash: Hex): Promise<RawLog[]> {
  return readLogs(rpc, await rpc.request('eth_getLogs', [{ ...filter, blockHash }]))
}

async function ask(rpc: Rpc, filter: LogFilter, { from, to }: { from: bigint; to: bigint }): Promise<RawLog[]> {
  const range = { fromBlock: numberToHex(from), toBlock: numberToHex(to) }
  const logs = readLogs(rpc, await rpc.request('eth_getLogs', [{ ...filter, ...range }]))
  const strange = logs.find(({ blockNumber }) => blockNumber < from || blockNumber > to)
  if (strange) throw wrong(rpc, `a log of block ${strange.blockNumber} for blocks ${from} to ${to}`)
  return logs
}

/** Reads logs out of an answer; one that is none fails the whole. */
export function readLogs(rpc: Rpc, answer: unknown): RawLog[] {
  if (!Array.isArray(answer)) throw wrong(rpc, 'no list of logs')
  let last: RawLog | undefined
  return answer.map((log: Record<string, unknown>) => {
    last = readLog(log ?? {}, last)
    if (!last) throw wrong(rpc, 'a log that is none')
    return last
  })
}

/** Neighbours are mostly of one block and one transaction: what is the same as before needs no second look. */
function readLog(log: Record<string, unknown>, last: RawLog | undefined): RawLog | undefined {
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

const wrong = (rpc: Rpc, what: string) =>
  new ChainReadError(`${rpc.name} answered with ${what} where logs belong.`, { retryable: true })
