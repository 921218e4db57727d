import { createAppMetrics } from '@svc/serve/metrics'
import { createWatchMetrics } from '../../apps/admin/src/watch/watch.ts'
import { connectDatabase } from '../../apps/api/src/database.ts'
import { watchDatabase } from '../../apps/api/src/databaseMetrics.ts'
import { createMetrics } from '../../apps/api/src/metrics.ts'
import { createClerkMetrics } from '../../apps/clerk/src/metrics.ts'
import { createIndexerMetrics } from '../../apps/indexer/src/metrics.ts'
import { createKeeperMetrics } from '../../apps/keeper/src/metrics.ts'
import { createMarketMetrics } from '../../apps/market/src/metrics.ts'
import { createNotifierMetrics } from '../../apps/notifier/src/metrics.ts'
import { createStoreMetrics } from '../../apps/store/src/metrics.ts'
import { postgresServer } from '../harness/postgres.ts'

/** The text that every service exposes when it has just started, as one, with the label `job` that Prometheus adds. */
export async function readFreshMetrics(): Promise<string> {
  // Every process has these; the watcher has created its own.
  const own = createAppMetrics()
  own.observer.onSilent('provider 1', false)
  const indexer = createIndexerMetrics()
  indexer.servingChanged('a')
  indexer.follow('a')
  const at = { number: 7n, hash: '0x07', timestamp: Date.now() / 1_000 } as const
  const api = createMetrics({
    watch: {
      head: () => at,
      indexed: () => ({ ...at, halted: null, version: '1', entriesEnded: false, digest: '0x00' }),
      changed: async () => {},
      stop: async () => {},
    },
  })
  const sql = connectDatabase(`${postgresServer}/postgres`)
  watchDatabase(api.registry, sql)
  const apps = {
    indexer,
    api,
    keeper: createKeeperMetrics(),
    store: createStoreMetrics(),
    notifier: createNotifierMetrics(),
    clerk: createClerkMetrics(),
    market: createMarketMetrics(createAppMetrics().registry),
    watcher: createWatchMetrics(),
  }
  const texts = await Promise.all(
    Object.entries(apps).map(async ([job, { registry }]) =>
      `${job === 'watcher' || job === 'market' ? '' : await own.registry.metrics()}${await registry.metrics()}`.replaceAll(
        /^(\w+)(?:\{(.*)\})? /gm,
        (_, name: string, labels = '') =>
          `${name}{${[labels, `job="${job}"`, `instance="${job}:1"`].filter(Boolean).join(',')}} `,
      ),
    ),
  )
  await sql.end({ timeout: 1 })
  return texts.join('\n')
}
