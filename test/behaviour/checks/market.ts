// The API about a market: its tasks, events, prices and Union.
import { accounts } from '@svc/devnet'
import { type Market, markets } from '@svc/protocol'
import { usdOracleAbi } from '@svc/protocol/abis'
import { formatUnits } from 'viem'
import { assertEqual } from '../assertEqual.ts'
import type { Check } from '../call.ts'
import { describeCourt, listCourtFacts } from '../court.ts'
import {
  buildExpectedTask,
  describeEvent,
  describeMeta,
  describeText,
  encodeListCursor,
  findTask,
  isClaimable,
  isWallet,
  newestFirst,
  readText,
} from '../expected.ts'
import type { MarketFacts, TaskFact } from '../facts.ts'
import { describeDetail, knownScenarios } from '../taskDetail.ts'
import type { BehaviourWorld } from '../world.ts'
import { assertRefusal } from './refusal.ts'

type Select = (task: TaskFact, of: MarketFacts) => boolean

export function listMarketChecks(world: BehaviourWorld) {
  const { facts } = world
  const checkList = (to: string, input: Record<string, string>, select: Select) =>
    checkTaskList(world, to, input, select, 'index')

  /** Compares the answers of both markets, and that of none given. */
  const checkMarkets =
    (to: string, describe: (market: Market) => object | Promise<object>): Check =>
    async (call) => {
      for (const market of markets) {
        const answer = await call({ to, input: { market } })
        assertEqual(answer, { status: 200, body: await describe(market) }, `${to} ${market}`)
      }
      assertEqual((await call({ to, input: {} })).body, await describe('standard'), `${to} without a market`)
    }

  return {
    'GET /api/market/open': checkList('GET /api/market/open', {}, (task, of) => isClaimable(world, of, task)),
    'GET /api/market/recent': checkList('GET /api/market/recent', {}, () => true),
    'GET /api/poster/tasks': checkList('GET /api/poster/tasks', { address: accounts.ada.address }, ({ poster }) =>
      isWallet(poster, accounts.ada.address),
    ),
    'GET /api/worker/tasks': checkList('GET /api/worker/tasks', { address: accounts.emeka.address }, ({ worker }) =>
      isWallet(worker, accounts.emeka.address),
    ),

    'GET /api/market/search': async (call) => {
      const to = 'GET /api/market/search'
      for (const market of markets) {
        const of = facts[market]
        const meta = { ...describeMeta(world, market), nextCursor: null }
        const rows = (some: readonly TaskFact[]) =>
          some.map((task) => ({ ...buildExpectedTask(world, of, task), ...describeText(task) }))
        const open = newestFirst(of).filter((task) => isClaimable(world, of, task))
        const survey = open.filter((task) => readText(task)?.title.startsWith('A survey'))
        const byWords = await call({ to, input: { market, q: 'garden surveys' } })
        assertEqual(byWords, { status: 200, body: { tasks: rows(survey), meta } }, `words in ${market}`)
        const lang = market === 'micro' ? 'lang:pt' : 'lang:sw'
        const byTags = await call({ to, input: { market, tags: `survey,${lang}` } })
        assertEqual(byTags.body, { tasks: rows(survey), meta }, `tags in ${market}`)
        const least =
          open.map(({ total }) => total).toSorted((a, b) => (a < b ? -1 : 1))[Math.floor(open.length / 2)] ?? 0n
        const paid = open.filter(({ total, funded }) => total >= least && funded === total)
        const byPay = await call({
          to,
          input: { market, minPayTokWei: String(least), funded: 'true', claimPolicy: 'ANYONE', sort: 'pay' },
        })
        const sorted = paid
          .filter(({ claimPolicy }) => claimPolicy === 'ANYONE')
          .toSorted((a, b) => (a.total === b.total ? Number(b.number - a.number) : a.total > b.total ? -1 : 1))
        assertEqual(byPay.body, { tasks: rows(sorted), meta }, `pay in ${market}`)
      }
      const none = await call({ to, input: { q: 'nobodywrotethis' } })
      assertEqual(
        none.body,
        { tasks: [], meta: { ...describeMeta(world, 'standard'), nextCursor: null } },
        'words that nobody wrote',
      )
    },

    'GET /api/market/task': async (call) => {
      const to = 'GET /api/market/task'
      await checkTaskDetails(world, to, 'index')(call)
      const task = findTask(world, 'micro', 'working')
      const body = { task: describeDetail(world, facts.micro, task), meta: describeMeta(world, 'micro') }
      assertEqual((await call({ to, input: { taskId: task.id } })).body, body, 'by taskId')
    },

    'GET /api/market/numbers': checkMarkets('GET /api/market/numbers', (market) => {
      // A page of events looks through the newest 500.
      const newest = facts[market].events.slice(-500)
      const list = (name: string) => newest.filter(({ event }) => event === name).slice(-100)
      const [paid, delivered, disputed] = [list('PaymentRecorded'), list('MilestoneDelivered'), list('DisputeOpened')]
      const countTasks = (events: typeof newest) => new Set(events.map(({ args }) => args.taskId)).size
      const waits = paid
        .flatMap(({ args, timestamp }) => {
          const before = delivered.filter((each) => each.args.taskId === args.taskId && each.timestamp <= timestamp)
          return before.slice(-1).map((last) => timestamp - last.timestamp)
        })
        .toSorted((a, b) => a - b)
      const middle = waits.slice(Math.floor((waits.length - 1) / 2), Math.floor(waits.length / 2) + 1)
      const source = (event: string) => `/api/market/events?market=${market}&event=${event}`
      return {
        payments: paid.length,
        paidTokWei: paid.reduce((sum, { args }) => sum + BigInt(String(args.amount)), 0n),
        since: paid[0]?.timestamp ?? null,
        wait: {
          seconds: middle.length ? Math.floor(middle.reduce((sum, each) => sum + each, 0) / middle.length) : null,
          count: waits.length,
        },
        deliveredTasks: countTasks(delivered),
        disputedTasks: countTasks(
          disputed.filter(({ args }) => delivered.some((each) => each.args.taskId === args.taskId)),
        ),
        sources: {
          payments: source('PaymentRecorded'),
          deliveries: source('MilestoneDelivered'),
          disputes: source('DisputeOpened'),
        },
        meta: describeMeta(world, market),
      }
    }),

    'GET /api/market/events': async (call) => {
      const to = 'GET /api/market/events'
      for (const market of markets) {
        const { events } = facts[market]
        const meta = describeMeta(world, market)
        const newest = events.slice(-20)
        const place = (event: (typeof events)[number] | undefined) => event && `${event.blockNumber}:${event.logIndex}`
        const latest = await call({ to, input: { market, limit: 20 } })
        assertEqual(
          latest,
          {
            status: 200,
            body: {
              events: newest.map((event) => describeEvent(event, market)),
              meta: { ...meta, nextCursor: place(newest.at(-1)) },
            },
          },
          `the newest events of ${market}`,
        )
        const after = events.slice(50, 60)
        const page = await call({ to, input: { market, limit: 10, cursor: place(events[49]) ?? '' } })
        assertEqual(
          page.body,
          {
            events: after.map((event) => describeEvent(event, market)),
            meta: { ...meta, nextCursor: place(after.at(-1)) },
          },
          `events of ${market} after a cursor`,
        )
        const task = findTask(world, market, 'disputeRuled')
        const own = events.filter(({ event, args }) => event === 'EvidenceSubmitted' && args.taskId === task.number)
        // A page with a filter looks through 500 events.
        const before =
          place(
            events[
              events.findIndex(({ event, args }) => event === 'EvidenceSubmitted' && args.taskId === task.number) - 100
            ],
          ) ?? ''
        const chosen = await call({ to, input: { taskId: task.id, event: 'EvidenceSubmitted', cursor: before } })
        assertEqual(
          isRecord(chosen.body) && chosen.body.events,
          own.map((event) => describeEvent(event, market)),
          `evidence of ${task.id}`,
        )
        const wallet = accounts.emeka.address
        const claims = await call({ to, input: { market, address: wallet, event: 'TaskClaimed', cursor: '0:0' } })
        const claimed = events
          .slice(0, 500)
          .filter(({ event, args }) => event === 'TaskClaimed' && args.worker === wallet)
        assertEqual(
          isRecord(claims.body) && claims.body.events,
          claimed.map((event) => describeEvent(event, market)),
          `claims of a wallet in ${market}`,
        )
      }
    },

    'GET /api/market/texts': async (call) => {
      for (const market of markets) {
        const tasks = facts[market].tasks.slice(3, 12)
        const answer = await call({ to: 'GET /api/market/texts', input: { ids: tasks.map(({ id }) => id).join(',') } })
        const titles = tasks
          .filter((task) => readText(task))
          .map((task) => ({ id: task.id, title: describeText(task).title, excerpt: describeText(task).excerpt }))
        assertEqual(answer, { status: 200, body: { titles, meta: describeMeta(world, market) } }, `texts of ${market}`)
      }
    },

    'GET /api/market/status': checkMarkets('GET /api/market/status', (market) => ({
      newTasks: 'open',
      endsAt: Number(facts[market].totals.sunsetAt) || null,
      meta: describeMeta(world, market),
    })),

    'GET /api/price/tok': checkMarkets('GET /api/price/tok', async (market) => {
      const { client, deployments } = world.devnet
      const [price, updatedAt] = await client.readContract({
        address: deployments.shared.usdOracle,
        abi: usdOracleAbi,
        functionName: 'tokUsdPrice',
      })
      return {
        market,
        usdPerTok: formatUnits(price, 8),
        updatedAt: Number(updatedAt),
        missing: null,
        meta: describeMeta(world, market, 'chain'),
      }
    }),

    'GET /api/union/overview': checkMarkets('GET /api/union/overview', (market) => {
      const { totals } = facts[market]
      return {
        source: 'chain-rpc',
        stakingActive: totals.stakingActive,
        totalStakedTok: totals.staked,
        totalCreditsIssued: totals.creditsIssued,
        creditsRemaining: totals.creditsRemaining,
        creditIssuanceClosed: totals.creditIssuanceClosed,
        rewardReserveTok: totals.rewardReserve,
        meta: describeMeta(world, market),
      }
    }),

    'GET /api/market/court': async (call) => {
      const to = 'GET /api/market/court'
      for (const market of markets) {
        const cases = listCourtFacts(world, market).map(({ name, about, amount, gap, ...times }) => ({
          ...name,
          ...about,
          amountTokWei: amount,
          gapTokWei: gap,
          ...times,
        }))
        const meta = describeMeta(world, market, 'chain')
        const body = { market, court: describeCourt(world, market), cases, total: cases.length, truncated: false, meta }
        assertEqual(await call({ to, input: { market } }), { status: 200, body }, market)
      }
    },

    'GET /api/site-config': checkMarkets('GET /api/site-config', (market) => {
      const { shared, markets: own } = world.devnet.deployments
      return {
        chainId: 8453,
        chainName: 'Base',
        rpcUrl: 'http://127.0.0.1:8545',
        startBlock: 0,
        market,
        contracts: { ...shared, ...own[market] },
        postingPlans: [
          { id: 'free', dailyLimit: 3 },
          { id: 'basic', dailyLimit: 25 },
          { id: 'pro', dailyLimit: 200 },
        ],
        court: describeCourt(world, market),
        store: { address: accounts.store.address, url: '/store' },
        notifier: { url: '/notify' },
      }
    }),
  } satisfies Record<string, Check>
}

