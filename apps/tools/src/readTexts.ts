import { getLogs, type MarketPlaces, type Providers } from '@svc/chain'
import type { Market } from '@svc/protocol'
import { taskScopeRegistryAbi } from '@svc/protocol/abis'
import type { TaskRecord } from '@svc/protocol/records'
import { decodeEventLog, encodeEventTopics } from 'viem'

/** The texts that open tasks published, by task number: each is in the one block in which its task was posted. */
export async function readTexts(
  providers: Providers,
  places: MarketPlaces,
  market: Market,
  tasks: readonly TaskRecord[],
): Promise<ReadonlyMap<bigint, string>> {
  const address = places.markets[market].taskScopeRegistry
  const open = tasks.filter(({ scope }) => scope === 'OPEN')
  const found = await providers.read(({ rpc }) =>
    Promise.all(
      open.map(async ({ number, postedBlock }) => {
        const topics = encodeEventTopics({ ...published, args: { taskId: number } })
        const block = BigInt(postedBlock)
        const [log] = await getLogs(rpc, { address, topics: topics as never }, { from: block, to: block })
        if (!log) return []
        const { args } = decodeEventLog({ ...published, topics: log.topics as never, data: log.data })
        return [[number, args.text] as const]
      }),
    ),
  )
  return new Map(found.flat())
}

const published = { abi: taskScopeRegistryAbi, eventName: 'TaskTextPublished' } as const
