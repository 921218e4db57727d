import { setTimeout as wait } from 'node:timers/promises'
import { createChainReader, type Deployments, getMarketDeployment, type Providers, readPosts } from '@svc/chain'
import { createPostingQuotaClient } from '@svc/client/node'
import type { Fetch, Log } from '@svc/serve'
import { createClientResolver } from '@svc/serve'
import type { Hex } from 'viem'
import { createGatewayApp } from './app.ts'
import type { Asset } from './assets.ts'
import { createClaims } from './claims/claims.ts'
import { createReceiptKey } from './claims/receiptKey.ts'
import type { Discovery } from './discovery/discovery.ts'
import { listAllowedHosts } from './originGuard.ts'
import { createHead } from './reads/head.ts'
import { createRequests } from './requests/requests.ts'
import { openStore } from './requests/store.ts'
import { createWatcher } from './requests/watcher.ts'

export interface GatewayOptions {
  providers: Providers
  deployments: Deployments
  baseUrl: string
  port: number
  stateFile: string
  /** The HTTP API, for the posting quota. */
  apiUrl?: string | undefined
  receiptKey?: Hex | undefined
  discovery?: Discovery | null
  assets: ReadonlyMap<string, Asset>
  log: Log
  perMinute: { reads: number; calls: number }
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies?: readonly string[]
  finalDepth?: number
  now?: () => number
  /** Polling interval of the chain, in milliseconds. */
  pollMs?: number
}

export interface Gateway {
  fetch: Fetch
  /** Ends long polls, stops watching the chain, and closes the file. */
  stop: () => Promise<void>
}

/** Assembles a gateway: reads, the request store, and the watcher that settles requests. */
export async function createGateway(options: GatewayOptions): Promise<Gateway> {
  const { providers, deployments, baseUrl, port, log, discovery = null, now = Date.now, pollMs = 500 } = options
  const places = getMarketDeployment(deployments)
  const reader = createChainReader(providers, places)
  const store = await openStore({ file: options.stateFile, now })
  const stopping = new AbortController()
  const key = createReceiptKey(options.receiptKey, { baseUrl, chainId: deployments.chainId })
  const quota = createPostingQuotaClient(options.apiUrl)
  const look = createWatcher({
    providers,
    places,
    store,
    now,
    onConfirmed({ prepared: { action, market } }, txHash) {
      const { taskRegistry } = deployments.markets[market]
      void quota.record(action, () => readPosts(providers, { market, taskRegistry, txHash }), stopping.signal)
    },
    ...(options.finalDepth && { finalDepth: options.finalDepth }),
  })
  let wake = () => {}
  const requests = createRequests({ providers, places, store, quota, baseUrl, look: () => wake(), now })
  const claims = createClaims({ providers, places, deployments, reader, key, store, requests, baseUrl, now })
  const fetch = createGatewayApp({
    reader,
    providers,
    deployments,
    baseUrl,
    key,
    claims,
    requests,
    head: createHead(reader.head),
    discovery,
    doors: listAllowedHosts(baseUrl, port),
    assets: options.assets,
    resolveClient: createClientResolver(options.trustedProxies ?? []),
    log,
    stopping: stopping.signal,
    perMinute: options.perMinute,
    now,
  })
  const watching = watch()
  return {
    fetch,
    async stop() {
      stopping.abort()
      wake()
      await watching
      await store.close()
    },
  }

  async function watch(): Promise<void> {
    let isAway = false
    while (!stopping.signal.aborted) {
      const fault = await look().then(
        () => null,
        (error: Error) => error.message,
      )
      if (fault && !isAway) log.warn({ err: fault }, 'the chain cannot be watched')
      if (!fault && isAway) log.info({}, 'watching the chain again')
      isAway = fault !== null
      await Promise.race([
        wait(pollMs, undefined, { signal: stopping.signal }).catch(() => {}),
        new Promise<void>((done) => {
          wake = done
        }),
      ])
    }
  }
}
