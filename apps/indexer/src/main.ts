// Follows both markets into Postgres: node apps/indexer/src/main.ts
//   [--check-config | --serve-build NAME [--force] | --drop-build NAME | --save-snapshot FOLDER | --load-snapshot FOLDER]
// The only file of this app with side effects. docs/operations.md describes how to run it.
import { parseArgs } from 'node:util'
import { createConnector, dropBuild, getSchemaName } from '@svc/index'
import {
  createProcessBase,
  exitWithError,
  listUrlSecrets,
  readConfig,
  reportConfig,
  startHealthServer,
  version,
} from '@svc/serve'
import { createAppMetrics } from '@svc/serve/metrics'
import { readIndexerEnv, variables } from './env.ts'
import { serveOnRequest } from './serveOnRequest.ts'
import { loadSnapshot, saveSnapshot } from './snapshot.ts'
import { startIndexer } from './start.ts'

const { values: flags } = parseArgs({
  options: {
    'check-config': { type: 'boolean', default: false },
    'serve-build': { type: 'string' },
    'drop-build': { type: 'string' },
    'save-snapshot': { type: 'string' },
    'load-snapshot': { type: 'string' },
    force: { type: 'boolean', default: false },
  },
})
const { 'check-config': check, 'serve-build': serve, 'drop-build': drop } = flags
const { 'save-snapshot': save, 'load-snapshot': load } = flags
const { env, deployments } = await readConfig(readIndexerEnv, process.env).catch(exitWithError)
const build = env.SVC_INDEX_BUILD
if (check) {
  const { chainId, startBlock } = deployments
  const summary = `Configuration is valid: ${env.CHAIN_RPC_URL.length} providers, chain ${chainId} from block ${startBlock}, build ${build}.`
  await reportConfig({ environment: process.env, variables, deployments, summary })
}
const { registry, observer } = createAppMetrics()
const secrets = listUrlSecrets(env)
const { log, providers, readHead } = createProcessBase({ env, deployments, secrets, observer, buffered: false })
try {
  const connect = () => createConnector(env.SVC_DATABASE_URL)(getSchemaName(build))
  if (serve) {
    const faults = await serveOnRequest(connect(), serve, flags.force)
    if (faults.length > 0) log.warn({ build: serve, faults }, 'serving because it was forced')
  } else if (drop) await dropBuild(connect(), drop)
  else if (save) log.info(await saveSnapshot(connect(), deployments, save), 'saved')
  else if (load) {
    await providers.checkAll()
    const places = await loadSnapshot(connect(), {
      name: build,
      folder: load,
      origin: deployments,
      providers: providers.all,
    })
    log.info(places, 'loaded; the indexer compares it with the chain before it serves')
  } else await run()
} catch (error) {
  log.fatal(error)
  process.exit(1)
}
process.exit(0)

/** Runs until a signal stops it. */
async function run(): Promise<void> {
  await providers.checkAll().catch(exitWithError)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const { readiness, done } = startIndexer({
    env,
    deployments,
    providers,
    readHead,
    log,
    registry,
    signal: stop.signal,
  })
  await startHealthServer({ port: env.SVC_INDEX_PORT, host: env.SVC_HOST, readiness, registry })
  log.info({ version, build }, 'started')
  await done
  log.info('stopped')
}
