import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database } from './database.ts'
import type { Part } from './part.ts'
import { siteBuild } from './siteBuild.ts'

/** What a run was given or has found for itself. */
export interface Places {
  dir: string
  stateFile: string
  deploymentsFile: string
  ports: { rpc: number; api: number; gateway: number; index: number }
  /** Open tasks to post beside those of the demo world. */
  tasks: number
  database: Database
  /** The variables of the chat, as far as they are set. */
  chat: Readonly<Record<string, string>>
}

/** A block comes so often even when nobody sends anything, so that times pass: in seconds. */
const beat = 12

/** Every part of the stack, in the order in which they are named; they stop in the reverse order. */
export function partsOf({ dir, stateFile, deploymentsFile, ports, tasks, database, chat }: Places): Part[] {
  const common = { CHAIN_RPC_URL: urlOf(ports.rpc), SVC_DEPLOYMENTS: deploymentsFile }
  const siteDir = join(dir, 'site')
  const databaseNames = database.parts.map(({ name }) => name)
  return [
    ...database.parts,
    {
      ...program('packages/devnet'),
      name: 'devnet',
      what: 'the chain, both markets and a demo world',
      args: [
        ...program('packages/devnet').args,
        ...['--port', String(ports.rpc), '--deployments', deploymentsFile, '--state', stateFile],
        ...['--beat', String(beat), '--tasks', String(tasks)],
      ],
      env: {},
      after: [],
      ready: /Ready in/,
    },
    {
      ...siteBuild(deploymentsFile, siteDir),
      name: 'site',
      what: 'the web site, built for these contracts',
      after: ['devnet'],
      ready: null,
    },
    {
      ...program('apps/indexer'),
      name: 'index',
      what: 'the index in Postgres',
      env: { ...common, SVC_DATABASE_URL: database.url, SVC_INDEX_PORT: String(ports.index) },
      after: ['devnet', ...databaseNames],
      ready: /"msg":"serving"/,
    },
    {
      ...program('apps/api'),
      name: 'api',
      what: 'the API and the web site',
      env: {
        ...common,
        ...chat,
        SVC_DATABASE_URL: database.url,
        SVC_PUBLIC_RPC_URL: urlOf(ports.rpc),
        SVC_SITE_PORT: String(ports.api),
        SVC_SITE_DIR: siteDir,
        SVC_DRAIN_MS: '0',
      },
      after: ['site', 'index'],
      ready: /"msg":"listening"/,
    },
    {
      ...program('apps/gateway'),
      name: 'gateway',
      what: 'the local gateway',
      env: {
        ...common,
        SVC_GATEWAY_PORT: String(ports.gateway),
        SVC_GATEWAY_STATE: join(dir, 'gateway', 'requests.jsonl'),
      },
      after: ['devnet'],
      ready: /"msg":"listening"/,
    },
  ]
}

/** Where something of this machine answers. */
export const urlOf = (port: number): string => `http://127.0.0.1:${port}`

function program(folder: string) {
  return { command: process.execPath, args: [fileURLToPath(new URL(`../../${folder}/src/main.ts`, import.meta.url))] }
}
