// What an operator is told, and when: the one table from which `pnpm gen` writes alerts.yml, alertmanager.yml and the dashboards.
// Thresholds are for a chain with a block every two seconds or less.

/** Who is told: `page` wakes somebody, because users notice it or soon will; `ticket` can wait for a day. */
type Severity = 'page' | 'ticket'

export const dashboards = {
  market: 'What visitors get: answers, the index, the chain',
  money: 'What waits for a call, for a judge or for money',
  machine: 'Processes, database, disks, store, backups',
} as const

/** A figure that is drawn, and above or below which somebody is told. */
export interface Signal {
  dashboard: keyof typeof dashboards
  title: string
  /** As Grafana names it. */
  unit?: 's' | 'bytes' | 'percentunit' | 'short'
  /** What is drawn. */
  value: string
}

export interface Alert extends Signal {
  /** What `value` is compared with, such as `> 30`. Without, every sample of `value` counts. */
  fires?: string
  /** What else must hold. */
  only?: string
  /** How long it must last, in seconds. */
  seconds: number
  severity: Severity
  summary: string
  /** Alerts that explain this one: while one of them fires, nobody is told of this one. With `equal`, only of the same label. */
  explainedBy?: readonly { alert: AlertName; equal?: string }[]
}

/** Each also has a section with its name in docs/operations.md. */
export type AlertName = `Svc${string}`

/** What the market promises over 28 days. */
interface Objective {
  target: number
  promise: string
  /** The part that was bad in a window, 0 to 1. Without a window: whether it is bad now. */
  bad: (window?: Window) => string
}

/** The part of a window in which something held. Where there are no samples it did not: Prometheus may have just started. */
const measureShare = (condition: string) => (window?: Window) =>
  window ? `avg_over_time((${condition} or vector(0))[${window}:${steps[window]}])` : `(${condition})`

/** The windows of budgets, and how often something is looked at in them. */
const steps = { '1h': '1m', '2h': '5m', '1d': '10m' } as const
type Window = keyof typeof steps

const objectives: Readonly<Record<'answers' | 'lag' | 'calls', Objective>> = {
  answers: {
    target: 0.999,
    promise: 'Requests answered without a 5xx status',
    // A few failures in a quiet hour are not a trend.
    bad: (window: Window | '5m' = '5m') =>
      `(sum(rate(svc_api_responses_total{class="5xx"}[${window}])) / sum(rate(svc_api_responses_total[${window}])) and sum(increase(svc_api_responses_total{class="5xx"}[${window}])) > 10)`,
  },
  lag: {
    target: 0.995,
    promise: 'Minutes in which the served lag is below 30 s',
    bad: measureShare('max(svc_api_index_lag_seconds) > bool 30'),
  },
  calls: {
    target: 0.99,
    promise: 'Minutes in which no call has been due for more than 15 minutes',
    bad: measureShare('max(svc_keeper_oldest_due_seconds) > bool 900'),
  },
}

/** How many times faster than allowed the budgets are used, over a long window, and whether that still goes on. */
function burn(
  long: Window,
  short: Window | undefined,
  times: number,
): Pick<Alert, 'dashboard' | 'value' | 'fires' | 'only'> {
  const over = (window: Window | undefined) =>
    Object.entries(objectives)
      .map(([slo, { target, bad }]) => {
        const budget = Number((1 - target).toFixed(6))
        return `label_replace(${bad(window)} / ${budget}, "slo", "${slo}", "", "")`
      })
      .join(' or ')
  return {
    dashboard: 'market',
    value: `(${over(long)})`,
    fires: `> ${times}`,
    only: `on (slo) (${over(short)}) > ${times}`,
  }
}

/** What nobody can do about while the chain or every provider is away. */
const chain = [{ alert: 'SvcApiChainStandsStill' }, { alert: 'SvcApiChainUnreachable' }] as const
const database = { alert: 'SvcDatabaseDown' } as const
const job = { alert: 'SvcDown', equal: 'job' } as const

const serving = '{serving="true"}'
const sinceZero = (gauge: string) => `time() - ${gauge}`

