import {
  type Environment,
  type Fetch,
  type Part,
  type PartContext,
  probes,
  type ServingPart,
  version,
} from '@svc/serve'
import { mergeMetrics } from '@svc/serve/metrics'
import type { Sql } from 'postgres'
import { Registry } from 'prom-client'
import { readApiEnv, startApi } from '../../api/src/start.ts'
import { readClerkEnv, startClerk } from '../../clerk/src/start.ts'
import { readIndexerEnv, startIndexer } from '../../indexer/src/start.ts'
import { readKeeperEnv, startKeeper } from '../../keeper/src/start.ts'
import { readNotifierEnv, startNotifier } from '../../notifier/src/start.ts'
import { readStoreEnv, startStore } from '../../store/src/start.ts'
import type { MarketKeys } from './keys.ts'
import { createMarketMetrics, type PartName } from './metrics.ts'
import { type Supervised, supervisePart } from './supervisePart.ts'

export interface MarketContext extends Omit<PartContext<unknown>, 'env'> {
  /** The environment of every part. */
  environment: Environment
  sql: Sql
  keys: MarketKeys
}

/** Starts every part of a market. A request goes to its part without a socket, as nginx would send it. Throws `EnvError`. */
export function startMarket(context: MarketContext): {
  fetch: Fetch
  done: Promise<unknown>
  close: () => Promise<void>
} {
  const { environment, keys, log, registry, signal } = context
  const environments = {
    api: readApiEnv(environment),
    indexer: readIndexerEnv(environment),
    store: readStoreEnv(environment),
    notifier: readNotifierEnv(environment),
    keeper: readKeeperEnv(environment),
    clerk: readClerkEnv(environment),
  }
  const registries = new Map<string, Registry>()
  const market = createMarketMetrics(registry)
  const run = <P extends Part>(
    name: PartName,
    start: (own: Pick<MarketContext, 'signal' | 'registry'>) => P | Promise<P>,
  ) => {
    return supervisePart({
      signal,
      start(attempt) {
        // A new one for each attempt: a name can be registered only once.
        const own = new Registry()
        registries.set(name, own)
        return start({ signal: attempt, registry: own })
      },
      onFailure(err, waitMs) {
        market.restarted(name)
        log.error({ part: name, err, waitMs }, 'a part failed and is started again')
      },
    })
  }
  const serving = {
    api: run<ServingPart>('api', (own) => startApi({ ...context, ...own, env: environments.api })),
    store: run<ServingPart>('store', (own) =>
      startStore({ ...context, ...own, env: environments.store, signer: keys.store }),
    ),
    notifier: run<ServingPart>('notifier', (own) => startNotifier({ ...context, ...own, env: environments.notifier })),
  }
  const parts: Record<PartName, Supervised<Part>> = {
    ...serving,
    indexer: run('indexer', (own) => startIndexer({ ...context, ...own, env: environments.indexer })),
    keeper: run('keeper', (own) => startKeeper({ ...context, ...own, env: environments.keeper, account: keys.keeper })),
    clerk: run('clerk', (own) => startClerk({ ...context, ...own, env: environments.clerk, account: keys.clerk })),
  }
  const metrics = mergeMetrics(() => [registry, ...registries.values()])

  const fetch: Fetch = (request, connection) => {
    const url = new URL(request.url)
    if (url.pathname.startsWith('/store/v1/')) {
      const { method, headers, body, signal: left } = request
      const path = `${url.origin}${url.pathname.slice('/store'.length)}${url.search}`
      return answer('store', new Request(path, { method, headers, body, signal: left, duplex: 'half' }), connection)
    }
    if (url.pathname.startsWith('/notify/v1/')) return answer('notifier', request, connection)
    const probe = probes.find((each) => each === url.pathname)
    return probe ? answerProbe(probe) : answer('api', request, connection)
  }
  return {
    fetch,
    done: Promise.all(Object.values(parts).map(({ done }) => done)),
    close: async () => {
      await Promise.all(Object.values(serving).map((each) => each.current()?.close?.()))
    },
  }

  function answer(name: keyof typeof serving, ...given: Parameters<Fetch>): ReturnType<Fetch> {
    const part = serving[name].current()
    if (part) return part.fetch(...given)
    const body = { error: `The ${name} does not answer now.`, code: 'BUSY' }
    return Response.json(body, { status: 503, headers: { 'retry-after': '2', 'cache-control': 'no-store' } })
  }

  /** Ready is what visitors need: the API. The other parts are named, and alerts tell of them. */
  async function answerProbe(probe: (typeof probes)[number]): Promise<Response> {
    if (probe === '/healthz') return Response.json({ alive: true, version })
    if (probe === '/metrics')
      return new Response(await metrics.metrics(), { headers: { 'content-type': metrics.contentType } })
    const each = await Promise.all(
      Object.entries(parts).map(async ([name, { readiness }]) => [name, await readiness()] as const),
    )
    const ready = each.some(([name, part]) => name === 'api' && part.ready)
    const notReady = each.flatMap(([name, part]) => (part.ready ? [] : [name]))
    return Response.json({ ready, version, notReady, parts: Object.fromEntries(each) }, { status: ready ? 200 : 503 })
  }
}
