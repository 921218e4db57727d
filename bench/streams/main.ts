// pnpm bench streams [--listeners N] [--blocks N]: event streams of the real API through nginx with nchan, beside nginx alone with the same
// messages: whether every listener gets every event once while nginx and a replica are killed, how late, and what a listener costs.
// The listeners share the CPU with everything else. Needs nginx and libnginx-mod-nchan.
import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { formatTable } from '@svc/devnet'
import { runStreamsBench } from './run.ts'

const { values } = parseArgs({
  options: {
    listeners: { type: 'string', default: '50000' },
    blocks: { type: 'string', default: '5' },
  },
})

const { phases, connectSeconds, bytesPerListener, wrong } = await runStreamsBench({
  listeners: Number(values.listeners),
  blocks: Number(values.blocks),
  log: console.log,
})
const count = (value: number) => Math.round(value).toLocaleString('en')
const rows = phases.map(({ name, messages, due, delivered, p50Ms, p99Ms, maxMs, opened, seconds }) => [
  name,
  count(messages),
  `${count(delivered)} of ${count(due)}`,
  ...[p50Ms, p99Ms, maxMs].map(count),
  count(opened),
  count(seconds),
])
console.log(
  formatTable([['phase', 'messages', 'delivered', 'p50 ms', 'p99 ms', 'max ms', 'connections opened', 's'], ...rows]),
)
const [first, bare] = [phases[0], phases.at(-1)]
console.log(`p99 undisturbed: ${((first?.p99Ms ?? 0) / (bare?.p99Ms ?? 1)).toFixed(2)} of nginx alone`)
console.log(
  `connected in ${connectSeconds.toFixed(1)} s; nginx has ${count(bytesPerListener)} bytes a listener; load ${loadavg()[0]?.toFixed(1)}`,
)
console.log(
  wrong === 0 ? 'every listener got every event once, in order' : `${wrong} listeners missed or repeated events`,
)
process.exitCode = wrong === 0 ? 0 : 1
