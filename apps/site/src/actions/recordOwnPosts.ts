import { ApiError } from '@svc/client'
import { formatTaskId } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { isCountedPost } from '@svc/protocol/internal/money'
import { decodeEventLog, type Hex, isAddressEqual } from 'viem'
import { api } from '../api.ts'
import { contracts } from '../deployments.ts'
import type { WalletLog } from '../wallet/walletAnswers.ts'
import type { Transaction } from './transactions.ts'

const maxTries = 5

/** Records what a confirmed transaction posted, so that it counts before the index has it. Best effort: the index counts it anyway. */
export async function recordOwnPosts(
  { action, market }: Transaction,
  logs: readonly WalletLog[],
  txHash: Hex,
): Promise<void> {
  if (!isCountedPost(action)) return
  for (const log of logs) {
    const post = isAddressEqual(log.address, contracts[market].taskRegistry) && decodePost(log)
    if (!post) continue
    const taskId = formatTaskId({ market, number: post.taskId })
    const body = { address: post.poster, market, taskId, txHash, taskAmountTok: String(post.totalAmount) }
    for (let tries = 1; tries <= maxTries; tries++) {
      const error = await api.recordPost(body).then(
        () => null,
        (failed: unknown) => failed,
      )
      // The server does not see the transaction yet, or cannot be reached. Any other answer would be the same again.
      const isTransient = !(error instanceof ApiError) || error.status === 409 || error.status >= 500
      if (!error || !isTransient) break
      await new Promise((done) => setTimeout(done, 1_000 * tries))
    }
  }
}

function decodePost({ topics: [selector, ...indexed], data }: WalletLog) {
  if (!selector) return null
  try {
    const event = decodeEventLog({ abi: taskRegistryAbi, topics: [selector, ...indexed], data })
    return event.eventName === 'TaskPosted' ? event.args : null
  } catch {
    return null
  }
}
