import type { Deployments } from '@svc/chain'
import { marketNumber, toBytes } from '@svc/index'
import type { TaskId } from '@svc/protocol'
import type { Sql } from 'postgres'
import { type Address, type Hex, isAddressEqual } from 'viem'
import type { Chain } from './chain.ts'
import { createContradictionError, decodeMatchingEvents, type Proof } from './proof.ts'

/** A client's claim about a post. */
export interface PostClaim {
  address: Address
  task: TaskId
  amount: bigint
  txHash: Hex
}

/** Returns the log that proves a claim. Rejects with the first field that does not match. */
export async function provePost(chain: Chain, deployments: Deployments, claim: PostClaim): Promise<Proof> {
  const { market, number } = claim.task
  const mined = await chain.transaction(claim.txHash)
  const posts = decodeMatchingEvents(mined, deployments.markets[market], 'taskRegistry.TaskPosted')
  if (posts.length === 0)
    throw createContradictionError('txHash', `The transaction posted no task in the ${market} market.`)
  const post = posts.find(({ args }) => args.taskId === number)
  if (!post) throw createContradictionError('taskId', 'The transaction posted another task.')
  if (!isAddressEqual(post.args.poster, claim.address)) {
    throw createContradictionError('address', 'Another wallet posted the task.')
  }
  if (post.args.totalAmount !== claim.amount) {
    throw createContradictionError('taskAmountTok', `The task's amount is ${post.args.totalAmount}.`)
  }
  return { market, block: mined.block, log: post.log }
}

/** Saves a post. Idempotent. */
export async function savePost(sql: Sql, { market, block, log }: Proof, { address, task }: PostClaim): Promise<void> {
  await sql`insert into posting.post (market, block, hash, log_index, tx, poster, task, posted_at)
    values (${marketNumber(market)}, ${String(block.number)}, ${toBytes(block.hash)}, ${log.logIndex},
      ${toBytes(log.transactionHash)}, ${toBytes(address)}, ${String(task.number)}, ${block.timestamp})
    on conflict do nothing`
}
