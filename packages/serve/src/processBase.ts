import {
  type CheckedProviders,
  createCheckedProviders,
  createHeadSource,
  type Deployments,
  type Head,
  type ProviderObserver,
} from '@svc/chain'
import { type Level, pino } from 'pino'
import { describeDefaultRpc } from './config.ts'
import { createLog, type Log } from './log.ts'

export interface ProcessBaseOptions {
  env: { CHAIN_RPC_URL: readonly string[]; SVC_LOG_LEVEL: Level | 'silent' }
  deployments: Deployments
  /** Texts that must not appear in any line of the log. */
  secrets: readonly string[]
  observer: ProviderObserver
  /** Whether lines are collected and written together, as a process needs that logs every request. */
  buffered: boolean
  /** How old the newest block may be that its parts share. Without, it is asked for each time. */
  headMs?: number
}

/** What a process of ours stands on. Nothing is asked yet. */
export interface ProcessBase {
  log: Log
  /** Writes what is left of the log at once, before the process ends. */
  flushLog: () => void
  providers: CheckedProviders
  readHead: () => Promise<Head>
}

/** Creates the log and the providers of a process. */
export function createProcessBase(options: ProcessBaseOptions): ProcessBase {
  const { env, deployments, secrets, observer, buffered, headMs } = options
  const lines = pino.destination({
    dest: 1,
    sync: !buffered,
    // For each line the writer measures all that it has gathered, so it gathers little.
    ...(buffered && { minLength: 2_048, maxWrite: 4_096, periodicFlush: 250 }),
  })
  const log = createLog({ level: env.SVC_LOG_LEVEL, secrets, to: lines })
  const rpcNotice = describeDefaultRpc(env.CHAIN_RPC_URL)
  if (rpcNotice) log.warn({}, rpcNotice)
  const providers = createCheckedProviders({
    urls: env.CHAIN_RPC_URL,
    deployments,
    observer,
    onFailover: (provider, { message }) =>
      log.debug({ provider, err: message }, 'provider failed, trying the next one'),
    onRefused: ({ message }) => log.error({}, message),
  })
  const readHead = createHeadSource(providers, headMs)
  return { log, flushLog: () => lines.flushSync(), providers, readHead }
}