export const alerts: Readonly<Record<AlertName, Alert>> = {
  SvcDown: {
    dashboard: 'machine',
    title: 'Processes that answer',
    value: 'up',
    fires: '== 0',
    seconds: 60,
    severity: 'page',
    summary: '{{ $labels.job }} at {{ $labels.instance }} does not respond.',
  },
  SvcDatabaseDown: {
    dashboard: 'machine',
    title: 'Database answers',
    value: 'max(svc_database_reachable)',
    fires: '== 0',
    // Sooner than what follows from it, so that only this is told.
    seconds: 30,
    severity: 'page',
    summary: 'No API replica reaches the database.',
  },
  SvcApiChainUnreachable: {
    dashboard: 'market',
    title: 'Chain can be read',
    value: 'max(svc_api_chain_reachable)',
    fires: '== 0',
    seconds: 60,
    severity: 'page',
    summary: 'No API replica reaches a provider: responses are marked stale, and calls fail.',
  },
  SvcApiChainStandsStill: {
    dashboard: 'market',
    title: 'Age of the newest block',
    unit: 's',
    value: 'min(svc_api_chain_head_age_seconds)',
    fires: '> 60',
    seconds: 60,
    severity: 'page',
    summary: 'The newest block of any replica is {{ $value | humanizeDuration }} old.',
    explainedBy: [{ alert: 'SvcApiChainUnreachable' }],
  },
  SvcIndexBehind: {
    dashboard: 'market',
    title: 'Served lag',
    unit: 's',
    value: 'max by (market) (svc_api_index_lag_seconds)',
    fires: '> 30',
    seconds: 60,
    severity: 'page',
    summary: 'The index of {{ $labels.market }} is {{ $value | humanizeDuration }} behind; reads go to the chain.',
    explainedBy: [...chain, database, { alert: 'SvcIndexWriters' }, { alert: 'SvcIndexHalted' }],
  },
  SvcIndexWriters: {
    dashboard: 'market',
    title: 'Indexers that write the serving build',
    value: `sum by (market, job) (svc_index_writing${serving})`,
    fires: `!= 1 or absent(svc_index_writing{job="indexer",serving="true"})`,
    // Sooner than the lag that follows from it.
    seconds: 60,
    severity: 'page',
    summary: 'The number of indexers that write {{ $labels.market }} of the serving build is not 1.',
    explainedBy: [database, job, { alert: 'SvcIndexHalted' }],
  },
  SvcIndexHalted: {
    dashboard: 'market',
    title: 'Halted',
    value: `max by (market) (svc_index_halted${serving})`,
    fires: '== 1',
    seconds: 0,
    severity: 'page',
    summary: 'The index of {{ $labels.market }} was halted.',
  },
  SvcIndexDiffers: {
    dashboard: 'market',
    title: 'Rows that differed from contract storage, per quarter of an hour',
    value: 'sum by (market) (increase(svc_index_differences_total[15m]))',
    fires: '> 0',
    seconds: 0,
    severity: 'page',
    summary:
      '{{ $value | printf "%.0f" }} rows of {{ $labels.market }} differed from contract storage; svc_index_healed_total says how many are right again.',
  },
  SvcIndexRebuildUseless: {
    dashboard: 'market',
    title: 'Rebuilds that cannot serve, per hour',
    value: 'sum(increase(svc_index_rebuilds_total{outcome="useless"}[1h]))',
    fires: '> 0',
    seconds: 0,
    severity: 'page',
    summary: 'A new build of the index differs from contract storage or could not be completed, so it does not serve.',
  },
  SvcIndexUnchecked: {
    dashboard: 'market',
    title: 'Rows compared in ten minutes',
    value: `sum by (market) (increase(svc_index_compared_total${serving}[10m]))`,
    fires: '== 0',
    only: `on (market) max by (market) (svc_index_writing${serving}) == 1`,
    seconds: 300,
    severity: 'ticket',
    summary: 'No row of {{ $labels.market }} was compared with contract storage for ten minutes.',
    explainedBy: [...chain, database],
  },
  SvcIndexStalls: {
    dashboard: 'market',
    title: 'Postponed steps per second',
    // A short window: what stalled while the database was away is over when it is back.
    value: `sum by (market) (rate(svc_index_stalls_total${serving}[1m]))`,
    fires: '> 0.1',
    seconds: 900,
    severity: 'ticket',
    summary:
      'Steps of {{ $labels.market }} are postponed all the time: a provider lags or returns false data, or the database is slow.',
    explainedBy: [...chain, database],
  },
  SvcIndexDeepReorg: {
    dashboard: 'market',
    title: 'Depth of the last rollback',
    value: `max by (market) (svc_index_rollback_depth_blocks${serving})`,
    fires: '> 10',
    only: `sum by (market) (increase(svc_index_rollbacks_total${serving}[1h])) > 0`,
    seconds: 0,
    severity: 'ticket',
    summary: 'A reorganisation rolled {{ $labels.market }} back by {{ $value }} blocks.',
  },
  SvcProviderSilent: {
    dashboard: 'market',
    title: 'Silent providers',
    value: 'max by (provider) (svc_rpc_silent)',
    fires: '== 1',
    seconds: 600,
    severity: 'ticket',
    summary: '{{ $labels.provider }} does not answer and is only probed.',
    explainedBy: [{ alert: 'SvcApiChainUnreachable' }],
  },
  SvcApiIndexUnreadable: {
    dashboard: 'market',
    title: 'Index can be read',
    value: 'svc_api_index_readable',
    fires: '== 0',
    seconds: 120,
    severity: 'page',
    summary:
      '{{ $labels.instance }} cannot read the index of {{ $labels.market }}: the database is unavailable, or the index is halted.',
    explainedBy: [database, { alert: 'SvcIndexHalted' }],
  },
  SvcApiSlow: {
    dashboard: 'market',
    title: '99th percentile of GET',
    unit: 's',
    value: 'histogram_quantile(0.99, sum by (le) (rate(svc_api_request_seconds_bucket{method="GET"}[5m])))',
    fires: '> 0.5',
    seconds: 600,
    severity: 'ticket',
    summary: 'The 99th percentile of GET requests is {{ $value | humanizeDuration }}.',
    explainedBy: [...chain, database],
  },
  SvcApiBusy: {
    dashboard: 'market',
    title: 'Requests in flight',
    value: 'svc_api_in_flight_requests',
    fires: '> 800',
    seconds: 60,
    severity: 'page',
    summary: '{{ $labels.instance }} has {{ $value }} requests in flight. Above 1000 it rejects requests.',
  },
  SvcKeeperOverdue: {
    dashboard: 'money',
    title: 'Oldest due call of your keeper',
    unit: 's',
    value: 'min by (market) (svc_keeper_oldest_due_seconds)',
    fires: '> 900',
    seconds: 300,
    severity: 'ticket',
    summary:
      'A call of {{ $labels.market }} has been due for {{ $value | humanizeDuration }}, and no keeper has made it.',
    explainedBy: [...chain, { alert: 'SvcKeeperOutOfGas' }],
  },
  SvcKeeperStalled: {
    dashboard: 'money',
    title: 'Age of the last block of the keeper',
    unit: 's',
    value: sinceZero('svc_keeper_block_timestamp_seconds'),
    fires: '> 180',
    seconds: 120,
    severity: 'ticket',
    summary: 'The keeper at {{ $labels.instance }} has not read a block for {{ $value | humanizeDuration }}.',
    explainedBy: chain,
  },
  SvcKeeperOutOfGas: {
    dashboard: 'money',
    title: 'Ether of the keeper',
    value: 'svc_keeper_balance_eth',
    // A keeper that has read no block knows nothing of its money.
    fires: '< 0.001 or on (instance) svc_keeper_budget_left_eth{window="day"} == 0',
    only: 'on (instance) svc_keeper_block_timestamp_seconds > 0',
    seconds: 300,
    severity: 'ticket',
    summary: 'The keeper at {{ $labels.instance }} has no gas money or budget left: {{ $value }} ETH.',
  },
  SvcStoreErrors: {
    dashboard: 'machine',
    title: 'Errors of the store',
    unit: 'percentunit',
    value: 'sum(rate(svc_store_responses_total{class="5xx"}[5m])) / sum(rate(svc_store_responses_total[5m]))',
    fires: '> 0.05',
    seconds: 300,
    severity: 'page',
    summary: "{{ $value | humanizePercentage }} of the store's responses have a 5xx status.",
    explainedBy: [...chain, database],
  },
  SvcStoreKeyDiffers: {
    dashboard: 'machine',
    title: 'Store signs with another key than the site names',
    value: 'max(svc_store_key_differs)',
    fires: '== 1',
    seconds: 0,
    severity: 'page',
    summary: 'The site names a store with another key: nothing can be receipted for the tasks that it posts.',
  },
  SvcStoreUnswept: {
    dashboard: 'machine',
    title: 'Age of the last sweep of the store',
    unit: 's',
    value: sinceZero('max(svc_store_swept_timestamp_seconds)'),
    fires: '> 7200',
    seconds: 300,
    severity: 'ticket',
    summary: 'The store has removed nothing for {{ $value | humanizeDuration }}.',
    explainedBy: [...chain, database],
  },
  SvcStoreGrows: {
    dashboard: 'machine',
    title: 'Stored work',
    unit: 'bytes',
    value: 'max(svc_store_bytes)',
    fires: '> 2 * max(svc_store_bytes offset 1d) > 1e10',
    seconds: 3600,
    severity: 'ticket',
    summary: 'Stored work has doubled in a day, to {{ $value | humanize1024 }}B.',
  },
  SvcNotifierStalled: {
    dashboard: 'market',
    title: 'Age of the last block of the notifier',
    unit: 's',
    value: sinceZero('max(svc_notifier_block_timestamp_seconds)'),
    fires: '> 240',
    seconds: 120,
    severity: 'page',
    summary: 'The notifier has followed no block for {{ $value | humanizeDuration }}.',
    explainedBy: [...chain, database, { alert: 'SvcIndexBehind' }, { alert: 'SvcIndexWriters' }],
  },
  SvcNotifierUndelivered: {
    dashboard: 'market',
    title: 'Messages given up in an hour',
    value: 'sum by (channel) (increase(svc_notifier_attempts_total{result="expired"}[1h]))',
    fires: '> 0',
    seconds: 300,
    severity: 'ticket',
    summary: '{{ $value }} messages over {{ $labels.channel }} were given up after a day of attempts.',
  },
  SvcClerkStalled: {
    dashboard: 'money',
    title: 'Age of the last full round of the clerk',
    unit: 's',
    value: sinceZero('max(svc_clerk_served_timestamp_seconds)'),
    fires: '> 600',
    seconds: 120,
    severity: 'ticket',
    summary: 'The clerk has not reached chain and store for {{ $value | humanizeDuration }}.',
    explainedBy: [...chain, database, { alert: 'SvcStoreErrors' }],
  },
  SvcClerkJudgeWaits: {
    dashboard: 'money',
    title: 'Seated judges who have not signed in',
    value: 'max(svc_clerk_waiting_judges)',
    fires: '> 0',
    seconds: 86_400,
    severity: 'ticket',
    summary: '{{ $value }} seated judges have not signed in at the store for a day, and cannot read the work.',
  },
  SvcWatchAlarm: {
    dashboard: 'money',
    title: 'Alarms about the contracts',
    value: 'max by (alarm, subject) (svc_watch_alarm{alarm!="court",level="page"})',
    fires: '== 1',
    seconds: 0,
    severity: 'page',
    summary: 'The watcher found something about the contracts: {{ $labels.alarm }} of {{ $labels.subject }}.',
  },
  SvcWatchCourt: {
    dashboard: 'money',
    title: 'Cases whose window before the final court closes',
    value: 'max by (subject) (svc_watch_alarm{alarm="court",level="page"})',
    fires: '== 1',
    seconds: 0,
    severity: 'page',
    summary: 'The window of the final court for a case closes: market, task and round are {{ $labels.subject }}.',
  },
  SvcWatchNotice: {
    dashboard: 'money',
    title: 'Notices about the contracts',
    value: 'max by (alarm, subject) (svc_watch_alarm{level="ticket"})',
    fires: '== 1',
    seconds: 300,
    severity: 'ticket',
    summary: 'The watcher found something about the contracts: {{ $labels.alarm }} of {{ $labels.subject }}.',
  },
  SvcWatchStalled: {
    dashboard: 'money',
    title: 'Age of the last block of the watcher',
    unit: 's',
    value: sinceZero('svc_watch_block_timestamp_seconds'),
    fires: '> 300',
    seconds: 120,
    severity: 'ticket',
    summary: 'The watcher at {{ $labels.instance }} has not read a block for {{ $value | humanizeDuration }}.',
    explainedBy: chain,
  },
  SvcDatabaseConnections: {
    dashboard: 'machine',
    title: 'Connections to the database, of those allowed',
    unit: 'percentunit',
    value: 'max(svc_database_connections / svc_database_max_connections)',
    fires: '> 0.8',
    seconds: 300,
    severity: 'page',
    summary: '{{ $value | humanizePercentage }} of the connections to Postgres are taken.',
  },
  SvcDatabaseGrows: {
    dashboard: 'machine',
    title: 'Size of the database',
    unit: 'bytes',
    value: 'max(svc_database_bytes)',
    fires: '> 2 * max(svc_database_bytes offset 1d) > 1e10',
    seconds: 3600,
    severity: 'ticket',
    summary: 'The database has doubled in a day, to {{ $value | humanize1024 }}B.',
  },
  SvcDiskFull: {
    dashboard: 'machine',
    title: 'Free part of each disk',
    unit: 'percentunit',
    value: 'min by (job, folder) (svc_disk_free_ratio)',
    fires: '< 0.1',
    seconds: 300,
    severity: 'page',
    summary:
      'The disk of {{ $labels.folder }} where {{ $labels.job }} runs has {{ $value | humanizePercentage }} left.',
  },
  SvcCertificateEnds: {
    dashboard: 'machine',
    title: 'Time until the certificate ends',
    unit: 's',
    value: 'min(svc_certificate_expiry_timestamp_seconds > 0) - time()',
    fires: '< 14 * 86400',
    seconds: 3600,
    severity: 'page',
    summary: 'The certificate of the site ends in {{ $value | humanizeDuration }}.',
  },
  SvcPartFails: {
    dashboard: 'machine',
    title: 'Restarts of parts in 15 minutes',
    value: 'sum by (part) (increase(svc_part_restarts_total[15m]))',
    fires: '>= 3',
    seconds: 0,
    severity: 'page',
    summary: 'The part {{ $labels.part }} failed {{ $value | humanize }} times in 15 minutes.',
  },
  SvcBackupOld: {
    dashboard: 'machine',
    title: 'Age of the last backup',
    unit: 's',
    value: sinceZero('max(svc_backup_timestamp_seconds)'),
    fires: '> 26 * 3600',
    seconds: 3600,
    severity: 'ticket',
    summary: 'The last backup is {{ $value | humanizeDuration }} old.',
    explainedBy: [database],
  },
  SvcRestoreUntried: {
    dashboard: 'machine',
    title: 'Age of the last restore drill',
    unit: 's',
    value: sinceZero('max(svc_restore_drill_timestamp_seconds)'),
    fires: '> 35 * 86400',
    seconds: 86_400,
    severity: 'ticket',
    summary: 'No backup was restored to try it for {{ $value | humanizeDuration }}.',
    explainedBy: [database],
  },
  SvcBudgetBurnsFast: {
    ...burn('1h', undefined, 14.4),
    title: 'Error budget, burnt in an hour (1: just kept)',
    seconds: 60,
    severity: 'page',
    summary: 'At this rate the month of {{ $labels.slo }} is used up in two days: {{ $value }} times too fast.',
    explainedBy: [...chain, database, { alert: 'SvcIndexBehind' }, { alert: 'SvcIndexWriters' }],
  },
  SvcBudgetBurnsSlow: {
    ...burn('1d', '2h', 3),
    title: 'Error budget, burnt in a day (1: just kept)',
    seconds: 900,
    severity: 'ticket',
    summary: 'At this rate the month of {{ $labels.slo }} is used up in ten days: {{ $value }} times too fast.',
    explainedBy: [...chain, database, { alert: 'SvcBudgetBurnsFast', equal: 'slo' }],
  },
}

