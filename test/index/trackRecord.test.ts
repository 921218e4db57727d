import { createChainReader, createProviders, createViemChain, getLogs, getMarketDeployment } from '@svc/chain'
import { createIndexReader, serveBuild } from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import { decodeLog, type MarketEvent, marketAbis } from '@svc/protocol/fold'
import type { TrackedDispute } from '@svc/protocol/internal/fold'
import { buildDeployments, createNode, createSimulation, type Simulation, simRpc } from '@svc/simulation/chain'
import postgres from 'postgres'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { noPrices } from '../../bench/scale/noPrices.ts'
import { indexSimulation } from '../../bench/scale/seed.ts'
import { createTestDatabase } from '../harness/postgres.ts'
import { runs } from '../harness/runs.ts'

// Every number of a track record, from the index and from the chain, against a plain search through all events of the market.

async function openSimulation(simulation: Simulation) {
  const { chainId, multicall3 } = simulation.places
  const rpc = simRpc(createNode(simulation), { name: 'node' })
  const providers = createProviders([rpc], createViemChain(chainId, multicall3))
  const deployment = getMarketDeployment(buildDeployments(simulation.places, Number(simulation.startBlock)))
  const database = await createTestDatabase()
  const sql = postgres(database.url, { max: 2, fetch_types: false, onnotice: () => {} })
  await indexSimulation(simulation, database.url)
  await serveBuild(sql, 'seed')
  return {
    direct: createChainReader(providers, deployment),
    indexed: createIndexReader(sql, noPrices),
    async listEvents(market: Market): Promise<MarketEvent[]> {
      const contracts = deployment.markets[market]
      const names = Object.keys(marketAbis) as (keyof typeof marketAbis)[]
      const filter = { address: names.map((name) => contracts[name]) }
      const logs = await getLogs(rpc, filter, { from: 0n, to: BigInt(simulation.chain.head().number) })
      return logs.flatMap((log) => {
        const name = names.find((each) => contracts[each].toLowerCase() === log.address.toLowerCase())
        const number = Number(log.blockNumber)
        const block = { number, timestamp: Number(simulation.chain.blockAt(number)?.timestamp) }
        return (name && decodeLog(name, { ...log, block })) || []
      })
    },
    async close() {
      await sql.end()
      await database.drop()
    },
  }
}

test('every number of random wallets equals a search through all events', async () => {
  const wallets = runs(40, 20)
  const simulation = createSimulation({ seed: 23, wallets, liveTasks: 3 * wallets, load: () => 60 })
  simulation.mine(6 * wallets)
  const { direct, indexed, listEvents, close } = await openSimulation(simulation)
  const seen = { disputes: 0, reviews: 0, payments: 0, open: 0, lostTasks: 0, notices: 0 }
  for (const market of markets) {
    const events = await listEvents(market)
    const { tasks } = simulation.oracle.allAt(simulation.chain.head().number)[market]
    for (const { address } of simulation.wallets) {
      const found = await indexed.getTrackRecord(market, address)
      expect(await direct.getTrackRecord(market, address)).toEqual(found)
      const { agent, record, firstSeen, truncated } = found
      expect(truncated).toBe(false)
      const expected = searchEvents(address, events)
      expect({ ...pick(agent), firstSeen }).toEqual({ ...expected.counters, firstSeen: expected.firstSeen })
      expect(record).toEqual({
        ...expected.record,
        // The state of every task comes from the simulated contracts, not from its events.
        openAsPoster: listLive(tasks.filter(({ poster }) => poster === address)),
        openAsWorker: listLive(tasks.filter(({ worker }) => worker === address)),
      })
      seen.disputes += record.disputes.length
      seen.reviews += record.review.count
      seen.payments += record.payment.count
      seen.open += record.openAsPoster.length + record.openAsWorker.length
      seen.lostTasks += expected.lostTasks
      seen.notices += record.unansweredNotices
    }
  }
  console.log(`${wallets} wallets in two markets:`, seen)
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(wallets / 8)
  await close()
})

