import { taskScopeRegistryAbi } from '@svc/protocol/abis'
import type { TaskRecord } from '@svc/protocol/records'
import { decodeEventLog, encodeEventTopics } from 'viem'
import { getLogs } from '../logs.ts'
import type { MarketAddresses } from '../market.ts'
import type { Provider } from '../providers.ts'

/** So many are asked for at once. */
const atOnce = 20

/** The texts that open tasks published, by task number: each is in the one block in which its task was posted. */
export async function readTexts(
  { rpc }: Provider,
  { taskScopeRegistry: address }: Pick<MarketAddresses, 'taskScopeRegistry'>,
  tasks: readonly Pick<TaskRecord, 'number' | 'postedBlock' | 'scope'>[],
): Promise<Map<bigint, string>> {
  const texts = new Map<bigint, string>()
  const open = tasks.filter(({ scope }) => scope === 'OPEN')
  for (let at = 0; at < open.length; at += atOnce) {
    await Promise.all(
      open.slice(at, at + atOnce).map(async ({ number, postedBlock }) => {
        const topics = encodeEventTopics({ ...published, args: { taskId: number } })
        const block = BigInt(postedBlock)
        const [log] = await getLogs(rpc, { address, topics: topics as never }, { from: block, to: block })
        if (!log) return
        const { args } = decodeEventLog({ ...published, topics: log.topics as never, data: log.data })
        texts.set(number, args.text)
      }),
    )
  }
  return texts
}

const published = { abi: taskScopeRegistryAbi, eventName: 'TaskTextPublished' } as const
