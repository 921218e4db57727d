// Holds work bundles and signs receipts; with --check-config, only reports configuration errors; with --import <folder>, only
// imports bundles from a folder; with `remove-bundle <hash> --reason <text>`, only removes a bundle after a notice. This is the
// only file of the app with side effects.
import { mkdir } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { createSigningContext } from '@svc/chain'
import type { Market } from '@svc/protocol'
import { keccakHash } from '@svc/protocol/internal/work'
import {
  createDatabase,
  createServiceBase,
  exitWithError,
  getErrorMessage,
  readConfig,
  reportConfig,
  runService,
} from '@svc/serve'
import { createAppMetrics } from '@svc/serve/metrics'
import { privateKeyToAccount } from 'viem/accounts'
import { listStoreSecrets, readStoreEnv, readStoreKey, variables } from './env.ts'
import { importFolder } from './importFolder.ts'
import { openObjects } from './objects/openObjects.ts'
import { createRecords, storeSchema } from './records/records.ts'
import { removeBundle } from './removeBundle.ts'
import { requestMs, startStore } from './start.ts'

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
  .catch(exitWithError)
if (flags['check-config']) {
  const summary = `Configuration is valid: receipts are signed by ${signer.address}, chain ${deployments.chainId}.`
  await reportConfig({ environment: process.env, variables, deployments, summary })
}

const { registry, observer } = createAppMetrics(['/', ...(env.SVC_STORE_FOLDER ? [env.SVC_STORE_FOLDER] : [])])
const secrets = listStoreSecrets(env)
const { log, flushLog, providers, readHead, sql } = createServiceBase({
  name: 'svc-store',
  env,
  deployments,
  secrets,
  observer,
})
if (positionals.length > 0) process.exit(await runCommand())
if (flags.import !== undefined) {
  if (env.SVC_STORE_FOLDER) await mkdir(env.SVC_STORE_FOLDER, { recursive: true }).catch(exitWithError)
  await importFolder(flags.import, {
    ...createRecords(createDatabase(sql, storeSchema)),
    chainId: deployments.chainId,
    signingContext: (market: Market) => createSigningContext(deployments, market),
    objects: openObjects(env),
  })
    .then(({ imported, known }) => console.log(`Imported ${imported} bundles; ${known} were here before.`))
    .catch((error: Error) => {
      console.error(error.message)
      process.exitCode = 1
    })
  await sql.end({ timeout: 5 })
  process.exit()
}
await providers.checkAll().catch(exitWithError)
const stopping = new AbortController()
const context = { env, deployments, providers, readHead, log, sql, signer, registry, signal: stopping.signal }
await runService({
  part: await startStore(context).catch(exitWithError),
  port: env.SVC_STORE_PORT,
  hostname: env.SVC_HOST,
  requestMs,
  env,
  log,
  sql,
  stopping,
  notes: { address: signer.address },
})

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
    const database = createDatabase(sql, storeSchema)
    const report = await removeBundle({ database, objects: openObjects(env) }, bundle.data, flags.reason)
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
