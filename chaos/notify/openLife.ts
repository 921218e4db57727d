import { migrateSchema } from '@svc/serve'
import { createSimulation } from '@svc/simulation/chain'
import postgres from 'postgres'
import { migrateJobs } from '../../apps/notifier/src/jobs.ts'
import { notifySchema } from '../../apps/notifier/src/records/schema.ts'
import { createSimIndex } from './simIndex.ts'

/** Creates a random chain, its index, and the tables of a notifier, in which every wallet has a webhook. */
export async function openLife(seed: number, url: string, leaps: number) {
  const simulation = createSimulation({
    seed,
    lags: { safe: 60, finalized: 700 },
    liveTasks: 12,
    wallets: 12,
    leaps,
    load: ({ chance, below }) => (chance(0.3) ? 0 : 1 + below(10)),
  })
  const sql = postgres(url, { fetch_types: false, onnotice: () => {}, max: 4, backoff: () => 0.1 })
  const index = await createSimIndex(url, simulation)
  await migrateSchema(sql, notifySchema)
  await migrateJobs(url)
  for (const wallet of [...simulation.wallets.map(({ address }) => address), simulation.places.finalCourt]) {
    await sql`insert into notify.subscription (id, wallet, channel, target, target_key, verified_at)
      values (${`sub-${wallet}`}, ${wallet}, 'webhook', '', '', now())`
  }
  return { simulation, sql, index }
}
