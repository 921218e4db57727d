import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { saveDeployments } from '@svc/chain'
import { startFakeGateway } from '../../test/harness/fakeGateway.ts'
import { startIndexedWorld } from '../../test/harness/indexed.ts'
import { findProgram } from '../../test/harness/programs.ts'
import { noLimits } from '../shared/replica.ts'
import type { ProcessReport } from './preload.ts'

/** The API as a process over a devnet and Postgres, and what was observed. */
export interface WatchedApi {
  port: number
  /** Where every SSRF URL leads. No connection may arrive there. */
  canaryPort: number
  seen: Seen
  stop: () => Promise<void>
}

interface Seen {
  /** Connections to anything except the database, the chain and the chat gateway. */
  egress: string[]
  /** Log lines with level error or above. */
  faults: string[]
  /** The longest turn of the event loop, in milliseconds of CPU time. */
  blockedMs: number
  /** Bytes, sampled ten times a second. */
  rss: number[]
}

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Starts the API with its devnet, database and fake chat gateway. */
export async function startWatchedApi(): Promise<WatchedApi> {
  const seen: Seen = { egress: [], faults: [], blockedMs: 0, rss: [] }
  const canary = createServer((socket) => {
    seen.egress.push(`canary from ${socket.remotePort}`)
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(canary, 'listening')
  const gateway = await startFakeGateway()
  const world = await startIndexedWorld()
  const folder = await mkdtemp(join(tmpdir(), 'svc-chaos-'))
  const deployments = join(folder, 'deployments.json')
  await saveDeployments(deployments, world.devnet.deployments)
  const { host: chain } = new URL(world.devnet.rpcUrl)
  const { host: database } = new URL(world.database.url)
  const allowed = [chain, database, new URL(gateway.baseUrl).host].join(',')
  const api = fork(findProgram('apps/api/src/main.ts'), [allowed], {
    execArgv: ['--import', file('./preload.ts')],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      CHAIN_RPC_URL: world.devnet.rpcUrl,
      SVC_PUBLIC_RPC_URL: 'http://127.0.0.1:8545',
      SVC_DATABASE_URL: world.database.url,
      SVC_DEPLOYMENTS: deployments,
      SVC_SITE_PORT: '0',
      ...noLimits,
      SVC_RATE_CHATS: '100000000',
      SVC_CHAT_DAILY_TOKENS: '1000000000',
      SVC_DRAIN_MS: '0',
      LLM_GATEWAY_API_KEY: 'sk-chaos-not-a-key',
      LLM_BASE_URL: gateway.baseUrl,
      SVC_LLM_MODEL: 'small',
    },
  })
  const exited = once(api, 'exit')
  const port = new Promise<number>((done, fail) => {
    api.once('exit', () => fail(new Error(`The API exited.\n${seen.faults.join('\n')}`)))
    if (api.stdout) createInterface(api.stdout).on('line', (line) => readLine(line, done))
  })
  if (api.stderr) createInterface(api.stderr).on('line', (line) => seen.faults.push(line))
  api.on('message', (report: ProcessReport) => {
    if (report.kind === 'egress') seen.egress.push(report.to)
    else if (report.kind === 'blocked') seen.blockedMs = Math.max(seen.blockedMs, report.ms)
    else seen.rss.push(report.rss)
  })

  function readLine(line: string, done: (port: number) => void): void {
    const { level, msg, port } = JSON.parse(line) as { level: number; msg: string; port?: number }
    if (level >= 50) seen.faults.push(line)
    if (msg === 'listening' && port !== undefined) done(port)
  }

  return {
    port: await port,
    canaryPort: (canary.address() as { port: number }).port,
    seen,
    async stop() {
      api.kill('SIGTERM')
      const last = setTimeout(() => api.kill('SIGKILL'), 15_000)
      await exited
      clearTimeout(last)
      await world.stop()
      await gateway.stop()
      canary.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
