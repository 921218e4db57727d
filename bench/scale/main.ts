// pnpm bench scale [--tasks N] [--events N] [--small N] [--runs N] [--buffers SIZE]: what reading costs when the
// index is large. With few buffers the large one is read from disk.
import { parseArgs } from 'node:util'
import { runScale, type ScaleReport } from './run.ts'

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '1000000' },
    events: { type: 'string', default: '8000000' },
    small: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '300' },
    buffers: { type: 'string' },
  },
})

const started = Date.now()
const report = await runScale({
  tasks: Number(values.tasks),
  events: Number(values.events),
  smallTasks: Number(values.small),
  runs: Number(values.runs),
  buffers: values.buffers,
  log: console.log,
})
print(report)
console.log(`${Math.round((Date.now() - started) / 1000)} s in total; ${report.faults.length || 'no'} faults`)
for (const fault of report.faults) console.log(fault)
process.exitCode = report.faults.length > 0 ? 1 : 0

function print({ measured, plans, inSmall, sizes, large }: ScaleReport): void {
  const bare = measured.find(({ name }) => name === 'select 1')?.large.p50 ?? 1
  const [ms, ratio] = [(time: number) => time.toFixed(2), (value: number) => value.toFixed(2)]
  console.table(
    measured.map(({ name, small, large, tries }) => ({
      read: name,
      'small p50 ms': ms(small.p50),
      'large p50 ms': ms(large.p50),
      'small p99': ms(small.p99),
      'large p99': ms(large.p99),
      'large / small': ratio(large.p50 / small.p50),
      'large / select 1': ratio(large.p50 / bare),
      tries,
    })),
  )
  console.table(
    plans.map(({ name, plan, rowsRead, nodes }, index) => ({
      read: name,
      plan,
      'rows visited': rowsRead,
      'in the small one': inSmall[index]?.rowsRead,
      scans: [...new Set(nodes.flatMap((node) => node['Index Name'] ?? node['Relation Name'] ?? []))].join(' '),
    })),
  )
  console.table(
    sizes.map(({ table, rows, heap, indexes }) => ({
      table,
      rows,
      MB: Math.round(heap / 1e6),
      'MB of indexes': Math.round(indexes / 1e6),
      'bytes a row': Math.round(heap / rows),
      'of indexes': Math.round(indexes / rows),
    })),
  )
  const sum = (pick: (table: string) => boolean, kind: 'heap' | 'indexes') =>
    sizes.filter(({ table }) => pick(table)).reduce((all, size) => all + size[kind], 0)
  const ofEvents = (table: string) => table === 'event'
  const ofTasks = (table: string) => ['task', 'entity', 'agent', 'arbitrator'].includes(table)
  for (const [what, pick, count] of [
    ['a task, with its reserves, disputes, pairs and wallets', ofTasks, large.tasks],
    ['an event', ofEvents, large.events],
  ] as const) {
    console.log(
      `${what}: ${Math.round(sum(pick, 'heap') / count)} bytes and ${Math.round(sum(pick, 'indexes') / count)} of indexes`,
    )
  }
}
