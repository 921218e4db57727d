import type { Deployments } from '@svc/chain'
import { marketNumber, toBytes } from '@svc/index'
import type { TaskId } from '@svc/protocol'
import type { Sql } from 'postgres'
import { type Address, type Hex, isAddressEqual } from 'viem'
import type { Chain } from './chain.ts'
import { contradicts, eventsOf, type Proof } from './proof.ts'

/** What a client says of a post. */
export interface PostClaim {
  address: Address
  task: TaskId
  amount: bigint
  txHash: Hex
}

/** The log that bears a claim out. Refuses with the first part that it does not. */
export async function provePost(chain: Chain, places: Deployments, claim: PostClaim): Promise<Proof> {
  const { market, number } = claim.task
  const mined = await chain.transaction(claim.txHash)
  const posts = eventsOf(mined, places.markets[market], 'taskRegistry.TaskPosted')
  if (posts.length === 0) throw contradicts('txHash', `The transaction posted no task in the ${market} market.`)
  const post = posts.find(({ args }) => args.taskId === number)
  if (!post) throw contradicts('taskId', 'The transaction posted another task.')
  if (!isAddressEqual(post.args.poster, claim.address)) {
    throw contradicts('address', 'Another wallet posted the task.')
  }
  if (post.args.totalAmount !== claim.amount) {
    throw contradicts('taskAmountTok', `The task's amount is ${post.args.totalAmount}.`)
  }
  return { market, block: mined.block, log: post.log }
}

/** Keeps a post; once is as good as often. */
export async function savePost(sql: Sql, { market, block, log }: Proof, { address, task }: PostClaim): Promise<void> {
  await sql`insert into posting.post (market, block, hash, log_index, tx, poster, task, posted_at)
    values (${marketNumber(market)}, ${String(block.number)}, ${toBytes(block.hash)}, ${log.logIndex},
      ${toBytes(log.transactionHash)}, ${toBytes(address)}, ${String(task.number)}, ${block.timestamp})
    on conflict do nothing`
}
