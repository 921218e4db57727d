// Holds work bundles and signs receipts; with --check-config, only reports configuration errors; with --import <folder>, only
// imports bundles from a folder; with `remove-bundle <hash> --reason <text>`, only removes a bundle after a notice. This is the
// only file of the app with side effects.
import { parseArgs } from 'node:util'
import { createSigningContext, getMarketDeployment } from '@svc/chain'
import type { Market } from '@svc/protocol'
import { keccakHash } from '@svc/protocol/internal/work'
import {
  createChainQueue,
  createClientResolver,
  createDatabase,
  createServiceBase,
  createServiceVerifier,
  createSharedLimits,
  createThrottledWarning,
  exitWithError,
  getErrorMessage,
  readConfig,
  repeat,
  reportConfig,
  runService,
} from '@svc/serve'
import { privateKeyToAccount } from 'viem/accounts'
import { createStoreApp } from './app.ts'
import { createDepositCheck } from './depositCheck.ts'
import { type Env, listStoreSecrets, readStoreEnv, readStoreKey, variables } from './env.ts'
import { createStoreHealth } from './health.ts'
import { importFolder } from './importFolder.ts'
import { createStoreMetrics } from './metrics.ts'
import { createWriteCheck } from './objects/checkWrite.ts'
import { createFolderStore } from './objects/folderStore.ts'
import type { ObjectStore } from './objects/objectStore.ts'
import { createS3Store } from './objects/s3Store.ts'
import { createRecords, storeSchema } from './records/records.ts'
import { removeBundle } from './removeBundle.ts'
import { checkSiteKey } from './siteKey.ts'
import { sweep } from './sweep.ts'
import { createTaskSource } from './taskAccess.ts'

/** Between questions to the site, which store it names. */
const keyCheckMs = 60_000
/** Time for a part to arrive on a slow line: 4 MiB at about 0.3 Mbit/s. */
const requestMs = 120_000

const { values: flags, positionals } = parseArgs({
  options: {
    'check-config': { type: 'boolean' },
    import: { type: 'string' },
    reason: { type: 'string', default: '' },
  },
  allowPositionals: true,
})
const { env, deployments, signer } = await readConfig(readStoreEnv, process.env)
  .then(async (config) => ({ ...config, signer: privateKeyToAccount(await readStoreKey(config.env)) }))
  .catch((error: Error) => {
    console.error(error.message)
    process.exit(1)
  })
if (flags['check-config']) {
  const summary = `Configuration is valid: receipts are signed by ${signer.address}, chain ${deployments.chainId}.`
  await reportConfig({ environment: process.env, variables, deployments, summary })
}

