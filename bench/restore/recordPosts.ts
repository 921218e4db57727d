import { schemaOf } from '@svc/index'
import { taskRegistryAbi } from '@svc/protocol/abis'
import type { Sql } from 'postgres'
import { encodeEventTopics, hexToBytes } from 'viem'

/** Records every open post that the index has, with the columns that the API reads from its log; hashes of blocks are made up. */
export async function recordPosts(sql: Sql): Promise<void> {
  const [topic] = encodeEventTopics({ abi: taskRegistryAbi, eventName: 'TaskPosted' })
  await sql`
    insert into posting.post (market, block, hash, log_index, tx, poster, task, posted_at)
    select market, block, sha256(int8send(block)), log_index, tx, substring(topics from 77 for 20), task, "timestamp"
    from ${sql(`${schemaOf('a')}.event`)}
    where substring(topics from 1 for 32) = ${Buffer.from(hexToBytes(topic))}`
}
