import { join } from 'node:path'
import { deriveEnvironment, readMarketEnv } from '../../apps/market/src/env.ts'
import { ensureMarketKeys } from '../../apps/market/src/keys.ts'
import { type AppProcess, startAppProcess } from '../../chaos/shared/appProcess.ts'
import { noLimits } from '../../chaos/shared/replica.ts'

/** The same market as one process, or as a process for each part. */
export const forms = ['one', 'six'] as const
export type Form = (typeof forms)[number]

/** What both forms have in common: what the operator of a small market sets. */
export interface Place {
  urls: readonly string[]
  chainId: number
  deployments: string
  database: string
  folder: string
  ports: readonly number[]
}

/** The market answers here in both forms. */
export const marketUrl = ({ ports: [port] }: Place): string => `http://127.0.0.1:${port}`

const parts = ['indexer', 'api', 'store', 'notifier', 'keeper', 'clerk'] as const

/** The process of a form that listens for visitors. */
export const findApi = (form: Form, processes: readonly AppProcess[]): AppProcess | undefined =>
  processes[form === 'one' ? 0 : parts.indexOf('api')]

/** Starts a form on this database and folder. The environment of the six is the one that the single process gives its parts. */
export async function startForm(form: Form, place: Place): Promise<AppProcess[]> {
  const [port = 0, ...ports] = place.ports
  const base = {
    ...noLimits,
    SVC_SITE_URL: marketUrl(place),
    SVC_DEPLOYMENTS: place.deployments,
    CHAIN_RPC_URL: place.urls.join(','),
    SVC_DATABASE_URL: place.database,
    SVC_DATA_DIR: join(place.folder, 'data'),
    SVC_SITE_PORT: String(port),
    NODE_COMPILE_CACHE: join(place.folder, 'compiled'),
  }
  if (form === 'one') return [startAppProcess('market', base)]
  const keys = await ensureMarketKeys(base.SVC_DATA_DIR)
  const derived = Object.entries(deriveEnvironment(base, readMarketEnv(base), place.chainId, keys))
  const [store, notifier, indexer, keeper, clerk] = ports
  const common = {
    ...Object.fromEntries(derived.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    SVC_API_URL: marketUrl(place),
    SVC_STORE_URL: `http://127.0.0.1:${store}`,
    SVC_NOTIFY_URL: `http://127.0.0.1:${notifier}`,
    SVC_STORE_PORT: String(store),
    SVC_NOTIFY_PORT: String(notifier),
    SVC_INDEX_PORT: String(indexer),
    SVC_KEEPER_PORT: String(keeper),
    SVC_CLERK_PORT: String(clerk),
  }
  return parts.map((app) => startAppProcess(app, common))
}
