import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accounts, publicKeys } from '@svc/devnet'
import type { Database } from './database.ts'
import type { Part } from './part.ts'
import { serveSite, siteBuild } from './siteBuild.ts'

/** The options of a run, and the ports, files and database that it found. */
export interface Places {
  dir: string
  /** Whether this run builds the world, and does not continue the last one. */
  isNew: boolean
  /** Whether the site is served from its sources, with hot reload. */
  watch: boolean
  stateFile: string
  deploymentsFile: string
  ports: { rpc: number; api: number; gateway: number; index: number; site: number; store: number; notifier: number }
  /** Open tasks to post in addition to the demo world. */
  tasks: number
  database: Database
  /** The chat variables that are set. */
  chat: Readonly<Record<string, string>>
}

/** Block interval in seconds. Blocks come even without transactions, so that time passes. */
const beat = 12

/** Lists the parts of the stack in start order. They stop in reverse order. */
export function planParts({
  dir,
  isNew,
  watch,
  stateFile,
  deploymentsFile,
  ports,
  tasks,
  database,
  chat,
}: Places): Part[] {
  const common = { CHAIN_RPC_URL: buildLocalUrl(ports.rpc), SVC_DEPLOYMENTS: deploymentsFile }
  const siteDir = join(dir, 'site')
  const bundleDir = join(dir, 'bundles')
  const databaseNames = database.parts.map(({ name }) => name)
  const domains = [ports.api, ports.site].flatMap((port) => [`127.0.0.1:${port}`, `localhost:${port}`]).join(',')
  const storeEnv = {
    ...common,
    SVC_DATABASE_URL: database.url,
    SVC_STORE_PORT: String(ports.store),
    SVC_STORE_KEY: publicKeys.store,
    SVC_STORE_FOLDER: join(dir, 'work'),
    SVC_STORE_DOMAINS: domains,
    SVC_DRAIN_MS: '0',
  }
  return [
    ...database.parts,
    {
      ...program(
        'packages/devnet',
        ...['--port', String(ports.rpc), '--deployments', deploymentsFile, '--state', stateFile],
        ...['--beat', String(beat), '--tasks', String(tasks), '--work', bundleDir],
      ),
      name: 'devnet',
      what: 'the chain, both markets and a demo world',
      env: {},
      after: [],
      early: { name: 'contracts', line: /^The contracts stand/ },
      ready: /Ready in/,
    },
    {
      ...siteBuild(deploymentsFile, siteDir),
      name: 'site',
      what: 'the web site, built for these contracts',
      after: ['contracts'],
      ready: null,
    },
    {
      ...program('apps/indexer'),
      name: 'index',
      app: 'apps/indexer',
      what: 'the index in Postgres',
      env: { ...common, SVC_DATABASE_URL: database.url, SVC_INDEX_PORT: String(ports.index) },
      after: ['devnet', ...databaseNames],
      ready: /"msg":"serving"/,
    },
    {
      ...program('apps/api'),
      name: 'api',
      app: 'apps/api',
      what: 'the API and the web site',
      env: {
        ...common,
        ...chat,
        SVC_DATABASE_URL: database.url,
        SVC_PUBLIC_RPC_URL: buildLocalUrl(ports.rpc),
        SVC_SITE_PORT: String(ports.api),
        SVC_SITE_DIR: siteDir,
        SVC_SITE_URL: buildLocalUrl(ports.api),
        SVC_STORE_URL: buildLocalUrl(ports.store),
        SVC_STORE_ADDRESS: accounts.store.address,
        SVC_NOTIFY_URL: buildLocalUrl(ports.notifier),
        SVC_DRAIN_MS: '0',
      },
      after: ['site', 'index'],
      ready: /"msg":"listening"/,
    },
    {
      ...program('apps/gateway'),
      name: 'gateway',
      app: 'apps/gateway',
      what: 'the local gateway',
      env: {
        ...common,
        SVC_API_URL: buildLocalUrl(ports.api),
        SVC_GATEWAY_PORT: String(ports.gateway),
        SVC_GATEWAY_STATE: join(dir, 'gateway', 'requests.sqlite'),
      },
      after: ['contracts'],
      ready: /"msg":"listening"/,
    },
    {
      ...program('apps/keeper'),
      name: 'keeper',
      app: 'apps/keeper',
      what: 'a keeper: makes calls that are due',
      env: {
        ...common,
        SVC_API_URL: buildLocalUrl(ports.api),
        // The account named keeper is used by examples, and two users of a wallet compete for its nonces.
        SVC_KEEPER_KEY: publicKeys.deployer,
        SVC_KEEPER_PORT: '0',
        // The demo world has overdue tasks to look at. They stay; only what becomes due from now on is done.
        SVC_KEEPER_SINCE: String(Math.floor(Date.now() / 1000)),
        // Time to do it yourself.
        SVC_KEEPER_GRACE_SECONDS: '120',
      },
      after: ['devnet'],
      ready: /"msg":"following tasks"/,
    },
    {
      ...program('apps/store'),
      name: 'store',
      app: 'apps/store',
      what: 'the store of delivered work',
      env: storeEnv,
      after: ['contracts', ...databaseNames],
      ready: /"msg":"listening"/,
    },
    {
      ...program('apps/notifier'),
      name: 'notifier',
      app: 'apps/notifier',
      what: 'the notifier: inbox and reminders',
      env: {
        ...common,
        SVC_DATABASE_URL: database.url,
        SVC_NOTIFY_PORT: String(ports.notifier),
        SVC_NOTIFY_DOMAINS: domains,
        SVC_SITE_URL: buildLocalUrl(ports.api),
        SVC_DRAIN_MS: '0',
      },
      after: ['index'],
      ready: /"msg":"listening"/,
    },
    // The store takes no uploads for steps that are over, so what the demo world delivered is imported.
    ...(isNew
      ? [
          {
            ...program('apps/store', '--import', bundleDir),
            name: 'work',
            what: 'the work that the demo world delivered',
            env: storeEnv,
            after: ['devnet', 'store'],
            ready: null,
          },
          {
            command: process.execPath,
            args: [fileURLToPath(new URL('publishPeople.ts', import.meta.url)), `127.0.0.1:${ports.api}`],
            name: 'people',
            what: 'the names of the people of the demo world',
            env: { SVC_DATABASE_URL: database.url },
            after: databaseNames,
            ready: null,
          },
        ]
      : []),
    ...(watch
      ? [
          {
            ...serveSite(deploymentsFile, ports.site, buildLocalUrl(ports.api)),
            name: 'hot',
            what: 'the web site from its sources',
            after: ['contracts'],
            ready: /ready in/,
          },
        ]
      : []),
  ]
}

/** URL of a local port. */
export const buildLocalUrl = (port: number): string => `http://127.0.0.1:${port}`

function program(folder: string, ...args: readonly string[]) {
  const main = fileURLToPath(new URL(`../../${folder}/src/main.ts`, import.meta.url))
  return { command: process.execPath, args: [main, ...args] }
}