const isRecord = (body: unknown): body is Record<string, unknown> => typeof body === 'object' && body !== null

/** Compares a list with the tasks of each market that belong to it: whole, in pages, with texts, and for wrong limits. */
export const checkTaskList =
  (world: BehaviourWorld, to: string, input: Record<string, string>, select: Select, path: 'index' | 'chain'): Check =>
  async (call) => {
    const { facts } = world
    for (const market of markets) {
      const of = facts[market]
      const tasks = newestFirst(of).filter((task) => select(task, of))
      const rows = tasks.map((task) => buildExpectedTask(world, of, task))
      const meta = describeMeta(world, market, path)
      const whole = await call({ to, input: { ...input, market } })
      assertEqual(whole, { status: 200, body: { tasks: rows, meta: { ...meta, nextCursor: null } } }, `${to} ${market}`)
      const [first, second, third] = tasks
      if (!first || !second || !third) throw new Error(`${to} of ${market} is too short to show its order.`)
      const page = await call({ to, input: { ...input, market, limit: 2 } })
      const nextCursor = encodeListCursor(second)
      assertEqual(page.body, { tasks: rows.slice(0, 2), meta: { ...meta, nextCursor } }, `${to} limit 2`)
      const next = await call({ to, input: { ...input, market, limit: 1, cursor: nextCursor } })
      const after = tasks.length > 3 ? encodeListCursor(third) : null
      assertEqual(next.body, { tasks: rows.slice(2, 3), meta: { ...meta, nextCursor: after } }, `${to} next page`)
      const texted = await call({ to, input: { ...input, market, limit: 3, texts: 'true' } })
      const shown = [first, second, third].map((task) => ({
        ...buildExpectedTask(world, of, task),
        ...describeText(task),
      }))
      assertEqual(texted.body, { tasks: shown, meta: { ...meta, nextCursor: after } }, `${to} with texts`)
    }
    const preset = await call({ to, input })
    const standard = newestFirst(facts.standard).filter((task) => select(task, facts.standard))
    const rows = standard.map((task) => buildExpectedTask(world, facts.standard, task))
    assertEqual(
      preset.body,
      { tasks: rows, meta: { ...describeMeta(world, 'standard', path), nextCursor: null } },
      'the market is standard unless given',
    )
    for (const limit of ['0', '101', '1.5', 'all']) {
      assertRefusal(await call({ to, input: { ...input, limit } }), 400, 'INVALID_LIMIT')
    }
    const wrong = await call({ to, input: { ...input, market: 'big' } })
    assertEqual(
      wrong,
      { status: 400, body: { error: 'market must be standard or micro.', code: 'INVALID_MARKET' } },
      'another market',
    )
  }

