import { setTimeout as wait } from 'node:timers/promises'
import { hashHeader } from '@svc/chain'
import { type Answer, type Refusal, type RpcNode, rangeTexts } from '@svc/simulation/chain'
import type { Random } from '@svc/simulation/random'

/** Puts one limit or lie in front of a node. Unlike the faults of `packages/simulation`, it is there at every call. */
export type ProviderFault = (node: RpcNode) => RpcNode

/** Answers after this many milliseconds, and up to `jitterMs` more. */
export const delay =
  (ms: number, jitterMs: number, random: Random): ProviderFault =>
  (node) => ({
    async answer(method, params) {
      await wait(ms + random.below(jitterMs + 1))
      return node.answer(method, params)
    },
  })

/** Answers logs after this many milliseconds for each of them. */
export const delayLogs =
  (ms: number): ProviderFault =>
  (node) => ({
    async answer(method, params) {
      const answer = await node.answer(method, params)
      if (method === 'eth_getLogs' && 'result' in answer && Array.isArray(answer.result))
        await wait(ms * answer.result.length)
      return answer
    },
  })

/** Rejects logs of more blocks than this, in the words of one of the providers. */
export const capRange =
  (blocks: number, text: (limit: number) => Refusal = rangeTexts[0]): ProviderFault =>
  (node) => ({
    async answer(method, params) {
      const { fromBlock, toBlock, blockHash } = (params[0] ?? {}) as Record<string, unknown>
      if (method !== 'eth_getLogs' || blockHash !== undefined) return node.answer(method, params)
      const [from, to] = await Promise.all([resolveTag(node, fromBlock), resolveTag(node, toBlock)])
      return to - from + 1 > blocks ? refuse(text(blocks)) : node.answer(method, params)
    },
  })

/** Rejects logs whose list is longer than this. */
export const capResults =
  (count: number): ProviderFault =>
  (node) => ({
    async answer(method, params) {
      const answer = await node.answer(method, params)
      const logs = method === 'eth_getLogs' && 'result' in answer ? answer.result : null
      return Array.isArray(logs) && logs.length > count
        ? refuse([-32005, `query returned more than ${count} results`])
        : answer
    },
  })

/** Returns the beginning of a long list of logs, as if that were all. */
export const truncateLogs =
  (count: number): ProviderFault =>
  (node) =>
    changeLogs(node, (logs) => logs.slice(0, count))

/** How providers say that there were too many requests. */
export const throttleAnswers = {
  status: (seconds: number): Answer => ({ status: 429, retryAfter: seconds }),
  limitExceeded: () => refuse([-32005, 'daily request count exceeded, request rate limited']),
  overRateLimit: () => refuse([-32016, 'over rate limit']),
} as const satisfies Record<string, (seconds: number) => Answer>

/** Answers this many calls in each second and rejects the others. */
export const throttle =
  (perSecond: number, how: keyof typeof throttleAnswers, now: () => number = Date.now): ProviderFault =>
  (node) => {
    let [second, used] = [0, 0]
    return {
      answer(method, params) {
        const current = Math.floor(now() / 1000)
        if (current !== second) [second, used] = [current, 0]
        return ++used > perSecond ? throttleAnswers[how](1) : node.answer(method, params)
      },
    }
  }

/** Sees the chain as it was this many blocks ago. */
export const lagBehind =
  (blocks: number): ProviderFault =>
  (node) => ({
    async answer(method, params) {
      const head = Math.max(0, (await resolveTag(node, 'latest')) - blocks)
      const newest = `0x${head.toString(16)}`
      const [first, ...rest] = params
      switch (method) {
        case 'eth_blockNumber':
          return { result: newest }
        case 'eth_getBlockByNumber':
          return (await resolveTag(node, first)) > head && !isNewest(first)
            ? { result: null }
            : node.answer(method, [isNewest(first) ? newest : first, ...rest])
        case 'eth_getBlockByHash': {
          const answer = await node.answer(method, params)
          return readBlockNumber(answer) > head ? { result: null } : answer
        }
        case 'eth_getLogs': {
          const answer = await node.answer(method, params)
          const logs = 'result' in answer && Array.isArray(answer.result) ? answer.result : null
          return logs ? { result: logs.filter(({ blockNumber }) => Number(blockNumber) <= head) } : answer
        }
        case 'eth_call':
          return isNewest(rest[0])
            ? node.answer(method, [first, newest, ...rest.slice(1)])
            : node.answer(method, params)
        default:
          return node.answer(method, params)
      }
    },
  })

/** Returns blocks whose bloom filter is empty, as some load balancers and archives do. */
export const zeroBlooms: ProviderFault = (node) => changeBlocks(node, (block) => ({ ...block, logsBloom: noBloom }))

/** Returns blocks and logs whose timestamp is this many seconds off. */
export const shiftTimestamps =
  (seconds: number): ProviderFault =>
  (node) => {
    const shift = (timestamp: unknown) => `0x${(Number(timestamp) + seconds).toString(16)}`
    const blocks = changeBlocks(node, (block) => ({ ...block, timestamp: shift(block.timestamp) }))
    return changeLogs(blocks, (logs) =>
      logs.map((log) => ('blockTimestamp' in log ? { ...log, blockTimestamp: shift(log.blockTimestamp) } : log)),
    )
  }

