// Watches the contracts as a service, configured by the environment: node apps/admin/src/watch/main.ts [--check-config]
// `svc-admin watch` does the same from a command line.
import { parseArgs } from 'node:util'
import { exitWithError, readConfig, reportConfig } from '@svc/serve'
import { pino } from 'pino'
import { parseEther } from 'viem'
import { readWatchEnv, variables } from './env.ts'
import { runWatcher } from './runWatcher.ts'

const { values: flags } = parseArgs({ options: { 'check-config': { type: 'boolean', default: false } } })
const { env, deployments } = await readConfig(readWatchEnv, process.env).catch(exitWithError)
if (flags['check-config']) {
  const summary = `Configuration is valid: chain ${deployments.chainId}, guardian ${env.SVC_WATCH_GUARDIAN}.`
  await reportConfig({ environment: process.env, variables, deployments, summary })
}
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
await runWatcher({
  urls: env.CHAIN_RPC_URL,
  deployments,
  expected: {
    guardian: env.SVC_WATCH_GUARDIAN,
    timelock: deployments.shared.timelock,
    minJudges: env.SVC_WATCH_JUDGES,
    overdueSeconds: 1_800,
    courtGap: parseEther(String(env.SVC_WATCH_COURT_TOK)),
  },
  seconds: env.SVC_WATCH_SECONDS,
  port: env.SVC_WATCH_PORT,
  host: env.SVC_HOST,
  log: pino({ base: null, level: env.SVC_LOG_LEVEL }),
  signal: stop.signal,
}).catch(exitWithError)
