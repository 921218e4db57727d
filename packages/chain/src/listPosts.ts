import { formatTaskId, type Market } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { type Address, type Hex, isAddressEqual, parseEventLogs } from 'viem'
import { type RawLog, toViemLog } from './logs.ts'

/** A task that was posted, as POST /api/posting/record names it. */
export interface PostedTask {
  address: Address
  market: Market
  taskId: string
  txHash: Hex
  taskAmountTok: string
}

/** Lists the posts among the logs of a transaction. */
export function listPosts(logs: readonly RawLog[], market: Market, taskRegistry: Address): PostedTask[] {
  const own = logs.filter(({ address }) => isAddressEqual(address, taskRegistry)).map(toViemLog)
  return parseEventLogs({ abi: taskRegistryAbi, eventName: 'TaskPosted', logs: own }).map(
    ({ args, transactionHash }) => ({
      address: args.poster,
      market,
      taskId: formatTaskId({ market, number: args.taskId }),
      txHash: transactionHash,
      taskAmountTok: String(args.totalAmount),
    }),
  )
}
