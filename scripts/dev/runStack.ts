import { rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { styleText } from 'node:util'
import { localDeploymentsFile } from '@svc/chain'
import { databaseAt, localDatabase } from './database.ts'
import { DevError } from './devError.ts'
import { type Folder, takeFolder } from './folder.ts'
import { openPort } from './openPort.ts'
import { type Options, usualDir } from './options.ts'
import { buildLocalUrl, type Places, planParts } from './parts.ts'
import { describeStack } from './screen.ts'
import { supervise } from './supervise.ts'
import { watchSources } from './watchSources.ts'

export interface RunOptions {
  options: Options
  environment: Readonly<Record<string, string | undefined>>
  /** Requests a graceful shutdown. */
  stop: AbortSignal
  /** Kills everything at once. */
  kill: AbortSignal
}

/** Runs the whole stack until `stop` aborts. Throws `DevError` if it cannot start, or if a part fails. */
export async function runStack({ options, environment, stop, kill }: RunOptions): Promise<void> {
  const began = performance.now()
  const { dir, fresh } = options
  const { DATABASE_URL: server, PATH = '', HOME = '', NODE_COMPILE_CACHE } = environment
  const folder = await takeFolder(dir, server ?? 'local', fresh)
  let stoppedAt: number | null = null
  try {
    if (folder.why) console.log(`${folder.why}: building a new world.`)
    if (folder.goesOn) console.log('Continuing from the last run.')
    const places = await findPlaces(options, folder, environment)
    await folder.begin()
    console.log(`Starting. Logs are in ${relative(process.cwd(), folder.logDir)}.`)
    const parts = planParts(places)
    const { ready, lasting, restart, stopAll } = supervise({
      parts,
      logDir: folder.logDir,
      base: { PATH, HOME, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) },
      onStarted: (running) =>
        folder.note(running.map(({ pid, part }) => ({ pid, commandLine: [part.command, ...part.args].join(' ') }))),
      onReady: ({ name, what }, ms) => console.log(progressLine(name, what, ms)),
      onBroken: (error) => console.error(`${error.message}\nIt restarts when you save a fix.`),
      stop,
      kill,
    })
    let isWhole = false
    let unwatch = () => {}
    try {
      isWhole = await ready
      if (isWhole) {
        const screen = await describeStack(places, (performance.now() - began) / 1000)
        // Before anyone is told that the stack is ready: a file saved from then on is noticed.
        if (options.watch) {
          unwatch = watchSources(
            parts.flatMap(({ app }) => app ?? []),
            (apps, file) => {
              const affected = parts.filter(({ app }) => app && apps.includes(app))
              console.log(`${file} changed: restarting ${affected.map(({ name }) => name).join(', ')}.`)
              restart(affected)
            },
          )
        }
        // Readable by its owner only: the database URL may contain a password.
        await writeFile(folder.stackFile, `${JSON.stringify(stackOf(places), null, 2)}\n`, { mode: 0o600 })
        console.log(screen)
      }
      await lasting
    } catch (error) {
      if (folder.goesOn && error instanceof DevError) error.message += '\nIf it stays so, pnpm dev --fresh starts over.'
      throw error
    } finally {
      unwatch()
      await rm(folder.stackFile, { force: true })
      console.log('\nStopping. Press Ctrl-C again to kill.')
      const toldAt = await stopAll()
      if (isWhole && !kill.aborted) stoppedAt = toldAt.get('devnet') ?? null
    }
  } finally {
    await folder.leave(stoppedAt)
  }
  if (kill.aborted) throw new DevError('Killed before the chain was saved. The next run builds a new world.')
  console.log(stoppedAt === null ? 'Stopped.' : 'Stopped. The next pnpm dev continues from here.')
}

/** Sets up ports, database and files for a run. */
async function findPlaces(
  options: Options,
  { stateFile, goesOn }: Folder,
  { DATABASE_URL: server, PATH = '', ...rest }: RunOptions['environment'],
): Promise<Places> {
  const { dir } = options
  const ports = {
    rpc: await portFor(options, 'rpc-port'),
    api: await portFor(options, 'api-port'),
    gateway: await portFor(options, 'gateway-port'),
    store: await portFor(options, 'store-port'),
    notifier: await portFor(options, 'notify-port'),
    index: await portFor(options, 'index-port'),
    site: await portFor(options, 'site-port'),
  }
  const database = server
    ? await databaseAt(server, dir, !goesOn)
    : await localDatabase(join(dir, 'database'), (await openPort(0)) ?? 0, PATH)
  const chat = ['LLM_GATEWAY_API_KEY', 'LLM_BASE_URL', 'SVC_LLM_MODEL'].flatMap((name) => {
    const value = rest[name]
    return value ? [[name, value] as const] : []
  })
  return {
    dir,
    isNew: !goesOn,
    watch: options.watch,
    stateFile,
    // The default folder uses the file where the examples look for a local chain.
    deploymentsFile: dir === usualDir ? localDeploymentsFile : join(dir, 'deployments.json'),
    ports,
    tasks: options.tasks,
    database,
    chat: Object.fromEntries(chat),
  }
}

async function portFor(
  options: Options,
  option: 'rpc-port' | 'api-port' | 'gateway-port' | 'store-port' | 'notify-port' | 'index-port' | 'site-port',
) {
  const port = await openPort(options[option])
  if (port !== null) return port
  throw new DevError(
    `Port ${options[option]} is taken. Stop the program that uses it, or choose another with --${option} (0 takes a free one).`,
  )
}

/** The contents of `stack.json`, which tells other programs where the stack is while it runs. */
function stackOf({ ports, database, deploymentsFile }: Places) {
  return {
    rpcUrl: buildLocalUrl(ports.rpc),
    apiUrl: buildLocalUrl(ports.api),
    gatewayUrl: buildLocalUrl(ports.gateway),
    storeUrl: buildLocalUrl(ports.store),
    notifierUrl: buildLocalUrl(ports.notifier),
    databaseUrl: database.url,
    deploymentsFile,
    pid: process.pid,
  }
}

function progressLine(name: string, what: string, ms: number): string {
  return `  ${styleText('green', name.padEnd(14))}  ${what.padEnd(42)}  ${(ms / 1000).toFixed(1).padStart(5)} s`
}
