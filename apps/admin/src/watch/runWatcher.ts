import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createCheckedProviders, type Deployments } from '@svc/chain'
import { startHealthServer, version } from '@svc/serve'
import type { Logger } from 'pino'
import type { Expected } from './judgeSigns.ts'
import { createWatchMetrics, watch } from './watch.ts'

export interface WatcherOptions {
  urls: readonly string[]
  deployments: Deployments
  expected: Expected
  /** Time between looks. */
  seconds: number
  port: number
  host: string
  log: Logger
  signal: AbortSignal
}

/** Watches a deployment, with probes and metrics, until the signal aborts. Throws if a provider is on another chain. */
export async function runWatcher(options: WatcherOptions): Promise<void> {
  const { urls, deployments, expected, seconds, port, host, log, signal } = options
  const metrics = createWatchMetrics()
  const providers = createCheckedProviders({
    urls,
    deployments,
    observer: metrics.observer,
    onRefused: ({ message }) => log.error(message),
  })
  await providers.checkAll()
  // Not ready before the first look.
  let lastLook = 0
  const readiness = async () => ({ ready: Date.now() - lastLook < seconds * 4_000 })
  const server = await startHealthServer({ port, host, readiness, registry: metrics.registry })
  log.info({ version, chainId: deployments.chainId, port: (server.address() as AddressInfo).port }, 'watching')
  await watch({
    providers,
    deployments,
    expected,
    metrics,
    log,
    pollMs: seconds * 1_000,
    signal,
    onLook: () => {
      lastLook = Date.now()
    },
  })
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
  log.info('stopped')
}