test('of a busy wallet the newest tasks of each role are looked at, and counters are of all', async () => {
  const simulation = createSimulation({ seed: 7, wallets: 4, liveTasks: 200, load: () => 200 })
  simulation.mine(60)
  const { direct, indexed, listEvents, close } = await openSimulation(simulation)
  const events = await listEvents('micro')
  const results = []
  for (const { address } of simulation.wallets) {
    const found = await indexed.getTrackRecord('micro', address)
    expect(await direct.getTrackRecord('micro', address)).toEqual(found)
    const { counters, firstSeen } = searchEvents(address, events)
    expect({ ...pick(found.agent), firstSeen: found.firstSeen }).toEqual({ ...counters, firstSeen })
    results.push(found.truncated)
  }
  expect(results).toContain(true)
  await close()
})

const live = new Set(['POSTED', 'CLAIMED', 'ACTIVE', 'DISPUTED'])
const listLive = (tasks: readonly { number: bigint; state: string }[]) =>
  tasks
    .filter(({ state }) => live.has(state))
    .map(({ number }) => number)
    .sort((a, b) => (a < b ? 1 : -1))

const counterNames = [
  'completedAsPoster',
  'completedAsWorker',
  'disputesWon',
  'disputesLost',
  'leaves',
  'dismissals',
  'lapses',
  'distinctCounterparties',
  'earned',
  'paid',
] as const
const pick = (agent: Readonly<Record<(typeof counterNames)[number], number | bigint>>) =>
  Object.fromEntries(counterNames.map((name) => [name, agent[name]]))

