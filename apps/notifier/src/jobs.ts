import { EventEmitter } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import type { SchemaName } from '@svc/serve'
import { Logger, type Runner, run, runMigrations, type WorkerEvents } from 'graphile-worker'
import type { Sql } from 'postgres'
import { scheduleLane } from './records/deliveries.ts'

/** The schema of the job queue. */
const schema = 'notify_jobs' satisfies SchemaName

/** Its errors are reported through `onError`; its lines could contain payloads. */
const silentLogger = new Logger(() => () => {})

/** Lanes that are looked after at once. */
const maxLanes = 1_000

/** Creates the tables of the job queue. */
export const migrateJobs = (url: string): Promise<void> =>
  runMigrations({ connectionString: url, schema, logger: silentLogger })

export interface JobsOptions {
  url: string
  sql: Sql
  /** Sends what is pending in a lane. */
  deliver: (lane: { subscription: string; lane: string }, stopping: AbortSignal) => Promise<void>
  concurrency?: number
  stopping: AbortSignal
  onError: (error: Error, what: string) => void
  /** How often workers say that they are alive, and after how long without it their jobs are taken over. */
  beatMs?: number
  deadAfterMs?: number
}

/**
 * Runs the job queue (graphile-worker) until it is stopped, again after every loss of the database. A worker that was killed still
 * holds its jobs; others take them over when it has said nothing for a while. A send takes less time than that.
 */
export async function runJobs(options: JobsOptions): Promise<void> {
  const { url, sql, deliver, concurrency = 10, stopping, onError, beatMs = 3_000, deadAfterMs = 30_000 } = options
  const workers = new Set<string>()
  const events: WorkerEvents = new EventEmitter()
  events.on('worker:create', ({ worker }) => workers.add(worker.workerId))
  events.on('worker:stop', ({ worker }) => workers.delete(worker.workerId))
  const beats = runBeats()
  while (!stopping.aborted) {
    let runner: Runner | null = null
    try {
      runner = await run({
        connectionString: url,
        schema,
        concurrency,
        maxPoolSize: concurrency + 2,
        pollInterval: 1_000,
        noHandleSignals: true,
        logger: silentLogger,
        events,
        taskList: {
          deliver: async (payload) => deliver(parseLane(payload), stopping),
        },
      })
      const stopped = new Promise<void>((resolve) =>
        stopping.addEventListener('abort', () => resolve(), { once: true }),
      )
      await Promise.race([runner.promise, stopped])
    } catch (error) {
      if (!stopping.aborted) onError(error as Error, 'the job queue stopped, starting it again')
    }
    // Without a database it may never stop.
    await Promise.race([runner?.stop().catch(() => {}), wait(5_000)])
    await wait(500, undefined, { signal: stopping }).catch(() => {})
  }
  await beats

  async function runBeats(): Promise<void> {
    while (!stopping.aborted) {
      await beat().catch((error: Error) => onError(error, 'cannot look after the workers'))
      await wait(beatMs, undefined, { signal: stopping }).catch(() => {})
    }
  }

  async function beat(): Promise<void> {
    if (workers.size === 0) return
    await sql`insert into notify.worker (id, seen_at)
      select id, now() from jsonb_array_elements_text(${JSON.stringify([...workers])}::text::jsonb) as w (id)
      on conflict (id) do update set seen_at = now()`
    await sql.unsafe(
      `with dead as (
        select distinct locked_by from (
          select locked_by from ${schema}._private_jobs union all select locked_by from ${schema}._private_job_queues) held
        where locked_by is not null and not exists (
          select from notify.worker w where w.id = locked_by and w.seen_at > now() - $1::int * interval '1 millisecond'))
      select ${schema}.force_unlock_workers(array_agg(locked_by)) from dead having count(*) > 0`,
      [deadAfterMs],
    )
    await rescheduleLanes()
    await sql`delete from notify.worker where seen_at < now() - interval '1 day'`
  }

  /**
   * Schedules lanes that wait without a job, or whose job failed: it fails only when the database was lost, and the queue would let it
   * wait longer and longer. The deliveries say what is to be done; jobs only say when.
   */
  async function rescheduleLanes(): Promise<void> {
    const lanes = await sql.unsafe<{ subscription: string; lane: string }[]>(
      `select d.subscription, d.lane
      from (select distinct subscription, lane from notify.delivery where status = 'pending' limit ${maxLanes}) d
      left join ${schema}._private_jobs j on j.key = d.subscription || ' ' || d.lane
      where j.id is null or (j.locked_at is null and j.last_error is not null and j.run_at > now())`,
    )
    for (const { subscription, lane } of lanes) await scheduleLane(sql, subscription, lane, 0, 'replace')
  }
}

function parseLane(payload: unknown): { subscription: string; lane: string } {
  const { subscription, lane } = payload as { subscription?: unknown; lane?: unknown }
  return { subscription: String(subscription), lane: String(lane) }
}
