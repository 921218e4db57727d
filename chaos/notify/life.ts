import { markets } from '@svc/protocol'
import { walletRules } from '@svc/protocol/notifications'
import { migrateSchema } from '@svc/serve'
import postgres from 'postgres'
import type { OutgoingMessage } from '../../apps/notifier/src/channels/channel.ts'
import { createDeliver } from '../../apps/notifier/src/deliver.ts'
import { followIndex } from '../../apps/notifier/src/follow.ts'
import { migrateJobs } from '../../apps/notifier/src/jobs.ts'
import { notifySchema } from '../../apps/notifier/src/records/schema.ts'
import { createRandom } from '../sim/random.ts'
import { createSimulation } from '../sim/simulation.ts'
import { findDeliveryFaults } from './deliveryFaults.ts'
import { formatExpected, listExpectations, watchedSearch } from './expectations.ts'
import { createSimIndex } from './simIndex.ts'

export interface LifeReport {
  seed: number
  blocks: number
  reorgs: number
  written: number
  corrected: number
  /** Matches of a saved search that finds everything. */
  matched: number
  sent: number
  /** What differs from the rules; empty if all is well. */
  faults: readonly string[]
}

export interface LifeOptions {
  seed: number
  /** An empty database. */
  url: string
  rounds?: number
  /** A defective follower, to test that it is noticed. */
  follow?: typeof followIndex
}

/**
 * Lets tasks live on a random chain with reorganisations, follows it with the notifier, and compares what was written, and what receivers
 * heard, with a reading of the rules over the final chain.
 */
export async function runLife({ seed, url, rounds = 60, follow = followIndex }: LifeOptions): Promise<LifeReport> {
  const random = createRandom(seed, 91)
  const simulation = createSimulation({
    seed,
    lags: { safe: 60, finalized: 700 },
    liveTasks: 12,
    wallets: 12,
    leaps: 0.4,
    load: ({ chance, below }) => (chance(0.3) ? 0 : 1 + below(10)),
  })
  const { chain, places, wallets } = simulation
  const sql = postgres(url, { fetch_types: false, onnotice: () => {}, max: 4 })
  const index = await createSimIndex(url, simulation)
  await migrateSchema(sql, notifySchema)
  await migrateJobs(url)
  const owners = [...wallets.map(({ address }) => address), places.finalCourt]
  for (const wallet of owners) {
    await sql`insert into notify.subscription (id, wallet, channel, target, target_key, verified_at)
      values (${`sub-${wallet}`}, ${wallet}, 'webhook', '', '', now())`
  }
  const watcher = wallets[0]?.address
  for (const [number] of markets.entries()) {
    await sql`insert into notify.search (id, wallet, market, name, search, funded)
      values (${`search-${number}`}, ${watcher ?? ''}, ${number}, ${watchedSearch}, '', false)`
  }
  const heard: OutgoingMessage[] = []
  const deliver = createDeliver({
    sql,
    firstDelayMs: 0,
    send: async (_, message) => {
      if (random.chance(0.1)) return { result: 'retry', reason: 'Refused by the test.' }
      heard.push(message)
      return { result: 'sent' }
    },
  })
  const seen = new Set<string>()
  let reorgs = 0

  const followMarkets = async () => {
    for (const market of markets) {
      const options = { market, finalCourt: places.finalCourt, siteUrl: 'https://market.example', since: 0n }
      while (!(await follow(sql, options)).isAtEnd) {}
    }
  }
  /** Brings the index and the notifier to the head, sometimes past several blocks at once. */
  const catchUp = async () => {
    const ancestor = Math.min(...markets.map((market) => index.findAncestor(market)))
    for (let number = ancestor; number <= chain.head().number; ) {
      number = Math.min(chain.head().number, number + (random.chance(0.1) ? 1 + random.below(6) : 1))
      for (const market of markets) await index.moveTo(market, number)
      await followMarkets()
      const block = chain.blockAt(number)
      if (block) seen.add(block.hash)
      if (number === chain.head().number) break
    }
  }
  const sendPending = async () => {
    const lanes = await sql<{ subscription: string; lane: string }[]>`
      select distinct subscription, lane from notify.delivery where status = 'pending'`
    for (const lane of lanes) await deliver(lane, new AbortController().signal)
  }

  for (let round = 0; round < rounds; round++) {
    simulation.mine(1 + random.below(4))
    await catchUp()
    if (random.chance(0.5)) await sendPending()
    if (chain.head().number > 20 && random.chance(0.25)) {
      reorgs++
      const depth = 1 + random.below(8)
      simulation.reorg(depth, random.below(depth + 3), { replay: random.pick([0, 0.5, 1]) })
      await catchUp()
    }
  }
  for (let attempt = 0; attempt < 30; attempt++) await sendPending()

  const faults: string[] = []
  const rows = await sql<
    { market: number; task: string; kind: string; wallet: string; title: string; id: string; is_corrected: boolean }[]
  >`select market, task, kind, wallet, title, id, is_corrected from notify.notification where task is not null order by seq`
  for (const [number, market] of markets.entries()) {
    const { must, may } = listExpectations(simulation, market, ({ hash }) => seen.has(hash), watcher)
    const written = rows.filter((row) => row.market === number && row.kind !== 'corrected' && !row.is_corrected)
    const counts = Map.groupBy(written, formatExpected)
    for (const [what, times] of must) {
      const found = counts.get(what)?.length ?? 0
      if (found < times) faults.push(`${market}: sent ${found} times, not ${times}: ${what}`)
    }
    for (const [what, found] of counts) {
      const times = must.get(what) ?? 0
      if (found.length > times && !may.has(what))
        faults.push(`${market}: sent ${found.length} times, not ${times}: ${what}`)
    }
  }
  faults.push(...(await findDeliveryFaults(sql, heard)))
  await index.stop()
  await sql.end()
  const corrected = rows.filter(({ kind }) => kind === 'corrected').length
  return {
    seed,
    blocks: chain.blocks.length,
    reorgs,
    written: rows.length - corrected,
    corrected,
    matched: rows.filter(({ kind }) => kind === walletRules.searchMatched.kind).length,
    sent: heard.length,
    faults,
  }
}
