import { computeReceiptsRoot, hashHeader } from '@svc/chain'
import type { Market } from '@svc/protocol'
import type { Hex } from 'viem'
import { computeBloom } from './bloom.ts'
import { quickHash } from './hash.ts'
import type { SimCall } from './suite/calls.ts'
import type { CallLog } from './suite/suite.ts'

/**
 * One call that went through. Neighbours with the same hash are one transaction, as smart wallets and bundlers make them.
 * A reorg may include it again in another block.
 */
export interface SimTransaction {
  hash: Hex
  market: Market
  /** Null: the deployment of the market. */
  call: SimCall | null
}

/** A log with its position in the block. */
export interface SimLog {
  address: Hex
  topics: readonly Hex[]
  data: Hex
  transactionHash: Hex
  transactionIndex: number
  /** Within the block; tokens' logs leave gaps. */
  logIndex: number
}

export interface SimBlock {
  number: number
  hash: Hex
  parentHash: Hex
  /** Unix seconds. */
  timestamp: number
  logsBloom: Hex
  /** The root of `formatReceipts`, or else the hash of all logs, which is faster. */
  receiptsRoot: Hex
  /** Differs between branches. */
  extraData: Hex
  transactions: readonly SimTransaction[]
  logs: readonly SimLog[]
  /** Seconds by which the chain's clock is ahead of its regular block times. */
  shift: number
  /** The tick of the suite's timeline at the end of the block. */
  tick: number
}

/** What a block is made from. */
export interface BlockDraft {
  timestamp: number
  shift: number
  tick: number
  transactions: readonly (SimTransaction & { logs: readonly CallLog[]; logCount: number })[]
  /** Makes blocks of different branches differ, even empty ones. */
  salt: string
}

/** How far the safe and the finalized block lie behind the newest, in blocks. */
export interface Lags {
  safe: number
  finalized: number
}

/** Blocks in memory, linked by true hashes. Block numbers are indexes. */
export interface Chain {
  blocks: readonly SimBlock[]
  head: () => SimBlock
  /** Never goes back, unless the chain itself becomes shorter than it. */
  safe: () => SimBlock
  finalized: () => SimBlock
  /** Finds canonical blocks only. */
  blockAt: (number: number) => SimBlock | undefined
  /** Finds canonical blocks only. */
  byHash: (hash: Hex) => SimBlock | undefined
  /** Finds a block that a reorg removed. */
  orphan: (hash: Hex) => SimBlock | undefined
  orphansAt: (number: number) => readonly SimBlock[]
  append: (draft: BlockDraft) => SimBlock
  /** Drops the newest blocks and returns them, oldest first. Throws if the first block would go. */
  drop: (depth: number) => readonly SimBlock[]
}

/** How blocks are sealed. */
export interface SealOptions {
  /** Every bloom filter matches everything, as on a chain with many logs per block. */
  fullBlooms?: boolean | undefined
  /** Receipts prove the logs of a block. */
  receipts?: boolean | undefined
}

/** Creates a chain with one empty block. */
export function createSimChain(genesis: BlockDraft, lags: Lags, options: SealOptions = {}): Chain {
  const blocks: SimBlock[] = []
  const byHash = new Map<Hex, SimBlock>()
  const orphans = new Map<Hex, SimBlock>()
  const orphansAt = new Map<number, SimBlock[]>()
  let [safe, finalized] = [0, 0]
  const blockAt = (number: number) => blocks[number]
  const known = (number: number) => blocks[Math.min(number, blocks.length - 1)] as SimBlock

  const append = (draft: BlockDraft) => {
    const block = sealBlock(blocks.at(-1), draft, options)
    blocks.push(block)
    byHash.set(block.hash, block)
    // A branch may become canonical again; then its blocks are no longer orphans.
    orphans.delete(block.hash)
    safe = Math.max(Math.min(safe, block.number), block.number - lags.safe)
    finalized = Math.max(Math.min(finalized, block.number), block.number - lags.finalized)
    return block
  }
  append(genesis)

  return {
    blocks,
    head: () => known(blocks.length - 1),
    safe: () => known(safe),
    finalized: () => known(finalized),
    blockAt,
    byHash: (hash) => byHash.get(hash),
    orphan: (hash) => orphans.get(hash),
    orphansAt: (number) => (orphansAt.get(number) ?? []).filter(({ hash }) => orphans.has(hash)),
    append,
    drop(depth) {
      if (depth < 0 || depth >= blocks.length) {
        throw new RangeError(`A chain of ${blocks.length} blocks cannot drop ${depth}: the first one stays.`)
      }
      const dropped = blocks.splice(blocks.length - depth, depth)
      for (const block of dropped) {
        byHash.delete(block.hash)
        orphans.set(block.hash, block)
        const siblings = orphansAt.get(block.number) ?? []
        if (!siblings.some(({ hash }) => hash === block.hash)) orphansAt.set(block.number, [...siblings, block])
      }
      return dropped
    },
  }
}

