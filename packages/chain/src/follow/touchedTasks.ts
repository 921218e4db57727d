import type { Market } from '@svc/protocol'
import { type ContractName, decodeLog, marketAbis } from '@svc/protocol/fold'
import { ChainReadError } from '../errors.ts'
import { countReadableBlocks, getLogs, type RawLog } from '../logs.ts'
import type { MarketDeployment } from '../market.ts'
import type { Provider } from '../providers.ts'

/** A task of a market. */
interface TaskRef {
  market: Market
  number: bigint
}

/** Finds the tasks that events have changed. */
export interface TouchedTasks {
  /** Returns the tasks that changed since the last call that succeeded; after a reorg also those of the replaced blocks. */
  list: (provider: Provider) => Promise<readonly TaskRef[]>
}

/** Blocks whose tasks are remembered. A deeper reorg is left to the walk over all tasks. */
const remembered = 512n
/** After a longer pause, only the newest blocks are read; the walk finds the rest. */
const maxBlocks = 2_000n
const maxRemembered = 20_000

/** Creates a follower of the events of these markets. It begins at the head: the first walk finds everything older. */
export function createTouchedTasks({ markets: places }: MarketDeployment, markets: readonly Market[]): TouchedTasks {
  const names = Object.keys(marketAbis) as ContractName[]
  const emitters = new Map(
    markets.flatMap((market) =>
      names.map((name) => [places[market][name].toLowerCase(), { market, contract: name }] as const),
    ),
  )
  const address = markets.flatMap((market) => names.map((name) => places[market][name]))
  let last: { number: bigint; hash: string } | null = null
  let recent: { block: bigint; task: TaskRef }[] = []

  const findTask = (log: RawLog): TaskRef | null => {
    const emitter = emitters.get(log.address.toLowerCase())
    const position = { block: { number: Number(log.blockNumber), timestamp: 0 }, logIndex: log.logIndex }
    const event = emitter && decodeLog(emitter.contract, { ...position, topics: log.topics, data: log.data })
    if (!event || !('taskId' in event.args) || typeof event.args.taskId !== 'bigint') return null
    return { market: emitter.market, number: event.args.taskId }
  }

  return {
    async list({ rpc, client }) {
      const { number, hash } = await client.getBlock()
      if (!last) {
        last = { number, hash }
        return []
      }
      // Nothing is new, or this provider lags.
      if (hash === last.hash || number < last.number) return []
      const here = number === last.number ? hash : (await client.getBlock({ blockNumber: last.number })).hash
      const isReorg = here !== last.hash
      const after = isReorg ? last.number - remembered : last.number
      const oldest = number - countReadableBlocks(rpc, maxBlocks)
      const from = (after > oldest ? after : oldest) + 1n
      const logs = await getLogs(rpc, { address }, { from: from > 0n ? from : 0n, to: number })
      const found = logs.flatMap((log) => {
        const task = findTask(log)
        return task ? [{ block: log.blockNumber, task }] : []
      })
      const { hash: again } = await client.getBlock({ blockNumber: number })
      // Reorganised meanwhile: the next call reads these blocks again.
      if (again !== hash)
        throw new ChainReadError(`Block ${number} was replaced by a reorg during the read.`, { retryable: true })
      const replaced = isReorg ? recent : []
      recent = [...(isReorg ? [] : recent), ...found]
        .filter(({ block }) => block > number - remembered)
        .slice(-maxRemembered)
      last = { number, hash }
      return [...replaced, ...found].map(({ task }) => task)
    },
  }
}
