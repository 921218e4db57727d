import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Market, markets } from '@svc/protocol'
import { createRandom } from '@svc/simulation/random'
import type { Cluster } from '../../test/harness/cluster.ts'
import { findDeliveryFaults } from './deliveryFaults.ts'
import { compareWithRules, readNotifications } from './expectations.ts'
import { openLife } from './openLife.ts'
import { startFragileReceiver } from './receiver.ts'

/** What is killed. */
export const victims = ['notifier', 'database', 'receiver'] as const

export interface KillReport {
  kills: Readonly<Record<(typeof victims)[number], number>>
  reorgs: number
  blocks: number
  written: number
  corrected: number
  heard: number
  repeats: number
  reportedAsFailed: number
  seconds: number
  faults: readonly string[]
}

export interface KillOptions {
  seed: number
  url: string
  kills: number
  cluster: Pick<Cluster, 'restart'>
}

/** How long everything may take to come to rest after the last kill. */
const restMs = 180_000

/** Kills notifiers, Postgres and the receiver while a random chain goes on, then compares inbox, receiver and rules. */
export async function runKills({ seed, url, kills: count, cluster }: KillOptions): Promise<KillReport> {
  const started = Date.now()
  const random = createRandom(seed, 92)
  const { simulation, sql, index } = await openLife(seed, url, 0.3)
  const { chain, places } = simulation
  simulation.mine(40)
  const receiver = await startFragileReceiver(createRandom(seed, 93))
  const notifiers = [start(), start()]
  const kills = { notifier: 0, database: 0, receiver: 0 }
  let reorgs = 0

  try {
    for (let kill = 0; kill < count; kill++) {
      await advance()
      const victim = random.pick(victims)
      kills[victim]++
      if (victim === 'notifier') {
        const place = random.below(notifiers.length)
        const old = notifiers[place] as ChildProcess
        if (old.exitCode === null && old.signalCode === null) {
          old.kill('SIGKILL')
          await once(old, 'close')
        }
        notifiers[place] = start()
      } else if (victim === 'database') await cluster.restart()
      else {
        await receiver.kill()
        await wait(100 + random.below(400))
        await receiver.start()
      }
      await wait(random.below(300))
    }
    receiver.calm()
    await advance()
    await untilAtRest()
    const faults = await compare()
    const [totals] = await sql<{ written: number; corrected: number; failed: number }[]>`
      select count(*) filter (where kind <> 'corrected')::int as written, count(*) filter (where kind = 'corrected')::int as corrected,
        (select count(*)::int from notify.delivery where status = 'failed') as failed from notify.notification`
    const { heard } = receiver
    return {
      kills,
      reorgs,
      blocks: chain.blocks.length,
      written: totals?.written ?? 0,
      corrected: totals?.corrected ?? 0,
      heard: heard.length,
      repeats: heard.length - new Set(heard.map(({ id }) => id)).size,
      reportedAsFailed: totals?.failed ?? 0,
      seconds: Math.round((Date.now() - started) / 1_000),
      faults,
    }
  } finally {
    for (const each of notifiers) each.kill('SIGKILL')
    await receiver.kill()
    await index.stop()
    await sql.end({ timeout: 1 })
  }

  function start(): ChildProcess {
    const main = fileURLToPath(new URL('notifierProcess.ts', import.meta.url))
    return spawn(process.execPath, [main, url, receiver.url, places.finalCourt], { stdio: 'ignore' })
  }

  /** Mines a few blocks, or reorganises the chain, and brings the index there. */
  async function advance(): Promise<void> {
    if (chain.head().number > 20 && random.chance(0.2)) {
      reorgs++
      const depth = 1 + random.below(5)
      simulation.reorg(depth, depth + random.below(3), { replay: random.pick([0, 0.5, 1]) })
    } else simulation.mine(1 + random.below(3))
    for (const market of markets) await moveIndex(market)
  }

  async function moveIndex(market: Market): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        if (attempt > 0) await index.reload(market)
        return await index.moveTo(market, chain.head().number)
      } catch (error) {
        if (attempt > 50) throw error
        await wait(200)
      }
    }
  }

  /** Waits until both markets are followed to the end and nothing is left to send. */
  async function untilAtRest(): Promise<void> {
    const end = Date.now() + restMs
    while (Date.now() < end) {
      const [row] = await sql<{ behind: number; pending: number }[]>`
        select (select count(*)::int from market.cursor i where not exists (
            select from notify.cursor c where c.market = i.market and c.hash = i.hash)) as behind,
          (select count(*)::int from notify.delivery where status = 'pending') as pending`.catch(() => [])
      if (row?.behind === 0 && row.pending === 0) return
      await wait(250)
    }
  }

  async function compare(): Promise<string[]> {
    // The notifier was dead at some blocks, so reminders may be missing, but none may be wrong.
    const ofRules = compareWithRules(simulation, await readNotifications(sql), () => false)
    return [...ofRules, ...(await findDeliveryFaults(sql, receiver.heard))]
  }
}
