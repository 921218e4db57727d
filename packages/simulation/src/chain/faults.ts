import { hashHeader } from '@svc/chain'
import type { Random } from '../random.ts'
import { type Chain, emptyBloom, type SimBlock } from './chain.ts'
import { createRangeRefusals, logLimits, rangeLimits } from './limits.ts'
import { type Answer, createNode, type NodeSource, type SimNode } from './node.ts'

/** Every way in which a provider may misbehave. */
export const faultKinds = [
  'emptyLogs',
  'partialLogs',
  'duplicateLogs',
  'shuffledLogs',
  'foreignLogs',
  'noTimestamps',
  'staleHead',
  'wrongParent',
  'zeroedBloom',
  'wrongTimestamp',
  'falseHeader',
  'nullBlock',
  'otherChain',
  'notJson',
  'truncatedJson',
  'tooManyRequests',
  'serverError',
  'silence',
] as const

export type FaultKind = (typeof faultKinds)[number]

export interface FaultOptions {
  random: Random
  /** How likely each kind is at each call it could spoil; those not named never happen. */
  odds: Partial<Record<FaultKind, number>>
  /** The largest lag of a stale head in blocks. Each stale answer has its own lag, so the head moves back and forth. */
  maxLag?: number
  /** A constant lag in blocks instead. */
  lag?: number
  /** How many calls in a row a storm of 429 refuses at most. */
  maxStorm?: number
  /** The widest range of blocks that is answered; chosen by chance from what providers have when `true`. */
  rangeLimit?: number | true
  /** The most logs that are answered; chosen by chance from what providers have when `true`. */
  logLimit?: number | true
  blockTimestamps?: boolean
  keepsOrphans?: boolean
  /** The node that answers for another chain. Needed for that kind only. */
  other?: SimNode
}

/** A false answer, or a call without an answer. */
interface Lie {
  kind: FaultKind
  /** The calls are numbered from 1. */
  call: number
  method: string
  params: readonly unknown[]
  /** The canonical blocks that the lie is about, where it is about some. */
  blocks?: readonly number[]
}

/** A faulty node and the record of its faults. */
export interface FaultyNode extends SimNode {
  lies: readonly Lie[]
  /** Number of calls so far. */
  calls: () => number
  /** While true no fault happens and nothing is refused for its size. */
  setHonest: (honest: boolean) => void
}

interface BlockJson {
  number: string
  parentHash: string
  logsBloom: string
  timestamp: string
}

interface LogJson {
  blockNumber: `0x${string}`
  blockHash: string
  [key: string]: unknown
}

