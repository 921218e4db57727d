// pnpm bench market [--tasks N] [--idle SECONDS] [--json FILE]
// One market as one process and as six: start, memory, connections and RPC calls while nothing happens and during a first fill, what a
// kill costs, and whether both forms show the same tasks on the same database and folder.
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { formatTable } from '@svc/devnet'
import { forms } from './forms.ts'
import { measureFill } from './measureFill.ts'
import { measureIdle } from './measureIdle.ts'

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '10000' },
    idle: { type: 'string', default: '120' },
    json: { type: 'string' },
  },
})
const report = []
for (const form of forms) {
  const idle = await measureIdle(form, Number(values.idle))
  const fill = await measureFill(form, Number(values.tasks))
  report.push({ form, idle, fill })
  const { calls, methods } = idle
  console.log(`\n${form === 'one' ? 'one process' : 'six processes'}, load ${loadavg()[0]?.toFixed(1)}`)
  console.log(
    formatTable([
      ['', 'idle', `first fill of ${fill.tasks.toLocaleString('en')} tasks`],
      ['until it listens', seconds(idle.listensMs), seconds(fill.listensMs)],
      ['until the index serves', seconds(idle.servesMs), seconds(fill.servesMs)],
      ['memory (PSS)', megabytes(idle.memory), `at most ${megabytes(fill.memory)}`],
      ['connections to Postgres', String(idle.connections), `at most ${fill.connections}`],
      ['RPC calls a second', calls.toFixed(1), ''],
      ['/healthz p50, p99, longest', '', fill.health.map((ms) => `${Math.round(ms)}`).join(', ')],
      ['a task p50, p99, longest', '', fill.reads.map((ms) => `${Math.round(ms)}`).join(', ')],
      ['outcomes', '', [...fill.outcomes].map(([name, count]) => `${name}: ${count}`).join(', ')],
      ['ready again after SIGKILL', seconds(idle.againMs), ''],
      ['the same tasks in the other form, and back', idle.differs ?? 'yes', ''],
    ]),
  )
  console.log(methods.map(([name, each]) => `${name} ${each.toFixed(2)}/s`).join(', '))
}
if (values.json) await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`)

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`
}