/** Freezes the chain for a node that stops following: it sees no later blocks and reorgs. */
export function freezeChain(chain: Chain): Chain {
  const blocks = [...chain.blocks]
  const hashes = new Map(blocks.map((block) => [block.hash, block]))
  const [head, safe, finalized] = [chain.head(), chain.safe(), chain.finalized()]
  const refuse = () => {
    throw new Error('A frozen chain does not change.')
  }
  return {
    blocks,
    head: () => head,
    safe: () => safe,
    finalized: () => finalized,
    blockAt: (number) => blocks[number],
    byHash: (hash) => hashes.get(hash),
    orphan: () => undefined,
    orphansAt: () => [],
    append: refuse,
    drop: refuse,
  }
}

function sealBlock(parent: SimBlock | undefined, draft: BlockDraft, { fullBlooms, receipts }: SealOptions): SimBlock {
  const { timestamp, shift, tick, salt } = draft
  const logs: SimLog[] = []
  let [start, digest, transactionIndex, last] = [0, '', -1, '']
  for (const { hash, logs: own, logCount } of draft.transactions) {
    if (hash !== last) transactionIndex++
    last = hash
    for (const { address, topics, data, offset } of own) {
      logs.push({ address, topics, data, transactionHash: hash, transactionIndex, logIndex: start + offset })
      digest += `${address}${topics.join('')}${data}${hash}`
    }
    start += logCount
  }
  const number = parent ? parent.number + 1 : 0
  const parentHash = parent?.hash ?? `0x${'0'.repeat(64)}`
  const logsBloom = fullBlooms ? fullBloom : logs.length === 0 ? emptyBloom : computeBloom(logs)
  const receiptsRoot = receipts ? computeReceiptsRoot(formatReceipts(logs)) : quickHash(digest)
  const block = {
    number,
    parentHash,
    timestamp,
    logsBloom,
    receiptsRoot,
    extraData: `0x${salt}` as const,
    transactions: draft.transactions.map(({ hash, market, call }) => ({ hash, market, call })),
    logs,
    shift,
    tick,
  }
  return { ...block, hash: hashHeader(formatHeader(block)) }
}

/** The filter of a block without logs. */
export const emptyBloom = computeBloom([])
const fullBloom: Hex = `0x${'f'.repeat(512)}`
const zeroWord: Hex = `0x${'0'.repeat(64)}`
const hex = (value: number): Hex => `0x${value.toString(16)}`

/** A log of another contract, in place of one that is not simulated. */
const otherLog = { address: '0x00000000000000000000000000000000000000f1', topics: [], data: '0x' } as const

/** Formats the receipts of a block as nodes return them, as far as logs need them: one per transaction that has logs. */
export function formatReceipts(logs: readonly SimLog[]) {
  const receipts = new Map<number, (Pick<SimLog, 'address' | 'topics' | 'data'> & Record<string, unknown>)[]>()
  let next = 0
  for (const { transactionIndex, logIndex, transactionHash, ...log } of logs) {
    const own = receipts.get(transactionIndex) ?? []
    receipts.set(transactionIndex, own)
    // Positions are counted over all logs of a block.
    for (; next <= logIndex; next++) {
      const position = { logIndex: hex(next), transactionIndex: hex(transactionIndex), transactionHash }
      own.push({ ...(next === logIndex ? log : otherLog), ...position, removed: false })
    }
  }
  return [...receipts.values()].map((own) => ({
    type: '0x2',
    status: '0x1',
    cumulativeGasUsed: '0x0',
    logsBloom: emptyBloom,
    logs: own,
  }))
}

/** Formats the fields of a header as nodes return them. Its hash is that of these fields. */
export function formatHeader(block: Omit<SimBlock, 'hash'>) {
  const { number, parentHash, timestamp, logsBloom, receiptsRoot, extraData, logs } = block
  return {
    number: hex(number),
    parentHash,
    timestamp: hex(timestamp),
    logsBloom,
    receiptsRoot,
    transactionsRoot: zeroWord,
    stateRoot: zeroWord,
    sha3Uncles: zeroWord,
    mixHash: zeroWord,
    nonce: '0x0000000000000000' as const,
    miner: '0x4200000000000000000000000000000000000011' as const,
    difficulty: '0x0' as const,
    extraData,
    gasLimit: '0x2625a00' as const,
    gasUsed: hex(logs.length * 45_000),
    baseFeePerGas: '0x4c4b40' as const,
  }
}