/** Searches all events for each number by itself, without a state that moves from event to event. */
function searchEvents(wallet: Address, events: readonly MarketEvent[]) {
  const count = (matches: (event: MarketEvent) => boolean) => events.filter(matches).length
  const payments = events.flatMap((event) => (event.kind === 'reputationRegistry.PaymentRecorded' ? [event.args] : []))
  const paid = payments.filter(({ poster }) => poster === wallet)
  const earned = payments.filter(({ worker }) => worker === wallet)
  const completions = events.flatMap((e) => (e.kind === 'reputationRegistry.CompletionRecorded' ? [e.args] : []))
  const counterparties = completions.flatMap(({ poster, worker }) =>
    poster === wallet ? [worker] : worker === wallet ? [poster] : [],
  )
  const sum = (list: typeof payments) => list.reduce((total, { amount }) => total + amount, 0n)
  const own = events.flatMap(({ name, args, block }) => {
    if (name !== 'TaskPosted' && name !== 'TaskCreated' && name !== 'TaskClaimed') return []
    const { poster, worker } = args as { poster?: Address; worker?: Address }
    const task = 'taskId' in args ? args.taskId : 0n
    return poster === wallet || worker === wallet ? [{ task, timestamp: block.timestamp }] : []
  })
  const byTask = Map.groupBy(events, ({ args }) => ('taskId' in args ? args.taskId : 0n))
  const found = [...new Set(own.map(({ task }) => task))].map((task) =>
    searchTask(wallet, task, byTask.get(task) ?? []),
  )
  return {
    counters: {
      completedAsPoster: completions.filter(({ poster }) => poster === wallet).length,
      completedAsWorker: completions.filter(({ worker }) => worker === wallet).length,
      disputesWon: count((e) => e.kind === 'reputationRegistry.DisputeRecorded' && e.args.winner === wallet),
      disputesLost: count((e) => e.kind === 'reputationRegistry.DisputeRecorded' && e.args.loser === wallet),
      leaves: count((e) => e.kind === 'reputationRegistry.LeaveRecorded' && e.args.worker === wallet),
      dismissals: count((e) => e.kind === 'reputationRegistry.DismissalRecorded' && e.args.poster === wallet),
      lapses: count((e) => e.kind === 'reputationRegistry.LapseRecorded' && e.args.account === wallet),
      distinctCounterparties: new Set(counterparties).size,
      earned: sum(earned),
      paid: sum(paid),
    },
    firstSeen: own[0] ?? null,
    lostTasks: count((e) => e.kind === 'taskRegistry.WorkerLeft' && e.args.worker === wallet),
    record: {
      review: findMedian(found.flatMap(({ reviews }) => reviews)),
      payment: findMedian(found.flatMap(({ paidAfter }) => paidAfter)),
      unansweredNotices: found.filter(({ isNoticeUnanswered }) => isNoticeUnanswered).length,
      disputes: found
        .flatMap(({ disputes }) => disputes)
        .sort((a, b) => b.at - a.at)
        .map(({ dispute }) => dispute),
    },
  }

  function searchTask(of: Address, task: bigint, all: readonly MarketEvent[]) {
    const names = all.map(({ name }) => name)
    const posting = all.find(({ name }) => name === 'TaskPosted' || name === 'TaskCreated')
    const poster = posting && 'poster' in posting.args ? posting.args.poster : null
    /** Looks back from an event to the last one of these, and stops at one of those. */
    const lookBack = (from: number, wanted: readonly string[], stops: readonly string[]) => {
      for (let at = from - 1; at >= 0; at--) {
        if (wanted.includes(names[at] ?? '')) return at
        if (stops.includes(names[at] ?? '')) return -1
      }
      return -1
    }
    const lost = ['WorkerLeft', 'WorkerDismissed', 'TaskExpired']
    const answers = ['RevisionRequested', 'MilestoneReleased', 'DisputeOpened', ...lost]
    const reviews: number[] = []
    const paidAfter: number[] = []
    const disputes: { at: number; dispute: TrackedDispute }[] = []
    all.forEach((event, at) => {
      const now = event.block.timestamp
      const isPostersAnswer =
        event.kind === 'taskRegistry.RevisionRequested' ||
        event.kind === 'taskRegistry.MilestoneReleased' ||
        (event.kind === 'taskRegistry.DisputeOpened' && event.args.opener === poster)
      if (poster === of && isPostersAnswer) {
        const delivered = all[lookBack(at, ['MilestoneDelivered'], answers)]
        if (delivered) reviews.push(now - delivered.block.timestamp)
      }
      if (poster === of && event.kind === 'taskRegistry.MilestoneReleased') {
        const start = lookBack(at, ['MilestoneReleased', ...lost], [])
        const delivered = all.slice(start + 1, at).find(({ name }) => name === 'MilestoneDelivered')
        if (delivered) paidAfter.push(now - delivered.block.timestamp)
      }
      if (event.kind !== 'arbitration.CaseOpened') return
      const taken = all[lookBack(at, ['TaskClaimed', 'TaskCreated'], [])]
      const worker = taken && 'worker' in taken.args ? taken.args.worker : null
      if (of !== poster && of !== worker) return
      const next = all.findIndex(({ name }, index) => index > at && name === 'CaseOpened')
      const rest = all.slice(at, next < 0 ? undefined : next)
      const closed = rest.flatMap((each) => (each.kind === 'arbitration.CaseClosed' ? [each] : []))[0]
      const recorded = rest.flatMap((each) =>
        each.kind === 'reputationRegistry.DisputeRecorded' ? [each.args] : [],
      )[0]
      const endings = ['NONE', 'RULED', 'DECIDED', 'TIMED_OUT', 'SETTLED', 'CONCEDED', 'CANCELLED'] as const
      disputes.push({
        at: event.block.number * 100_000 + event.logIndex,
        dispute: {
          task,
          round: Number(event.args.number),
          role: of === poster ? 'poster' : 'worker',
          openedByWallet: event.args.opener === of,
          ending: endings[closed?.args.ending ?? 0] ?? 'NONE',
          outcome: recorded?.winner === of ? 'won' : recorded?.loser === of ? 'lost' : null,
          workerBps: closed ? Number(closed.args.workerBps) : null,
          openedAt: now,
          closedAt: closed?.block.timestamp ?? null,
        },
      })
    })
    const notice = all.findIndex(({ kind }) => kind === 'taskRegistry.NoticeGiven')
    const engaged = all.findLast(({ name }) => name === 'TaskClaimed' || name === 'TaskCreated')
    const isNoticeUnanswered =
      notice >= 0 &&
      names.includes('TaskExpired') &&
      !names.slice(notice).includes('MilestoneDelivered') &&
      engaged !== undefined &&
      'worker' in engaged.args &&
      engaged.args.worker === of
    return { reviews, paidAfter, disputes, isNoticeUnanswered }
  }
}

function findMedian(durations: readonly number[]) {
  const sorted = durations.toSorted((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
  return {
    seconds: low === undefined || high === undefined ? null : Math.floor((low + high) / 2),
    count: sorted.length,
  }
}
