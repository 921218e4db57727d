import type { TransactionSql } from 'postgres'

/**
 * Writes what is to be sent where, and a job for each lane, in the transaction that wrote the notifications. A correction goes only
 * where its original may have arrived; what was never tried is cancelled instead. A second channel gets only what is urgent, and
 * only if the wallet has acknowledged nothing of the task.
 */
export async function scheduleDeliveries(step: TransactionSql, notifications: readonly string[]): Promise<void> {
  const given = `{${notifications.join(',')}}`
  await step`
    update notify.delivery d set status = 'cancelled', ended_at = now()
    from notify.notification original, notify.notification n
    where n.seq = any(${given}::bigint[]) and n.kind = 'corrected' and original.id = n.corrects and original.is_corrected
      and d.notification = original.seq and d.status = 'pending' and d.attempts = 0`
  const lanes = await step<{ subscription: string; lane: string }[]>`
    with written as (
      insert into notify.delivery (subscription, notification, lane)
      select s.id, n.seq, coalesce(n.market::text, '') || ':' || coalesce(n.task::text, '')
      from notify.notification n join notify.subscription s on s.wallet = n.wallet
      where n.seq = any(${given}::bigint[]) and s.verified_at is not null and s.gone is null and (
        case when n.kind = 'corrected' then exists (
            select from notify.delivery d join notify.notification original on original.seq = d.notification
            where original.id = n.corrects and d.subscription = s.id and d.attempts > 0)
        else (s.kinds is null or n.kind = any(s.kinds)) and (not s.is_second or (n.urgency = 'urgent' and not exists (
            select from notify.notification seen where seen.market = n.market and seen.task = n.task
              and seen.wallet = n.wallet and seen.acknowledged_at is not null)))
        end)
      order by n.seq
      returning subscription, lane)
    select distinct subscription, lane from written`
  // The original holds again before it was ever sent.
  const revived = await step<{ subscription: string; lane: string }[]>`
    update notify.delivery d set status = 'pending', ended_at = null
    from notify.notification original, notify.notification n
    where n.seq = any(${given}::bigint[]) and n.kind = 'corrected' and original.id = n.corrects and not original.is_corrected
      and d.notification = original.seq and d.status = 'cancelled'
    returning d.subscription, d.lane`
  for (const { subscription, lane } of [...lanes, ...revived]) await scheduleLane(step, subscription, lane, 0)
}

/** Schedules the job that sends what is pending in a lane. There is at most one waiting job for each lane. */
export async function scheduleLane(
  sql: Pick<TransactionSql, 'unsafe'>,
  subscription: string,
  lane: string,
  afterMs: number,
  mode: 'preserve_run_at' | 'replace' = 'preserve_run_at',
): Promise<void> {
  await sql.unsafe(
    `select notify_jobs.add_job('deliver', json_build_object('subscription', $1::text, 'lane', $2::text),
      queue_name := $1::text || ' ' || $2::text, run_at := now() + $3::int * interval '1 millisecond',
      max_attempts := 1000, job_key := $1::text || ' ' || $2::text, job_key_mode := $4)`,
    [subscription, lane, Math.round(afterMs), mode],
  )
}
