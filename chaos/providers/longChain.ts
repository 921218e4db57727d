import type { Answer } from '@svc/simulation/chain'
import type { ProviderFault } from './faults.ts'

/** Makes a chain look long: after this block come so many empty ones, and then the rest. State is that of the blocks around. */
export const insertEmptyBlocks =
  (after: number, count: number): ProviderFault =>
  (node) => {
    const shift = (number: unknown) => hex(Number(number) > after ? Number(number) + count : Number(number))
    /** The real block at a number, or the last one before the empty ones. */
    const unshift = (number: number) => (number <= after ? number : Math.max(after, number - count))
    const isEmpty = (number: number) => number > after && number <= after + count
    const mapTag = (tag: unknown) => (typeof tag === 'string' && tag.startsWith('0x') ? hex(unshift(Number(tag))) : tag)

    return {
      async answer(method, params): Promise<Answer> {
        const [first, ...rest] = params
        switch (method) {
          case 'eth_blockNumber':
          case 'eth_getBlockByHash':
            return mapResult(await node.answer(method, params))
          case 'eth_getBlockByNumber': {
            const answer = mapResult(await node.answer(method, [mapTag(first), ...rest]))
            if (typeof first !== 'string' || !isEmpty(Number(first)) || !('result' in answer)) return answer
            const hash = `0x${Number(first).toString(16).padStart(64, 'e')}`
            return { result: { ...(answer.result as object), number: first, hash, logsBloom: `0x${'0'.repeat(512)}` } }
          }
          case 'eth_call':
            return node.answer(method, [first, mapTag(rest[0]), ...rest.slice(1)])
          case 'eth_getLogs': {
            const { fromBlock, toBlock, ...filter } = first as Record<string, unknown>
            if (fromBlock === undefined) return mapResult(await node.answer(method, params))
            // Empty blocks have no logs, so a range that begins in them begins after them.
            const from = isEmpty(Number(fromBlock)) ? after + 1 : unshift(Number(fromBlock))
            const to = unshift(Number(toBlock))
            if (to < from) return { result: [] }
            return mapResult(await node.answer(method, [{ ...filter, fromBlock: hex(from), toBlock: hex(to) }]))
          }
          default:
            return node.answer(method, params)
        }
      },
    }

    function mapResult(answer: Answer): Answer {
      if (!('result' in answer) || answer.result === null) return answer
      const { result } = answer
      if (typeof result === 'string') return { result: shift(result) }
      if (Array.isArray(result))
        return { result: result.map((log) => ({ ...log, blockNumber: shift(log.blockNumber) })) }
      const block = result as { number: string }
      return { result: { ...block, number: shift(block.number) } }
    }
  }

const hex = (value: number) => `0x${value.toString(16)}`