const metrics = createStoreMetrics(['/', ...(env.SVC_STORE_FOLDER ? [env.SVC_STORE_FOLDER] : [])])
const { log, flushLog, providers, sql } = createServiceBase({
  name: 'svc-store',
  env,
  deployments,
  secrets: listStoreSecrets(env),
  observer: metrics.observer,
})
const database = createDatabase(sql, storeSchema)
const objects = createObjects(env)
if (positionals.length > 0) process.exit(await runCommand())
const records = createRecords(database)
const place = {
  chainId: deployments.chainId,
  signingContext: (market: Market) => createSigningContext(deployments, market),
}
if (flags.import !== undefined) {
  await importFolder(flags.import, { ...records, ...place, objects })
    .then(({ imported, known }) => console.log(`Imported ${imported} bundles; ${known} were here before.`))
    .catch((error: Error) => {
      console.error(error.message)
      process.exitCode = 1
    })
  await sql.end({ timeout: 5 })
  process.exit()
}
await providers.checkAll().catch(exitWithError)
const tasks = createTaskSource(providers, getMarketDeployment(deployments))
const stopping = new AbortController()
let keyDiffers = false
const fetch = createStoreApp({
  signer,
  ...place,
  domains: env.SVC_STORE_DOMAINS,
  clerk: env.SVC_STORE_CLERK ?? null,
  objects,
  tasks,
  ...records,
  hasDeposit: createDepositCheck(providers, getMarketDeployment(deployments)),
  verifySignature: createServiceVerifier(providers),
  now: Date.now,
  log,
  metrics,
  chainQueue: createChainQueue(),
  shared: createSharedLimits(sql, 'store', stopping.signal),
  health: createStoreHealth({
    pings: {
      database: () => database((tables) => tables`select 1`),
      objects: createWriteCheck(objects),
      chain: () => providers.read(({ client }) => client.getBlockNumber()),
    },
    stopping: stopping.signal,
    listRefused: providers.listRefused,
    doesKeyDiffer: () => keyDiffers,
  }),
  resolveClient: createClientResolver(env.SVC_TRUSTED_PROXIES),
  stopping: stopping.signal,
  maxInFlight: env.SVC_MAX_IN_FLIGHT,
  perMinute: { reads: env.SVC_RATE_READS, calls: env.SVC_RATE_CALLS },
})
const warn = createThrottledWarning(log)
await runService({
  fetch,
  port: env.SVC_STORE_PORT,
  hostname: env.SVC_STORE_HOST,
  requestMs,
  env,
  log,
  sql,
  stopping,
  notes: { address: signer.address },
  work: () =>
    Promise.all([
      repeat(env.SVC_STORE_SWEEP_SECONDS * 1_000, stopping.signal, runSweep),
      env.SVC_API_URL && repeat(keyCheckMs, stopping.signal, () => checkKey(env.SVC_API_URL ?? '')),
    ]),
})

function checkKey(apiUrl: string): Promise<void> {
  return checkSiteKey({
    apiUrl,
    own: signer.address,
    onAnswer(differs) {
      if (differs && !keyDiffers) log.error({ address: signer.address }, 'the site names a store with another key')
      keyDiffers = differs
      metrics.keyDiffers(differs)
    },
    onError: (error) => warn(error, 'cannot ask the site which store it names'),
  })
}

async function runSweep(): Promise<void> {
  try {
    const report = await sweep({ database, objects, tasks })
    metrics.swept(report)
    if (report.parts + report.tasks + report.mail > 0) log.info(report, 'swept')
  } catch (error) {
    warn(error as Error, 'cannot sweep, retrying')
  }
}

/** Carries out a command of the operator. Returns the exit code. */
async function runCommand(): Promise<number> {
  const [command, hash = ''] = positionals
  const bundle = keccakHash.safeParse(hash)
  try {
    if (command !== 'remove-bundle' || !bundle.success) {
      throw new Error(
        'Usage: node apps/store/src/main.ts remove-bundle <hash of the bundle> --reason <text for the parties>',
      )
    }
    const report = await removeBundle({ database, objects }, bundle.data, flags.reason)
    if (!report) throw new Error(`The store does not hold the bundle ${bundle.data}, or it was removed before.`)
    // The audit trail: who ran it is in the log of the machine.
    log.info({ bundle: bundle.data, ...report, reason: flags.reason }, 'removed by notice')
    flushLog()
    return 0
  } catch (error) {
    console.error(getErrorMessage(error as Error))
    return 1
  } finally {
    await sql.end({ timeout: 5 })
  }
}

function createObjects({ SVC_STORE_FOLDER, SVC_STORE_S3_URL, ...s3 }: Env): ObjectStore {
  if (SVC_STORE_FOLDER) return createFolderStore(SVC_STORE_FOLDER)
  return createS3Store({
    url: SVC_STORE_S3_URL ?? '',
    region: s3.SVC_STORE_S3_REGION,
    keyId: s3.SVC_STORE_S3_KEY_ID ?? '',
    secret: s3.SVC_STORE_S3_SECRET ?? '',
    sessionToken: s3.SVC_STORE_S3_SESSION_TOKEN,
  })
}
