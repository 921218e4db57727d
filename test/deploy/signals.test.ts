import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { type AlertName, alerts, figures } from '../../deploy/signals.ts'
import { formatRules } from '../../scripts/gen/signals.ts'
import { readFreshMetrics } from './freshMetrics.ts'
import { listMissingSeries, readSamples } from './scrape.ts'

const run = promisify(execFile)
const minute = 60
const hour = 3_600
/** Between samples: a case of hours has fewer, because every alert is computed for each. */
const chooseStep = (at: number) => (at > hour ? 3_600 : 120)

/** What a series says from the start, in the notation of promtool. By name, or by name and a label. */
type Values = Readonly<Record<string, string>>

/** What services say that have run well for a while, where it differs from their first words. Clocks begin at 0 here. */
const healthy: Values = {
  _timestamp_seconds: '0+SxN',
  svc_certificate_expiry_timestamp_seconds: '1e10xN',
  // Not that of the machine that runs the test.
  svc_disk_free_ratio: '0.5xN',
  svc_index_writing: '1xN',
  svc_index_compared_total: '0+50xN',
  svc_keeper_balance_eth: '1xN',
  svc_keeper_budget_left_eth: '1xN',
  svc_api_chain_head_age_seconds: '2xN',
  'svc_api_responses_total{class="2xx"': '0+600xN',
  'svc_store_responses_total{class="2xx"': '0+600xN',
}

const away = '0xN'

/** What each fault changes in that text, and how long it takes until somebody is told. */
const faults: Readonly<
  Record<AlertName, { values: Values; after?: number; step?: number; others?: readonly AlertName[] }>
> = {
  SvcDown: { values: { 'up{job="keeper"': away } },
  SvcDatabaseDown: { values: { svc_database_reachable: away } },
  SvcApiChainUnreachable: { values: { svc_api_chain_reachable: away } },
  SvcApiChainStandsStill: { values: { svc_api_chain_head_age_seconds: '0+60xN' } },
  SvcIndexBehind: { values: { 'svc_api_index_lag_seconds{market="micro"': '31xN' }, others: ['SvcBudgetBurnsFast'] },
  SvcIndexWriters: { values: { svc_index_writing: away } },
  SvcIndexHalted: { values: { svc_index_halted: '1xN' } },
  SvcIndexDiffers: {
    values: { 'svc_index_differences_total{market="micro",build="a",serving="true"': '0x5 1xN' },
    after: 15 * minute,
  },
  SvcIndexRebuildUseless: { values: { 'svc_index_rebuilds_total{outcome="useless"': '0x5 1xN' }, after: 15 * minute },
  SvcIndexUnchecked: { values: { svc_index_compared_total: '7xN' }, after: 20 * minute },
  SvcIndexStalls: { values: { svc_index_stalls_total: '0+5xN' }, after: 30 * minute, step: 30 },
  SvcIndexDeepReorg: {
    values: { svc_index_rollback_depth_blocks: '0x5 12xN', svc_index_rollbacks_total: '0x5 1xN' },
    after: 15 * minute,
  },
  SvcProviderSilent: { values: { svc_rpc_silent: '1xN' }, after: 15 * minute },
  SvcApiIndexUnreadable: { values: { 'svc_api_index_readable{market="micro"': away } },
  SvcApiSlow: {
    values: {
      'svc_api_request_seconds_bucket{method="GET",route="none",status="200",le="2"': '0+60xN',
      'svc_api_request_seconds_bucket{method="GET",route="none",status="200",le="10"': '0+60xN',
      'svc_api_request_seconds_bucket{method="GET",route="none",status="200",le="+Inf"': '0+60xN',
    },
    after: 20 * minute,
  },
  SvcApiBusy: { values: { svc_api_in_flight_requests: '801xN' } },
  SvcKeeperOverdue: {
    values: { 'svc_keeper_oldest_due_seconds{market="micro"': '901xN' },
    others: ['SvcBudgetBurnsFast'],
  },
  SvcKeeperStalled: { values: { svc_keeper_block_timestamp_seconds: '1xN' } },
  SvcKeeperOutOfGas: { values: { svc_keeper_balance_eth: away } },
  SvcStoreErrors: { values: { 'svc_store_responses_total{class="5xx"': '0+60xN' }, after: 15 * minute },
  SvcStoreKeyDiffers: { values: { svc_store_key_differs: '1xN' } },
  SvcStoreUnswept: { values: { svc_store_swept_timestamp_seconds: '-8000xN' } },
  SvcStoreGrows: { values: { svc_store_bytes: '6e9x25 2e10xN' }, after: 27 * hour },
  SvcNotifierStalled: { values: { svc_notifier_block_timestamp_seconds: '1xN' } },
  SvcNotifierUndelivered: {
    values: { 'svc_notifier_attempts_total{channel="email",result="expired"': '0x5 1xN' },
    after: 20 * minute,
  },
  SvcClerkStalled: { values: { svc_clerk_served_timestamp_seconds: '1xN' }, after: 20 * minute },
  SvcClerkJudgeWaits: { values: { svc_clerk_waiting_judges: '1xN' }, after: 25 * hour },
  SvcWatchAlarm: { values: { 'svc_watch_alarm{alarm="escrow",subject="micro"': '1xN' } },
  SvcWatchCourt: { values: { 'svc_watch_alarm{alarm="court",subject="micro"': '1xN' } },
  SvcWatchNotice: { values: { 'svc_watch_alarm{alarm="judges",subject="micro"': '1xN' } },
  SvcWatchStalled: { values: { svc_watch_block_timestamp_seconds: '1xN' } },
  SvcDatabaseConnections: { values: { svc_database_connections: '90xN', svc_database_max_connections: '100xN' } },
  SvcDatabaseGrows: { values: { svc_database_bytes: '6e9x25 2e10xN' }, after: 27 * hour },
  SvcDiskFull: { values: { svc_disk_free_ratio: '0.05xN' } },
  SvcCertificateEnds: { values: { svc_certificate_expiry_timestamp_seconds: '1e5xN' }, after: 2 * hour },
  SvcPartFails: { values: { svc_part_restarts_total: '0+1xN' }, after: 15 * minute },
  SvcBackupOld: { values: { svc_backup_timestamp_seconds: '-1e5xN' }, after: 2 * hour },
  SvcRestoreUntried: { values: { svc_restore_drill_timestamp_seconds: '-1e7xN' }, after: 25 * hour },
  SvcBudgetBurnsFast: { values: { 'svc_api_responses_total{class="5xx"': '0+60xN' } },
  SvcBudgetBurnsSlow: { values: { 'svc_api_responses_total{class="5xx"': '0+3xN' }, after: 30 * minute },
}

