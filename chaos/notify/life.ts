import { markets } from '@svc/protocol'
import { walletRules } from '@svc/protocol/internal/notifications'
import { createRandom } from '@svc/simulation/random'
import type { OutgoingMessage } from '../../apps/notifier/src/channels/channel.ts'
import { createDeliver } from '../../apps/notifier/src/deliver.ts'
import { followIndex } from '../../apps/notifier/src/follow.ts'
import { findDeliveryFaults } from './deliveryFaults.ts'
import { compareWithRules, readNotifications, watchedSearch } from './expectations.ts'
import { openLife } from './openLife.ts'

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
  const { simulation, sql, index } = await openLife(seed, url, 0.4)
  const { chain, places, wallets } = simulation
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

  const rows = await readNotifications(sql)
  const faults = [
    ...compareWithRules(simulation, rows, ({ hash }) => seen.has(hash), watcher),
    ...(await findDeliveryFaults(sql, heard)),
  ]
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
