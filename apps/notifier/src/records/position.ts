import type { TransactionSql } from 'postgres'

interface Block {
  number: bigint
  hash: Buffer
}

/** Where the follower is, and where the index is. */
export interface Position {
  cursor: Block & { since: bigint }
  index: Block & { timestamp: number; finalized: bigint }
}

/** Blocks whose hashes are kept: more than a reorganisation can remove, which the index bounds by its own headers. */
const keptBlocks = 20_000n

/**
 * Reads both cursors. A notifier that runs for the first time starts at the end of the index, and looks at every task once for its
 * clocks. Returns null while the index has no block.
 */
export async function readPosition(step: TransactionSql, market: number, since?: bigint): Promise<Position | null> {
  const [row] = await step<{ number: string; hash: Buffer; timestamp: string; finalized: string }[]>`
    select number, hash, "timestamp", finalized from market.cursor where market = ${market}`
  if (!row) return null
  const index = {
    number: BigInt(row.number),
    hash: row.hash,
    timestamp: Number(row.timestamp),
    finalized: BigInt(row.finalized),
  }
  // Locked: of two followers, the second fails and tries again.
  const [cursor] = await step<{ number: string; hash: Buffer; since: string }[]>`
    select number, hash, since from notify.cursor where market = ${market} for update`
  if (cursor)
    return { cursor: { number: BigInt(cursor.number), hash: cursor.hash, since: BigInt(cursor.since) }, index }
  // Once, over all tasks.
  await step`set local statement_timeout = 0`
  const first = since ?? index.number + 1n
  const start = since === undefined ? index : { number: since - 1n, hash: Buffer.alloc(0) }
  await step`insert into notify.cursor values (${market}, ${String(start.number)}, ${start.hash}, ${String(first)})`
  await step`insert into notify.clock (market, task, due) select market, key, 0 from market.task where market = ${market}
    on conflict do nothing`
  return { cursor: { number: start.number, hash: start.hash, since: first }, index }
}

/**
 * Finds the last block that the follower has read and that is still on chain. Usually that is its cursor; after a reorganisation, an
 * earlier checkpoint. A block below the oldest header of the index is final.
 */
export async function findFork(step: TransactionSql, market: number, { cursor, index }: Position): Promise<bigint> {
  const [found] = await step<{ number: string }[]>`
    select c.number from (
        select ${String(cursor.number)}::bigint as number, ${cursor.hash}::bytea as hash
        union all select number, hash from notify.checkpoint where market = ${market}) c
    left join market.header h on h.market = ${market} and h.number = c.number
    where c.number <= ${String(index.number)}::bigint and (h.hash = c.hash
      or (h.hash is null and c.number < (select coalesce(min(number), 0) from market.header where market = ${market})))
    order by c.number desc limit 1`
  if (found) return BigInt(found.number)
  // Everything that is known was removed: start again. What was sent and is still true stays as it is.
  return cursor.since - 1n
}

/**
 * Moves the cursor, and remembers the block and the tasks that were looked at there, with or without new events: on another branch the
 * time may be earlier, and a reminder that was too late may be due again. Forgets what is final.
 */
export async function moveCursor(
  step: TransactionSql,
  market: number,
  fork: bigint,
  end: Block & { finalized: bigint },
  touched: readonly bigint[],
): Promise<void> {
  const [number, from] = [String(end.number), String(fork)]
  await step`update notify.cursor set number = ${number}, hash = ${end.hash} where market = ${market}`
  await step`delete from notify.checkpoint
    where market = ${market} and (number > ${from}::bigint or number < ${String(end.number - keptBlocks)}::bigint)`
  await step`insert into notify.checkpoint values (${market}, ${number}, ${end.hash})
    on conflict (market, number) do update set hash = excluded.hash`
  await step`delete from notify.touched
    where market = ${market} and (block > ${from}::bigint or block < least(${String(end.finalized)}, ${String(end.number - keptBlocks)})::bigint)`
  await step`insert into notify.touched (market, block, task)
    select ${market}, ${number}::bigint, task from unnest(${`{${touched.join(',')}}`}::bigint[]) as t (task) on conflict do nothing`
}
