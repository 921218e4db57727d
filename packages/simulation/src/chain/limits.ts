import type { Random } from '../random.ts'
import type { Chain } from './chain.ts'
import type { Answer } from './node.ts'

/** The widest ranges that providers answer, in blocks. */
export const rangeLimits = [5, 10, 100, 1_000, 10_000] as const
/** The most logs that providers answer. */
export const logLimits = [1_000, 20_000] as const

/** Messages of real providers for a range that is too wide; `n` is the limit. */
export const rangeTexts: readonly [RefusalText, ...RefusalText[]] = [
  (n) => [-32600, `You can make eth_getLogs requests with up to a ${n} block range.`],
  (n) => [-32614, `eth_getLogs is limited to a ${n.toLocaleString('en')} range`],
  (n) => [-32602, `query exceeds max block range ${n}`],
  (n) => [-32000, `exceed maximum block range: ${n}`],
  () => [-32062, 'Block range is too large'],
  (n) => [-32005, `block range should not exceed ${n}`],
]

/** Messages of real providers for too many logs. */
const logTexts: readonly RefusalText[] = [
  (n) => [-32005, `query returned more than ${n} results`],
  (n) => [-32602, `query exceeds max results ${n}, retry with the range 1-2`],
  () => [-32602, 'Log response size exceeded. Please narrow your block range.'],
  () => [-32008, 'Response is too big'],
]

export type Refusal = [code: number, message: string]
type RefusalText = (limit: number) => Refusal

/** Picks the messages of one provider; they do not change afterwards. */
export function createRangeRefusals({ pick }: Random) {
  const [range, logs] = [pick(rangeTexts), pick(logTexts)]
  const refuse = ([code, message]: Refusal): Answer => ({ error: { code, message } })
  return {
    /** Refuses a range that is wider than the limit; null otherwise. */
    range(filter: unknown, limit: number | undefined, chain: Chain): Answer | null {
      const { fromBlock, toBlock, blockHash } = (filter ?? {}) as Record<string, unknown>
      if (limit === undefined || blockHash !== undefined) return null
      const number = (tag: unknown) => (Number.isNaN(Number(tag)) ? chain.head().number : Number(tag))
      return number(toBlock ?? 'latest') - number(fromBlock ?? 'latest') + 1 > limit ? refuse(range(limit)) : null
    },
    /** Refuses more logs than the limit; null otherwise. */
    logs: (count: number, limit: number | undefined): Answer | null =>
      limit !== undefined && count > limit ? refuse(logs(limit)) : null,
  }
}
