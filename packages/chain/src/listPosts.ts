import { formatTaskId, type Market } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { type Address, type Hex, isAddressEqual, parseEventLogs } from 'viem'
import { type RawLog, toViemLog } from './logs.ts'
import type { Providers } from './providers.ts'
import { getMinedTransaction } from './quorum.ts'

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

/** Reads what a transaction posted; nothing if it is not on the chain. */
export async function readPosts(
  providers: Pick<Providers, 'all'>,
  { market, taskRegistry, txHash }: { market: Market; taskRegistry: Address; txHash: Hex },
): Promise<PostedTask[]> {
  const mined = await getMinedTransaction(providers, txHash)
  return listPosts(mined?.logs ?? [], market, taskRegistry)
}
