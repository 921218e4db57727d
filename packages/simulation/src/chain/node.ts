import type { Hex } from 'viem'
import { type Chain, formatHeader, formatReceipts, type SimBlock, type SimLog } from './chain.ts'
import type { Oracle } from './oracle.ts'
import { buildDeployments, deriveCode, type SimPlaces } from './places.ts'
import { type CallAnswer, type CallRequest, createViews } from './views.ts'

/** What a node sends back, independent of the transport. */
export type Answer =
  | CallAnswer
  /** An HTTP status instead of an answer; with 429, after how many seconds to try again. */
  | { status: number; retryAfter?: number }
  /** A body that is not a JSON-RPC answer. */
  | { text: string }
  /** No answer at all. */
  | { silence: true }

/** A node of a simulated chain. */
export interface SimNode {
  answer: (method: string, params: readonly unknown[]) => Answer
}

/** Any node: a simulated one, or one behind a URL. */
export interface RpcNode {
  answer: (method: string, params: readonly unknown[]) => Answer | Promise<Answer>
}

export interface NodeOptions {
  /** Logs carry `blockTimestamp`. Some providers leave it out. */
  blockTimestamps?: boolean
  /** Blocks that are no longer canonical are still found by their hash, as some clients do. */
  keepsOrphans?: boolean
  /** Off for a frozen chain, whose state the oracle may have forgotten. */
  answersCalls?: boolean
  /** Its newest block; by default the chain's. */
  head?: () => number
}

/** What a node reads. */
export interface NodeSource {
  chain: Chain
  oracle: Oracle
  places: SimPlaces
}

const hex = (value: number | bigint): Hex => `0x${value.toString(16)}`
const failed = (code: number, message: string): Answer => ({ error: { code, message } })

/** Creates a node without faults. */
export function createNode({ chain, oracle, places }: NodeSource, options: NodeOptions = {}): SimNode {
  const { blockTimestamps = true, keepsOrphans = false, answersCalls = true } = options
  const call = createViews(oracle, places)
  const contracts = new Set(Object.keys(buildDeployments(places, 0).codeHashes).map((each) => each.toLowerCase()))
  const headNumber = () => Math.min(options.head?.() ?? Number.POSITIVE_INFINITY, chain.head().number)

  const byTag = (tag: unknown): SimBlock | undefined => {
    const head = headNumber()
    if (tag === 'latest' || tag === 'pending' || tag === undefined) return chain.blockAt(head)
    if (tag === 'safe') return chain.blockAt(Math.min(head, chain.safe().number))
    if (tag === 'finalized') return chain.blockAt(Math.min(head, chain.finalized().number))
    if (tag === 'earliest') return chain.blockAt(0)
    const number = Number(tag)
    return number <= head ? chain.blockAt(number) : undefined
  }
  const byHash = (hash: Hex): SimBlock | undefined => {
    const block = chain.byHash(hash) ?? (keepsOrphans ? chain.orphan(hash) : undefined)
    return block && block.number <= headNumber() ? block : undefined
  }

  const getLogs = (filter: LogsFilter): Answer => {
    const wanted = matcher(filter)
    const logs: unknown[] = []
    const collect = (block: SimBlock) => {
      for (const log of block.logs) if (wanted(log)) logs.push(logJson(log, block, blockTimestamps))
    }
    if (filter.blockHash) {
      const block = byHash(filter.blockHash)
      if (!block) return failed(-32000, 'unknown block')
      collect(block)
    } else {
      const from = byTag(filter.fromBlock)?.number ?? Number(filter.fromBlock)
      // Real clients cut a range at their head without an error.
      const to = byTag(filter.toBlock)?.number ?? headNumber()
      if (Number(filter.toBlock) < from) return failed(-32602, 'invalid block range params')
      for (let number = from; number <= to; number++) {
        const block = chain.blockAt(number)
        if (block && block.logs.length > 0) collect(block)
      }
    }
    return { result: logs }
  }

  return {
    answer(method, params) {
      switch (method) {
        case 'eth_chainId':
          return { result: hex(places.chainId) }
        case 'net_version':
          return { result: String(places.chainId) }
        case 'eth_blockNumber':
          return { result: hex(headNumber()) }
        case 'eth_getBlockByNumber': {
          const block = byTag(params[0])
          return { result: block ? blockJson(block) : null }
        }
        case 'eth_getBlockByHash': {
          const block = byHash(params[0] as Hex)
          return { result: block ? blockJson(block) : null }
        }
        case 'eth_getCode':
          return { result: contracts.has(String(params[0]).toLowerCase()) ? deriveCode(String(params[0])) : '0x' }
        case 'eth_getLogs':
          return getLogs((params[0] ?? {}) as LogsFilter)
        case 'eth_getBlockReceipts': {
          const block = byHash(params[0] as Hex)
          if (!block) return { result: null }
          const position = { blockNumber: hex(block.number), blockHash: block.hash }
          return {
            result: formatReceipts(block.logs).map((receipt) => ({
              ...receipt,
              logs: receipt.logs.map((log) => ({ ...log, ...position })),
            })),
          }
        }
        case 'eth_call': {
          const at = params[1]
          const named = typeof at === 'object' && at !== null && 'blockHash' in at
          const block = named ? byHash(at.blockHash as Hex) : byTag(at)
          if (!block || !answersCalls || !chain.byHash(block.hash)) return failed(-32000, 'header not found')
          return call(params[0] as CallRequest, block)
        }
        default:
          return failed(-32601, `the method ${method} does not exist/is not available`)
      }
    },
  }
}

interface LogsFilter {
  address?: Hex | readonly Hex[]
  topics?: readonly (Hex | readonly Hex[] | null)[]
  fromBlock?: unknown
  toBlock?: unknown
  blockHash?: Hex
}

function matcher({ address, topics = [] }: LogsFilter): (log: SimLog) => boolean {
  const toLowerCaseSet = (value: Hex | readonly Hex[] | null | undefined) =>
    value === null || value === undefined
      ? null
      : new Set((typeof value === 'string' ? [value] : value).map((each) => each.toLowerCase()))
  const addresses = toLowerCaseSet(address)
  const wanted = topics.map(toLowerCaseSet)
  return (log) => {
    if (addresses && !addresses.has(log.address)) return false
    for (let index = 0; index < wanted.length; index++) {
      const set = wanted[index]
      if (set && set.size > 0 && !set.has(log.topics[index] ?? '')) return false
      // A wildcard still requires that the topic exists.
      if (log.topics.length < wanted.length) return false
    }
    return true
  }
}

/** Formats a log as nodes do. */
function logJson(log: SimLog, block: SimBlock, timestamps: boolean) {
  return {
    address: log.address,
    topics: log.topics,
    data: log.data,
    blockHash: block.hash,
    blockNumber: hex(block.number),
    ...(timestamps && { blockTimestamp: hex(block.timestamp) }),
    transactionHash: log.transactionHash,
    transactionIndex: hex(log.transactionIndex),
    logIndex: hex(log.logIndex),
    removed: false,
  }
}

function blockJson(block: SimBlock) {
  return {
    ...formatHeader(block),
    hash: block.hash,
    size: '0x400',
    uncles: [],
    transactions: [...new Set(block.transactions.map(({ hash }) => hash))],
  }
}