/** Returns headers of a chain of its own from this block on, without logs. Their hashes are right, so only another provider shows it. */
export const forgeHeaders =
  (from: number): ProviderFault =>
  (node) => {
    type Block = Record<'hash' | 'parentHash' | 'number', string>
    const forged = new Map<string, Promise<Block>>()
    /** The forged blocks by the hash they are known by here. */
    const byHash = new Map<string, Block>()
    const forge = async ({ hash, ...block }: Block): Promise<Block> => {
      if (Number(block.number) < from) return { hash, ...block }
      const known = forged.get(hash)
      if (known) return known
      const made = fetchBlock('eth_getBlockByHash', block.parentHash).then((parent) => {
        const header = { ...block, logsBloom: noBloom, ...(parent && { parentHash: parent.hash }) }
        return { ...header, hash: hashHeader(header) }
      })
      forged.set(hash, made)
      byHash.set((await made).hash, await made)
      return made
    }
    const fetchBlock = async (method: string, which: unknown): Promise<Block | null> => {
      const answer = await node.answer(method, [which, false])
      return 'result' in answer && answer.result !== null ? forge(answer.result as Block) : null
    }
    return {
      async answer(method, params) {
        const [first] = params
        if (method === 'eth_getBlockByHash' && byHash.has(String(first)))
          return { result: byHash.get(String(first)) ?? null }
        if (method.startsWith('eth_getBlockBy')) return { result: await fetchBlock(method, first) }
        if (method !== 'eth_getLogs') return node.answer(method, params)
        if (byHash.has(String((first as { blockHash?: string }).blockHash))) return { result: [] }
        return changeLogs(node, (logs) => logs.filter(({ blockNumber }) => Number(blockNumber) < from)).answer(
          method,
          params,
        )
      },
    }
  }

/** Returns no logs of some blocks. */
export const omitLogs =
  (every: number): ProviderFault =>
  (node) =>
    changeLogs(node, (logs) => logs.filter(({ blockNumber }) => Number(blockNumber) % every !== 0))

/** Changes the last digit of the data of some logs. */
export const changeData =
  (every: number): ProviderFault =>
  (node) => {
    const change = (data: string) => (data === '0x' ? data : `${data.slice(0, -1)}${data.endsWith('0') ? 1 : 0}`)
    return changeLogs(node, (logs) =>
      logs.map((log) => (Number(log.blockNumber) % every === 0 ? { ...log, data: change(String(log.data)) } : log)),
    )
  }

/** Returns logs without `blockTimestamp`. */
export const withoutTimestamps: ProviderFault = (node) =>
  changeLogs(node, (logs) => logs.map(({ blockTimestamp: _, ...log }) => log))

/** Cuts off every answer that is longer than this. */
export const cutAnswers =
  (length: number): ProviderFault =>
  (node) => ({
    async answer(method, params) {
      const answer = await node.answer(method, params)
      const text = JSON.stringify(answer)
      return text.length > length ? { text: text.slice(0, length) } : answer
    },
  })

/** Answers as another node does, as soon as there is one. */
export const replaceNode =
  (find: () => RpcNode | null): ProviderFault =>
  (node) => ({ answer: (method, params) => (find() ?? node).answer(method, params) })

/** Does not know the tags `finalized` and `safe`: returns null, or an error. */
export const withoutFinalized =
  (how: 'null' | 'error'): ProviderFault =>
  (node) => ({
    answer(method, params) {
      if (method !== 'eth_getBlockByNumber' || (params[0] !== 'finalized' && params[0] !== 'safe'))
        return node.answer(method, params)
      return how === 'null' ? { result: null } : refuse([-32602, `invalid block tag ${params[0]}`])
    },
  })

/** Reports another chain id. */
export const reportChainId =
  (id: number): ProviderFault =>
  (node) => ({
    answer(method, params) {
      if (method === 'eth_chainId') return { result: `0x${id.toString(16)}` }
      return method === 'net_version' ? { result: String(id) } : node.answer(method, params)
    },
  })

/** Has other code at an address: another contract, or none. */
export const replaceCode =
  (address: string, code: `0x${string}`): ProviderFault =>
  (node) => ({
    answer: (method, params) =>
      method === 'eth_getCode' && String(params[0]).toLowerCase() === address.toLowerCase()
        ? { result: code }
        : node.answer(method, params),
  })

const noBloom = `0x${'0'.repeat(512)}`
const refuse = ([code, message]: Refusal): Answer => ({ error: { code, message } })
const isNewest = (tag: unknown) => tag === 'latest' || tag === 'pending' || tag === undefined

function changeBlocks(node: RpcNode, change: (block: Record<string, unknown>) => Record<string, unknown>): RpcNode {
  return {
    async answer(method, params) {
      const answer = await node.answer(method, params)
      if (!method.startsWith('eth_getBlockBy') || !('result' in answer)) return answer
      return answer.result === null ? answer : { result: change(answer.result as Record<string, unknown>) }
    },
  }
}

function changeLogs(
  node: RpcNode,
  change: (logs: readonly Record<string, unknown>[]) => readonly Record<string, unknown>[],
): RpcNode {
  return {
    async answer(method, params) {
      const answer = await node.answer(method, params)
      if (!('result' in answer) || !Array.isArray(answer.result)) return answer
      if (method === 'eth_getLogs') return { result: change(answer.result) }
      if (method !== 'eth_getBlockReceipts') return answer
      return { result: answer.result.map((receipt) => ({ ...receipt, logs: change(receipt.logs) })) }
    },
  }
}

async function resolveTag(node: RpcNode, tag: unknown): Promise<number> {
  if (typeof tag === 'string' && tag.startsWith('0x')) return Number(tag)
  if (tag === 'earliest') return 0
  return readBlockNumber(await node.answer('eth_getBlockByNumber', [isNewest(tag) ? 'latest' : tag, false]))
}

function readBlockNumber(answer: Answer): number {
  return 'result' in answer ? Number((answer.result as { number?: string } | null)?.number ?? -1) : -1
}