/** Creates a node that answers some calls falsely, at random. A fault happens only where it changes the answer. */
export function createFaultyNode(source: NodeSource, options: FaultOptions): FaultyNode {
  const { random, odds, maxLag = 20, maxStorm = 20, other, blockTimestamps = true, keepsOrphans = false } = options
  const nodeOptions = { blockTimestamps, keepsOrphans }
  const honestNode = createNode(source, nodeOptions)
  let lag = 0
  const staleNode = createNode(source, { ...nodeOptions, head: () => Math.max(0, source.chain.head().number - lag) })
  const rangeLimit = options.rangeLimit === true ? random.pick(rangeLimits) : options.rangeLimit
  const logLimit = options.logLimit === true ? random.pick(logLimits) : options.logLimit
  const refusal = createRangeRefusals(random)
  const lies: Lie[] = []
  let [call, storm, honest] = [0, 0, false]

  const happens = (kind: FaultKind) => random.chance(odds[kind] ?? 0)

  const answer = (method: string, params: readonly unknown[]): Answer => {
    call++
    if (honest) return honestNode.answer(method, params)
    const tell = (kind: FaultKind, told: Answer, blocks?: readonly number[]): Answer => {
      lies.push({ kind, call, method, params, ...(blocks && { blocks }) })
      return told
    }
    if (storm > 0 || happens('tooManyRequests')) {
      storm = storm > 0 ? storm - 1 : random.below(maxStorm)
      return tell('tooManyRequests', { status: 429 })
    }
    if (happens('serverError')) return tell('serverError', { status: random.pick([500, 502, 503, 504]) })
    if (happens('silence')) return tell('silence', { silence: true })
    if (happens('notJson')) return tell('notJson', { text: '<html><body>Bad gateway</body></html>' })
    if (other && happens('otherChain')) return tell('otherChain', other.answer(method, params))

    const tooWide = method === 'eth_getLogs' ? refusal.range(params[0], rangeLimit, source.chain) : null
    if (tooWide) return tooWide
    let truth = honestNode.answer(method, params)
    if (options.lag !== undefined || happens('staleHead')) {
      lag = options.lag ?? 1 + random.below(maxLag)
      const stale = staleNode.answer(method, params)
      if (JSON.stringify(stale) !== JSON.stringify(truth)) truth = tell('staleHead', stale)
    }
    if (!('result' in truth)) return truth
    if (happens('truncatedJson')) {
      const text = JSON.stringify({ jsonrpc: '2.0', id: 1, result: truth.result })
      return tell('truncatedJson', { text: text.slice(0, random.below(text.length)) })
    }
    if (method === 'eth_getLogs') {
      const logs = truth.result as LogJson[]
      const tooMany = refusal.logs(logs.length, logLimit)
      return tooMany ?? spoilLogs(logs, params, tell)
    }
    const block = truth.result as BlockJson | null
    if (method.startsWith('eth_getBlockBy') && block) {
      return spoilBlock(block, tell)
    }
    return truth
  }

  const spoilBlock = (
    block: BlockJson,
    tell: (kind: FaultKind, told: Answer, blocks?: readonly number[]) => Answer,
  ): Answer => {
    const told = (kind: FaultKind, result: unknown) => tell(kind, { result }, [Number(block.number)])
    const shift = () => ({ ...block, timestamp: `0x${(Number(block.timestamp) + 1 + random.below(600)).toString(16)}` })
    if (happens('nullBlock')) return told('nullBlock', null)
    if (happens('wrongParent')) return told('wrongParent', { ...block, parentHash: `0x${random.word()}` })
    if (happens('wrongTimestamp')) return told('wrongTimestamp', shift())
    if (block.logsBloom !== emptyBloom && happens('zeroedBloom'))
      return told('zeroedBloom', { ...block, logsBloom: emptyBloom })
    if (happens('falseHeader')) {
      // The hash is that of the false fields, so nothing in the header shows the lie.
      const forged = { ...shift(), logsBloom: emptyBloom }
      return told('falseHeader', { ...forged, hash: hashHeader(forged) })
    }
    return { result: block }
  }

  const spoilLogs = (
    logs: readonly LogJson[],
    params: readonly unknown[],
    tell: (kind: FaultKind, told: Answer, blocks?: readonly number[]) => Answer,
  ): Answer => {
    const blocks = [...new Set(logs.map(({ blockNumber }) => Number(blockNumber)))]
    if (logs.length > 0 && happens('emptyLogs')) {
      // Either nothing at all, or nothing of one block.
      const gone = random.pick(blocks)
      const whole = random.chance(0.5) || blocks.length === 1
      const left = whole ? [] : logs.filter(({ blockNumber }) => Number(blockNumber) !== gone)
      return tell('emptyLogs', { result: left }, whole ? blocks : [gone])
    }
    if (logs.length > 0 && happens('partialLogs')) {
      const kept = logs.slice(0, random.below(logs.length))
      const cut = logs.slice(kept.length)
      return tell('partialLogs', { result: kept }, [...new Set(cut.map(({ blockNumber }) => Number(blockNumber)))])
    }
    if (logs.length > 0 && happens('duplicateLogs')) {
      const twice = random.below(logs.length)
      return tell('duplicateLogs', { result: logs.toSpliced(twice, 0, logs[twice] as LogJson) }, [
        Number(logs[twice]?.blockNumber),
      ])
    }
    if (logs.length > 1 && happens('shuffledLogs')) {
      return tell('shuffledLogs', { result: swapped(logs, random) }, blocks)
    }
    if (logs.length > 0 && blockTimestamps && happens('noTimestamps')) {
      return tell('noTimestamps', { result: logs.map(({ blockTimestamp: _, ...log }) => log) }, blocks)
    }
    const about = pickBlock(source.chain, logs, params, random)
    if (about && happens('foreignLogs')) {
      const result = foreign(honestNodeOf(about.from), logs, about, random)
      if (result) return tell('foreignLogs', { result }, [about.block.number])
    }
    return { result: logs }
  }

  /** Answers logs of a block that is not canonical. */
  const honestNodeOf = (block: SimBlock) => (filter: unknown) => {
    const node = createNode(source, { ...nodeOptions, keepsOrphans: true })
    const { fromBlock: _from, toBlock: _to, ...rest } = filter as Record<string, unknown>
    const told = node.answer('eth_getLogs', [{ ...rest, blockHash: block.hash }])
    return 'result' in told ? (told.result as LogJson[]) : []
  }

  return {
    answer,
    lies,
    calls: () => call,
    setHonest: (value) => {
      honest = value
    },
  }
}

interface Foreign {
  /** The canonical block that was asked about. */
  block: SimBlock
  /** The block whose logs are returned instead: a former block of that height, or a neighbour. */
  from: SimBlock
  filter: unknown
}

function pickBlock(
  chain: Chain,
  logs: readonly LogJson[],
  [filter]: readonly unknown[],
  random: Random,
): Foreign | null {
  const { blockHash } = (filter ?? {}) as { blockHash?: `0x${string}` }
  const number = blockHash ? chain.byHash(blockHash)?.number : Number(logs[0]?.blockNumber ?? Number.NaN)
  const block = number === undefined ? undefined : chain.blockAt(number)
  if (!block) return null
  const former = chain.orphansAt(block.number)
  const from = former.length > 0 ? random.pick(former) : chain.blockAt(block.number - 1)
  return from ? { block, from, filter } : null
}

/** The logs with those of another block in place of one's own, under that other hash or, worse, under the right one. */
function foreign(
  logsOf: (filter: unknown) => LogJson[],
  logs: readonly LogJson[],
  { block, filter }: Foreign,
  random: Random,
): LogJson[] | null {
  const disguised = random.chance(0.5)
  const number: `0x${string}` = `0x${block.number.toString(16)}`
  const strange = logsOf(filter).map((log) =>
    disguised ? { ...log, blockHash: block.hash, blockNumber: number } : { ...log, blockNumber: number },
  )
  const own = logs.filter(({ blockNumber }) => Number(blockNumber) === block.number)
  if (strange.length === 0 && own.length === 0) return null
  return [...strange, ...logs.filter(({ blockNumber }) => Number(blockNumber) !== block.number)]
}

function swapped<T>(list: readonly T[], random: Random): T[] {
  const at = random.below(list.length - 1)
  return list.toSpliced(at, 2, list[at + 1] as T, list[at] as T)
}
