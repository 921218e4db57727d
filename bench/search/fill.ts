import { createBuild, readConnectionSettings, serveBuild, windowWords } from '@svc/index'
import { type FoldedTask, serializeEntity } from '@svc/protocol/internal/fold'
import postgres, { type Sql } from 'postgres'
import { zeroAddress, zeroHash } from 'viem'
import type { Cluster } from '../../test/harness/cluster.ts'
import { createTestDatabaseIn } from '../../test/harness/postgres.ts'

/** The words of all texts. The nth word is about n times as rare as the first, as in real texts. */
const vocabulary = 20_000
const wordsPerTask = 15

/** The time of the last block, in unix seconds. */
const now = 1_800_000_000

/**
 * Creates a database whose tasks all wait for a worker, which is harder than a real market. Rows are made in SQL and hold what the
 * writer would write; `test/index/search.test.ts` covers the writer.
 */
export async function fillTasks(
  cluster: Pick<Cluster, 'url'>,
  name: string,
  tasks: number,
  log: (line: string) => void,
): Promise<Sql> {
  const started = Date.now()
  const { url } = await createTestDatabaseIn(cluster.url, name)
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {}, connection: readConnectionSettings })
  await createBuild(sql, 'full')
  await sql.unsafe(`set search_path to index_full; set synchronous_commit to off; set jit to off;
    alter table search set unlogged; alter table task set unlogged;
    drop index search_words; drop index search_window_words; drop index search_newest; drop index search_pay; drop index search_rate; drop index search_closing`)
  // Same numbers in every run.
  await sql`select setseed(0.42)`
  await sql`insert into cursor (market, number, hash, "timestamp", digest, events, finalized)
    values (0, 1, '\\x01', ${now}, '\\x01', 0, 1)`
  const [before = '', after = ''] = serializeEntity(template).split('"number":"1n"')
  await sql`insert into task (market, key, poster, state, json, mark, phase_end, early, late, posted)
    select 0, key, '\\x01', ${before} || '"number":"' || key || 'n"' || ${after}, '', '\\x01', ${now + 1}, '', '', true
    from generate_series(1, ${tasks}::integer) key`
  const window = (amount: string) => `floor(ln((${amount} + 1)::float8) / ln(2::float8) * 16)::integer`
  await sql.unsafe(`
    insert into search select 0, key, '\\x01', closes, pay, rate, -closes, newest_window, pay_window, rate_window, closing_window,
      random() < 0.5, random() < 0.2, left(text, 40), left(text, 200), '', words, ${windowWords('0')}
    from (select *, key >> 12 as newest_window, ${window('pay')} as pay_window, ${window('rate')} as rate_window,
        -ceil(closes / 4096.0)::integer as closing_window,
        setweight(to_tsvector('simple', left(text, 40)), 'A') || to_tsvector('simple', text) as words
      from (select key, pay::numeric, floor(pay / hours)::numeric as rate, closes, (
          select string_agg('w' || floor(exp(random() * ln(${vocabulary})))::integer, ' ') from generate_series(1, ${wordsPerTask}) where key > 0) as text
        from (select key, floor(exp(random() * 7) * 10) * 1e18 as pay, 1 + floor(random() * 72) as hours,
            ${now} - 86400 + floor(random() * 20 * 86400)::bigint as closes
          from generate_series(1, ${tasks}) key) drawn) each) rows`)
  await sql.unsafe(`set maintenance_work_mem to '2GB';
    create index search_newest on search (market, newest_window desc, key desc);
    create index search_pay on search (market, pay_window desc, pay desc, key desc);
    create index search_rate on search (market, rate_window desc, rate desc, key desc);
    create index search_closing on search (market, closing_window desc, closing desc, key desc);
    create index search_words on search using gin (words) with (fastupdate = off);
    create index search_window_words on search using gin (window_words) with (fastupdate = off)`)
  await sql.unsafe('vacuum (analyze)')
  await serveBuild(sql, 'full')
  log(`${name}: ${tasks} tasks in ${Math.round((Date.now() - started) / 1000)} s`)
  return sql
}

const template: FoldedTask = {
  number: 1n,
  poster: zeroAddress,
  worker: null,
  state: 'POSTED',
  scope: 'OPEN',
  claimPolicy: 'ANYONE',
  milestones: [{ amount: 10n ** 20n, duration: 3_600, state: 'OPEN' }],
  current: 0,
  maxRevisions: 1,
  revisions: 0,
  reviewWindow: 3_600,
  arbitrator: null,
  store: null,
  receipted: false,
  total: 10n ** 20n,
  funded: 10n ** 20n,
  released: 0n,
  refunded: 0n,
  settlementDigest: zeroHash,
  postedAt: now,
  postedBlock: 1,
  claimDeadline: now,
  claimedAt: 0,
  fundedAtClaim: false,
  deadline: 0,
  reviewEnd: 0,
  workerBps: 0,
  ruled: false,
  underNotice: false,
  criteriaHash: zeroHash,
  nonce: 1n,
  openDigest: zeroHash,
  posterReserve: 0n,
  allowedWorker: null,
  proofHash: null,
}