let text: string
let samples: Map<string, string>
beforeAll(async () => {
  text = await readFreshMetrics()
  samples = new Map([...readSamples(text)].filter(([series]) => series.startsWith('svc_')))
  for (const job of ['indexer', 'api', 'keeper', 'store', 'notifier', 'clerk', 'watcher'])
    samples.set(`up{job="${job}",instance="${job}:1"}`, '1')
})

test('every series that an alert names is exposed by a service that has just started', () => {
  expect(samples.size).toBeGreaterThan(200)
  expect(listMissingSeries([...samples.keys()])).toEqual([])
})

test('every metric says what it means, and what the runbook and the dashboards name is one', () => {
  const meanings = new Map(
    [...text.matchAll(/^# HELP (svc_\w+) (.*)$/gm)].map(([, name = '', help = '']) => [name, help]),
  )
  expect(meanings.size).toBeGreaterThan(80)
  expect([...meanings].filter(([, help]) => !/^.{8,}\.$/.test(help))).toEqual([])
  const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  const texts = [page, ...[...Object.values(alerts), ...figures].map(({ value }) => value)]
  const named = texts.flatMap((each) => each.match(/\bsvc_(?!read\b)\w+/g) ?? [])
  expect(named.filter((name) => !meanings.has(name.replace(/_(?:count|bucket|sum)$/, '')))).toEqual([])
})

test('each alert is explained only by alerts that exist', () => {
  const named = Object.values(alerts).flatMap(({ explainedBy = [] }) => explainedBy.map(({ alert }) => alert))
  expect(named.filter((name) => !(name in alerts))).toEqual([])
  expect(Object.keys(faults)).toEqual(Object.keys(alerts))
})

/** A test of promtool: with these values, these alerts fire and no other. */
function buildCase(name: string, values: Values, at: number, firing: readonly string[], step = chooseStep(at)) {
  const count = Math.ceil(at / step) + 1
  const all = { ...healthy, ...values }
  const series = [...samples].map(([name, value]) => {
    const found = Object.keys(all).findLast((key) =>
      key.startsWith('_') ? name.includes(`${key}{`) : name.startsWith(key),
    )
    return {
      series: name,
      values: (found ? all[found] : `${value}xN`)?.replace('N', String(count)).replace('S', String(step)),
    }
  })
  return {
    name,
    interval: `${step}s`,
    input_series: series,
    promql_expr_test: [
      {
        expr: 'group by (alertname) (ALERTS{alertstate="firing"})',
        eval_time: `${at}s`,
        exp_samples: firing.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
      },
    ],
  }
}

test('each alert fires for its fault, no other does, and none while all is well', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'signals-'))
  try {
    await writeFile(join(folder, 'alerts.yml'), formatRules())
    const cases = Object.entries(faults).map(([name, { values, after = 10 * minute, others = [], step }]) =>
      buildCase(name, values, after, [name, ...others], step),
    )
    const files = [...Map.groupBy([buildCase('all is well', {}, hour, []), ...cases], ({ interval }) => interval)]
    for (const [interval, tests] of files)
      await writeFile(
        join(folder, `${interval}.yml`),
        stringify({ rule_files: ['alerts.yml'], evaluation_interval: interval, tests }),
      )
    const names = files.map(([interval]) => `${interval}.yml`)
    // It exits with 1 and says on stderr what differs.
    const { stderr } = await run('promtool', ['test', 'rules', ...names], { cwd: folder }).catch((error) => error)
    expect(stderr).toBe('')
  } finally {
    await rm(folder, { recursive: true })
  }
})
