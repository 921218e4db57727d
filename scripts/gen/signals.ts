import { stringify } from 'yaml'
import { type Alert, alerts, buildExpression, dashboards, figures, type Signal } from '../../deploy/signals.ts'
import { writeDerived } from './writeDerived.ts'

const deploy = new URL('../../deploy/', import.meta.url)
const notice = '# Written by `pnpm gen` from signals.ts.\n'

/** Writes the alerts of Prometheus, the routes of Alertmanager and the dashboards of Grafana. */
export async function genSignals(): Promise<void> {
  await writeDerived(new URL('alerts.yml', deploy), notice + formatRules())
  await writeDerived(new URL('alertmanager.yml', deploy), notice + formatAlertmanager())
  for (const name in dashboards)
    await writeDerived(new URL(`dashboards/${name}.json`, deploy), formatDashboard(buildDashboard(name)))
}

/** The rules of Prometheus. A drill divides every time by `speed`, so that it need not wait for hours. */
export function formatRules(speed = 1): string {
  const explaining = new Set<string>(
    Object.values(alerts).flatMap(({ explainedBy = [] }) => explainedBy.map(({ alert }) => alert)),
  )
  const rules = Object.entries(alerts).map(([alert, { seconds, severity, summary, ...row }]) => ({
    alert,
    expr: shorten(buildExpression(row), row.unit, speed),
    ...(seconds > 0 && { for: `${Math.ceil(seconds / speed)}s` }),
    // What it explains needs a moment longer to be over.
    ...(explaining.has(alert) && { keep_firing_for: `${120 / speed}s` }),
    labels: { severity },
    annotations: { summary, runbook: `docs/operations.md#${alert.toLowerCase()}` },
  }))
  return stringify({ groups: [{ name: 'svc', rules }] }, { lineWidth: 0 })
}

/** Divides windows, and the ages that are compared. A latency stays what it is: services are not faster in a drill. */
function shorten(expression: string, unit: Alert['unit'], speed: number): string {
  if (speed === 1) return expression
  const windows = expression.replace(
    /\[(\d+)([mhd])(:\d+m)?\]/g,
    (_, count: string, letter: 'm' | 'h' | 'd', step?: string) => {
      const seconds = (Number(count) * { m: 60, h: 3_600, d: 86_400 }[letter]) / speed
      return `[${Math.max(8, Math.round(seconds))}s${step ? ':1s' : ''}]`
    },
  )
  const ages = unit === 's' ? /(?<=[<>] (?:bool )?)\d{2,}/g : /(?<=> bool )\d+/g
  return windows.replace(ages, (seconds) => String(Number(seconds) / speed))
}

/** Who is told of what, and what is not said because something else explains it. */
export function formatAlertmanager(speed = 1, receiver: object = {}): string {
  const inhibited = Object.entries(alerts).flatMap(([name, { explainedBy = [] }]) =>
    explainedBy.map(({ alert, equal }) => ({ alert, equal: equal ?? '', name })),
  )
  const groups = Map.groupBy(inhibited, ({ alert, equal }) => `${alert} ${equal}`)
  return stringify(
    {
      route: {
        receiver: 'tickets',
        group_by: ['alertname'],
        // Time for what explains an alert to arrive.
        group_wait: `${30 / speed}s`,
        group_interval: `${300 / speed}s`,
        routes: [
          { matchers: ['severity="page"'], receiver: 'pages', repeat_interval: '1h' },
          { matchers: ['severity="ticket"'], receiver: 'tickets', repeat_interval: '24h' },
        ],
      },
      inhibit_rules: [...groups.values()].map(([first, ...others]) => ({
        source_matchers: [`alertname="${first?.alert}"`],
        target_matchers: [`alertname=~"${[first, ...others].map((each) => each?.name).join('|')}"`],
        ...(first?.equal && { equal: [first.equal] }),
      })),
      // Add to each how it is sent: https://prometheus.io/docs/alerting/latest/configuration/#receiver
      receivers: ['pages', 'tickets'].map((name) => ({ name, ...receiver })),
    },
    { lineWidth: 0 },
  )
}

/** JSON with a panel a line, so that a change shows as the panel that changed. */
function formatDashboard({ panels, ...rest }: ReturnType<typeof buildDashboard>): string {
  const head = JSON.stringify(rest, null, 2).slice(0, -2)
  return `${head},\n  "panels": [\n${panels.map((panel) => `    ${JSON.stringify(panel)}`).join(',\n')}\n  ]\n}\n`
}

interface Panel extends Signal {
  description: string
  /** Above or below which somebody is told. */
  limit: number | null
}

/** A dashboard for Grafana 10 or later: a panel for each signal, with its threshold, and those that are only drawn. */
function buildDashboard(name: string) {
  const panels: Panel[] = [
    ...Object.entries(alerts).map(([alert, row]) => ({
      ...row,
      description: `${alert}: ${row.severity}`,
      limit: readLimit(row.fires),
    })),
    ...figures.map((row) => ({ ...row, description: '', limit: null })),
  ].filter(({ dashboard }) => dashboard === name)
  return {
    uid: `svc-${name}`,
    title: `Task Market: ${name}`,
    description: Object.entries(dashboards).find(([key]) => key === name)?.[1],
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'prometheus', type: 'datasource', query: 'prometheus' }] },
    panels: panels.map(({ title, description, unit = 'short', value, limit }, index) => ({
      id: index + 1,
      type: 'timeseries',
      title,
      description,
      datasource: { type: 'prometheus', uid: '$prometheus' },
      gridPos: { x: (index % 3) * 8, y: Math.floor(index / 3) * 7, w: 8, h: 7 },
      fieldConfig: {
        defaults: {
          unit,
          // So that noise does not look like a change.
          custom: { axisSoftMin: 0, ...(limit !== null && { thresholdsStyle: { mode: 'line' } }) },
          ...(limit !== null && {
            thresholds: {
              mode: 'absolute',
              steps: [
                { color: 'green', value: null },
                { color: 'red', value: limit },
              ],
            },
          }),
        },
        overrides: [],
      },
      targets: [{ refId: 'A', expr: value, legendFormat: '' }],
    })),
  }
}

/** The number of a comparison such as `> 2 * 3600`; null if it is not a plain one. */
function readLimit(fires = ''): number | null {
  const [, factors] = /^[<>] ([\d.]+(?: \* [\d.]+)*)$/.exec(fires) ?? []
  return factors ? factors.split(' * ').reduce((product, factor) => product * Number(factor), 1) : null
}