/** Compares tasks in several states, and asks for tasks that are not there. */
export const checkTaskDetails =
  (world: BehaviourWorld, to: string, path: 'index' | 'chain'): Check =>
  async (call) => {
    for (const market of markets) {
      for (const scenario of knownScenarios) {
        const task = findTask(world, market, scenario)
        const meta = describeMeta(world, market, path)
        const body = { task: describeDetail(world, world.facts[market], task), meta }
        assertEqual(await call({ to, input: { id: task.id } }), { status: 200, body }, `${scenario} of ${market}`)
        if (scenario !== 'working') continue
        assertEqual((await call({ to, input: { id: task.id, market } })).body, body, `${scenario} with its market`)
      }
    }
    const missing = await call({ to, input: { id: 'v2:micro:99999' } })
    const error = 'Task v2:micro:99999 is not found.'
    assertEqual(missing, { status: 404, body: { error, code: 'TASK_NOT_FOUND' } }, 'a task that does not exist')
    for (const id of ['1', 'v1:micro:1', 'v2:big:1', 'v2:micro:01', 'V2:micro:1']) {
      assertRefusal(await call({ to, input: { id } }), 400, 'INVALID_TASK_ID')
    }
    assertRefusal(await call({ to, input: { id: 'v2:micro:1', market: 'standard' } }), 400, 'INVALID_MARKET')
  }
