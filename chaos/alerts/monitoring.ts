import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { stringify } from 'yaml'
import { z } from 'zod'
import { formatAlertmanager, formatRules } from '../../scripts/gen/signals.ts'
import { findFreePorts } from '../../test/harness/freePorts.ts'
import { waitUntil } from '../shared/replica.ts'

const notification = z.object({
  receiver: z.enum(['pages', 'tickets']),
  status: z.enum(['firing', 'resolved']),
  alerts: z.array(z.object({ labels: z.object({ alertname: z.string() }).catchall(z.string()) })),
})

/** What somebody was told. */
interface Told extends z.infer<typeof notification> {
  /** Unix milliseconds. */
  at: number
}

/** Prometheus and Alertmanager with the rules of this repository, and everybody who is told of something. */
export interface Monitoring {
  told: readonly Told[]
  /** The alerts that wait or fire now, whether anybody is told of them or not. */
  readAlerts: () => Promise<{ name: string; state: string }[]>
  /** Evaluates an expression: its values by labels. */
  query: (expression: string) => Promise<readonly unknown[]>
  stop: () => Promise<void>
}

const active = z.object({
  data: z.object({ alerts: z.array(z.object({ state: z.string(), labels: z.object({ alertname: z.string() }) })) }),
})
const answer = z.object({ data: z.object({ result: z.array(z.unknown()) }) })

/** Starts both. Every time in the rules is divided by `speed`. */
export async function startMonitoring(
  targets: Readonly<Record<string, readonly string[]>>,
  speed: number,
): Promise<Monitoring> {
  const folder = await mkdtemp(join(tmpdir(), 'alerts-'))
  const told: Told[] = []
  const receiver = createServer(async (request, response) => {
    told.push({ ...notification.parse(JSON.parse(await text(request))), at: Date.now() })
    response.end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port: receiverPort } = receiver.address() as AddressInfo
  const [prometheusPort = 0, managerPort = 0] = await findFreePorts(2)
  const prometheusUrl = `http://127.0.0.1:${prometheusPort}`

  await writeFile(join(folder, 'alerts.yml'), formatRules(speed))
  await writeFile(
    join(folder, 'alertmanager.yml'),
    formatAlertmanager(speed, { webhook_configs: [{ url: `http://127.0.0.1:${receiverPort}/` }] }),
  )
  await writeFile(
    join(folder, 'prometheus.yml'),
    stringify({
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: ['alerts.yml'],
      alerting: { alertmanagers: [{ static_configs: [{ targets: [`127.0.0.1:${managerPort}`] }] }] },
      scrape_configs: Object.entries(targets).map(([job_name, list]) => ({
        job_name,
        static_configs: [{ targets: list }],
      })),
    }),
  )
  await mkdir(join(folder, 'manager'))
  const programs = [
    run('prometheus-alertmanager', [
      `--config.file=${join(folder, 'alertmanager.yml')}`,
      `--storage.path=${join(folder, 'manager')}`,
      `--web.listen-address=127.0.0.1:${managerPort}`,
      '--cluster.listen-address=',
    ]),
    run('prometheus', [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'figures')}`,
      `--web.listen-address=127.0.0.1:${prometheusPort}`,
    ]),
  ]
  const get = async (path: string): Promise<unknown> =>
    (await fetch(prometheusUrl + path, { signal: AbortSignal.timeout(5_000) })).json()
  const monitoring: Monitoring = {
    told,
    readAlerts: async () =>
      active.parse(await get('/api/v1/alerts')).data.alerts.map(({ state, labels }) => ({
        name: labels.alertname,
        state,
      })),
    query: async (expression) =>
      answer.parse(await get(`/api/v1/query?query=${encodeURIComponent(expression)}`)).data.result,
    async stop() {
      await Promise.all(programs.map((stop) => stop()))
      receiver.closeAllConnections()
      receiver.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
  await waitUntil('Prometheus answers', 30_000, async () => (await fetch(`${prometheusUrl}/-/ready`)).ok)
  return monitoring
}

/** Starts a program. Returns what ends it. */
function run(program: string, args: readonly string[]): () => Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (text) => {
    said = `${said}${text}`.slice(-2_000)
  })
  const gone = once(child, 'close').then(([code]) => {
    if (code) console.error(`${program} ended with ${code}: ${said}`)
  })
  return () => {
    child.kill('SIGTERM')
    return gone
  }
}