/** Figures that are only drawn. */
export const figures: readonly Signal[] = [
  { dashboard: 'market', title: 'Requests per second', value: 'sum by (class) (rate(svc_api_responses_total[5m]))' },
  { dashboard: 'market', title: 'Reads by source', value: 'sum by (from) (rate(svc_api_read_answers_total[5m]))' },
  { dashboard: 'market', title: 'Events per second', value: 'sum by (market) (rate(svc_index_events_total[5m]))' },
  { dashboard: 'market', title: 'RPC calls per second', value: 'sum by (provider) (rate(svc_rpc_calls_total[5m]))' },
  {
    dashboard: 'money',
    title: 'Surplus of each vault, in tokens',
    value: 'min by (market, vault) (svc_watch_surplus)',
  },
  { dashboard: 'money', title: 'Due calls', value: 'max by (market) (svc_watch_due_calls)' },
  { dashboard: 'money', title: 'Free judges', value: 'max by (market) (svc_watch_free_judges)' },
  {
    dashboard: 'money',
    title: 'Time left for the final court; -1 without a case',
    unit: 's',
    value: 'min by (market) (svc_watch_court_seconds_left)',
  },
  { dashboard: 'money', title: 'Disputes', value: 'max by (market) (svc_clerk_disputes)' },
  {
    dashboard: 'money',
    title: 'Spent on gas, in ether per hour',
    value: 'sum(increase(svc_keeper_spent_eth_total[1h]))',
  },
  {
    dashboard: 'machine',
    title: 'Memory of each process',
    unit: 'bytes',
    value: 'process_resident_memory_bytes',
  },
  {
    dashboard: 'machine',
    title: 'Processor time of each process',
    unit: 'percentunit',
    value: 'rate(process_cpu_seconds_total[5m])',
  },
]

/** The expression of an alert. */
export const buildExpression = ({ value, fires, only }: Pick<Alert, 'value' | 'fires' | 'only'>): string =>
  `${only && fires ? `(${value} ${fires})` : [value, fires].filter(Boolean).join(' ')}${only ? ` and ${only}` : ''}`
