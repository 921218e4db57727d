import { isEstablished } from '@svc/index'
import type { PlannedNotification } from '@svc/protocol/notifications'
import type { TransactionSql } from 'postgres'
import { type Address, bytesToHex, getAddress } from 'viem'

const kind = 'allowed-to-claim'
/** How many wallets hear that they may claim one task, and any task of one poster in a day. */
const [maxOfTask, maxOfPoster] = [20, 50]
/** How many invitations of one poster a wallet hears of in a day, and of all posters that are established, or that are not. */
const [maxOfPair, maxOfEstablished, maxOfOthers] = [3, 20, 5]

interface Change {
  task: bigint
  missing: readonly PlannedNotification[]
}

interface Counts {
  poster: Buffer
  of_task: number
  of_poster: number
}

/**
 * Leaves out invitations to claim that are too many: a poster may allow anybody, as often as it likes, for the gas alone. Posters that
 * cost nothing never use up what a wallet hears of others. The wallet finds all of them in the list of its tasks.
 */
export async function leaveOutInvitations<T extends Change>(
  step: TransactionSql,
  market: number,
  changes: readonly T[],
): Promise<readonly T[]> {
  const counts = new Map<string, number>()
  /** Counts one more unless a limit is reached already. */
  const take = (limits: readonly (readonly [key: string, limit: number, before: number])[]) => {
    const sums = limits.map(([key, limit, before]) => ({ key, limit, sum: (counts.get(key) ?? before) + 1 }))
    if (sums.some(({ sum, limit }) => sum > limit)) return false
    for (const { key, sum } of sums) counts.set(key, sum)
    return true
  }
  const kept: T[] = []
  for (const change of changes) {
    if (!change.missing.some((each) => each.kind === kind)) {
      kept.push(change)
      continue
    }
    const known = await countSent(step, market, change.task)
    const poster = known && getAddress(bytesToHex(known.poster))
    const isKnown = poster ? await isEstablished(step, poster) : false
    const missing: PlannedNotification[] = []
    for (const each of change.missing) {
      if (each.kind !== kind) missing.push(each)
      else if (known && poster) {
        const heard = await countHeard(step, each.wallet, poster)
        const [ofAll, before] = isKnown ? [maxOfEstablished, heard.established] : [maxOfOthers, heard.others]
        const isTaken = take([
          [`task ${change.task}`, maxOfTask, known.of_task],
          [`poster ${poster}`, maxOfPoster, known.of_poster],
          [`pair ${poster} ${each.wallet}`, maxOfPair, heard.pair],
          [`wallet ${each.wallet} ${isKnown}`, ofAll, before],
        ])
        if (isTaken) missing.push(each)
      }
    }
    kept.push({ ...change, missing })
  }
  return kept
}

async function countSent(step: TransactionSql, market: number, task: bigint): Promise<Counts | undefined> {
  const [row] = await step<Counts[]>`
    select t.poster,
      (select count(*)::int from notify.notification n where n.market = t.market and n.task = t.key and n.kind = ${kind}) as of_task,
      (select count(*)::int from market.task o join notify.notification n on n.market = o.market and n.task = o.key
        where o.market = t.market and o.poster = t.poster and n.kind = ${kind} and n.stored_at > now() - interval '1 day') as of_poster
    from market.task t where t.market = ${market} and t.key = ${String(task)}::bigint`
  return row
}

/** What a wallet heard of in a day: from a poster, and from posters by whether they are established now. */
async function countHeard(step: TransactionSql, wallet: Address, poster: Address) {
  const rows = await step<{ poster: Buffer; count: number }[]>`
    select t.poster, count(*)::int as count from notify.notification n
    join market.task t on t.market = n.market and t.key = n.task
    where n.wallet = ${wallet} and n.kind = ${kind} and n.stored_at > now() - interval '1 day' group by 1`
  const heard = { pair: 0, established: 0, others: 0 }
  for (const row of rows) {
    const other = getAddress(bytesToHex(row.poster))
    if (other === poster) heard.pair = row.count
    if (await isEstablished(step, other)) heard.established += row.count
    else heard.others += row.count
  }
  return heard
}
