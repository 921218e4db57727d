import { taskScopeRegistryAbi } from '@svc/protocol/abis'
import type { TaskRecord } from '@svc/protocol/records'
import { decodeEventLog, encodeEventTopics } from 'viem'
import { getLogs, toViemLog } from '../logs.ts'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'

/** The most requests in flight. */
const concurrency = 20

/** Reads the texts that open tasks published, by task number. Each is in the block in which its task was posted. */
export async function readTexts(
  { rpc }: Provider,
  { taskScopeRegistry: address }: Pick<MarketAddresses, 'taskScopeRegistry'>,
  tasks: readonly Pick<TaskRecord, 'number' | 'postedBlock' | 'scope'>[],
): Promise<Map<bigint, string>> {
  const texts = new Map<bigint, string>()
  const open = tasks.filter(({ scope }) => scope === 'OPEN')
  for (let at = 0; at < open.length; at += concurrency) {
    await Promise.all(
      open.slice(at, at + concurrency).map(async ({ number, postedBlock }) => {
        const topics = encodeEventTopics({ ...published, args: { taskId: number } })
        const block = BigInt(postedBlock)
        const [log] = await getLogs(rpc, { address, topics }, { from: block, to: block })
        if (!log) return
        const { args } = decodeEventLog({ ...published, topics: toViemLog(log).topics, data: log.data })
        texts.set(number, args.text)
      }),
    )
  }
  return texts
}

const published = { abi: taskScopeRegistryAbi, eventName: 'TaskTextPublished' } as const
