// The four pages of the gateway: what they show, compared with the chain.
import { accounts } from '@svc/devnet'
import { markets } from '@svc/protocol'
import { formatUnits } from 'viem'
import { assertEqual } from '../assertEqual.ts'
import { type Check, isList, isObject, type Json } from '../call.ts'
import {
  encodeListCursor,
  findPhase,
  formatMoney,
  formatUtcTime,
  isClaimable,
  newestFirst,
  readText,
} from '../expected.ts'
import { type EventFact, type MarketFacts, scoreFormula, type TaskFact } from '../facts.ts'
import { agentTable, describeTreasury, eventTable, verifierTable } from '../pageTables.ts'
import type { BehaviourWorld } from '../world.ts'

const names = { standard: 'Standard', micro: 'Micro' } as const

export function listPageChecks(world: BehaviourWorld) {
  const { facts, gatewayUrl } = world
  const { number, timestamp } = facts.block
  const block = number.toLocaleString('en')
  const head = `Block ${block}, ${formatIso(timestamp)}`
  /** The chain of these checks stands still for longer than a page expects. */
  const readHead = (body: Json) =>
    isObject(body)
      ? { ...body, head: String(body.head).replace(' (the chain or its provider stands still)', '') }
      : body

  return {
    'GET /': async (call) => {
      const { status, body } = await call({ to: 'GET /', input: {} })
      const { shared, markets: own } = world.devnet.deployments
      const hub = dropAnswerTimes(readHead(body))
      assertEqual(
        { status, hub },
        {
          status: 200,
          hub: {
            head,
            chosen: [],
            Chain: {
              figures: {
                Chain: 'Base 8453 · 0x2105',
                'Newest block': `${block} ${formatUtcTime(timestamp)}`,
                'Block age': formatIso(timestamp),
              },
              tables: [{ caption: 'RPC providers', rows: [{ Provider: 'anvil', Block: block, Lag: '0 blocks' }] }],
            },
            'From a terminal': {
              code: [
                ['market/open?market=standard', 'tasks/v2:standard:1', 'fees']
                  .map((path) => `curl -s '${gatewayUrl}/v1/${path}'`)
                  .join(' '),
              ],
            },
            'From an MCP client': {
              figures: { Gateway: gatewayUrl, 'Receipts are signed by': await readSigner() },
              code: [
                `{ "mcpServers": { "task-market": { "command": "svc-tools", "env": { "CHAIN_RPC_URL": "<your provider>", "SVC_API_URL": "<URL of the market>", "SVC_GATEWAY_URL": "${gatewayUrl}" } } } }`,
              ],
            },
            'Standard market': { figures: own.standard },
            'Micro market': { figures: own.micro },
            'Shared by both': { figures: shared },
            'More pages': {
              items: [
                'Market tasks open for claims',
                'Leaderboard who has done what, event by event',
                'Treasury deposits, and what is locked in tasks',
                '/v1/fees fees and limits as JSON',
              ],
            },
          },
        },
        'the hub',
      )

      async function readSigner(): Promise<Json> {
        const { body: said } = await call({ to: 'GET /v1/status', input: {} })
        return isObject(said) ? (said.receiptSigner ?? null) : null
      }
    },

    'GET /market.html': async (call) => {
      const to = 'GET /market.html'
      for (const market of markets) {
        const of = facts[market]
        const open = newestFirst(of).filter((task) => isClaimable(world, of, task))
        const half =
          open.map(({ total }) => total).toSorted((a, b) => (a < b ? -1 : 1))[Math.floor(open.length / 2)] ?? 0n
        const asked = [
          [{}, open],
          [{ show: 'any' }, newestFirst(of)],
          [{ show: 'any', cursor: encodeListCursor(newestFirst(of)[29] ?? fail()) }, newestFirst(of).slice(30)],
          [{ show: 'disputed' }, newestFirst(of).filter(({ state }) => state === 'DISPUTED')],
          [{ min: formatUnits(half, 18) }, open.filter(({ total }) => total >= half)],
          [{ q: 'GARDENS survey' }, open.filter((task) => readText(task)?.title.startsWith('A survey'))],
        ] as const
        for (const [input, tasks] of asked) {
          const { status, body } = await call({ to, input: { market, ...input } })
          assertEqual(
            { status, page: readHead(body) },
            { status: 200, page: describeMarketPage(of, tasks, input) },
            `${market} ${JSON.stringify(input)}`,
          )
        }
      }
      assertEqual((await call({ to, input: { min: 'a lot' } })).status, 400, 'an amount that cannot be read')
    },

    'GET /leaderboard.html': async (call) => {
      const to = 'GET /leaderboard.html'
      for (const market of markets) {
        const of = facts[market]
        const board = {
          head,
          chosen: [names[market]],
          Agents: { code: [`score = ${scoreFormula}`], tables: [agentTable(of)] },
          Verifiers: { tables: [verifierTable(of)] },
        }
        const { status, body } = await call({ to, input: { market } })
        assertEqual({ status, page: readHead(body) }, { status: 200, page: board }, `${to} ${market}`)
        const wallet = accounts.emeka.address
        for (const [of_, name, counts] of [
          ['completed', 'Completed tasks', ({ event }: EventFact) => event === 'CompletionRecorded'],
          ['earned', 'Earned', ({ event, args }: EventFact) => event === 'PaymentRecorded' && args.worker === wallet],
        ] as const) {
          const events = of.events.filter(
            (each) => counts(each) && (each.args.worker === wallet || each.args.poster === wallet),
          )
          const opened = await call({ to, input: { market, wallet, of: of_ } })
          const record = { [`${name} of ${wallet}`]: { tables: [eventTable(events, market)] } }
          assertEqual(readHead(opened.body), { ...board, ...record }, `${name} in ${market}`)
        }
      }
      assertEqual((await call({ to, input: { of: 'luck' } })).status, 400, 'a number that is not there')
    },

    'GET /treasury-dashboard.html': async (call) => {
      const to = 'GET /treasury-dashboard.html'
      for (const market of markets) {
        const { status, body } = await call({ to, input: { market } })
        assertEqual(
          { status, page: readHead(body) },
          { status: 200, page: { head, chosen: [names[market]], ...describeTreasury(facts[market]) } },
          `${to} ${market}`,
        )
      }
    },
  } satisfies Record<string, Check>

  function describeMarketPage(of: MarketFacts, tasks: readonly TaskFact[], input: Readonly<Record<string, string>>) {
    const shown = tasks.slice(0, 20)
    const last = shown.at(-1)
    const { show = 'claimable', min, q } = input
    const query = { market: of.market, show, ...(min && { min }), ...(q && { q }) }
    const more = tasks.length > 20 && last ? { ...query, cursor: encodeListCursor(last) } : null
    return {
      head,
      chosen: [names[of.market], { claimable: 'Open', any: 'All', disputed: 'In dispute' }[show]],
      ...(more && { next: `/market.html?${new URLSearchParams(more)}` }),
      Market: { items: shown.map((task) => describeItem(of, task)) },
      data: { rows: shown.map((task) => describeRow(of, task)) },
    }
  }

  function describeItem(of: MarketFacts, task: TaskFact) {
    const phase = findPhase(world, of, task)
    const text = readText(task)
    const clock = findClock(of, task, phase)
    const count = task.milestones.length
    const facts = [
      endLabels[task.state] ?? phaseLabels[phase],
      task.id,
      count === 1 ? '1 milestone' : `${count} milestones`,
      task.funded === task.total ? 'locked' : `${formatMoney(task.funded, 'TOK')} locked`,
      ...(task.state === 'POSTED'
        ? [task.claimPolicy === 'ANYONE' ? 'Anyone can claim' : "Needs the poster's permit"]
        : []),
      `by ${task.poster}`,
      ...(text?.tags ?? []).map((tag) => `#${tag}`),
    ]
    return {
      h2: text ? shorten(text.title, 120) : 'Private task',
      pay: formatMoney(task.total, 'TOK'),
      facts: facts.join(' '),
      clock: clock ? `${clock[0]} ${formatIso(clock[1])} ${formatUtcTime(clock[1])}` : '',
      ...(text && { criteria: shorten(text.criteria, 600) }),
    }
  }

  function describeRow(of: MarketFacts, task: TaskFact) {
    const iso = (seconds: number) => (seconds === 0 ? '' : formatIso(seconds))
    return {
      id: task.id,
      market: of.market,
      state: task.state,
      phase: findPhase(world, of, task),
      title: shorten(readText(task)?.title ?? '', 120),
      totalTok: formatUnits(task.total, 18),
      fundedTok: formatUnits(task.funded, 18),
      releasedTok: formatUnits(task.released, 18),
      milestones: task.milestones.length,
      claimPolicy: task.claimPolicy,
      poster: task.poster,
      worker: task.worker ?? '',
      postedAt: iso(task.postedAt),
      claimableUntil: iso(isClaimable(world, of, task) ? task.claimableUntil : 0),
      deadline: iso(task.deadline),
      reviewEnd: iso(task.reviewEnd),
    }
  }
}

const formatIso = (seconds: number) => new Date(seconds * 1000).toISOString()
const fail = (): never => {
  throw new Error('There are too few tasks.')
}

const shorten = (text: string, length: number) => {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return [...line].length > length ? `${[...line].slice(0, length - 1).join('')}…` : line
}

const endLabels: Readonly<Record<string, string>> = {
  COMPLETED: 'Paid',
  CANCELLED: 'Cancelled',
  EXPIRED: 'Expired',
  RESOLVED: 'Decided in a dispute',
}

const phaseLabels: Readonly<Record<string, string>> = {
  OPEN_FOR_CLAIM: 'Open',
  CLAIM_CLOSED: 'Claims closed',
  AWAITING_FUNDS: 'Claimed, awaiting funds',
  READY_TO_START: 'Claimed',
  CLAIM_LAPSED: 'Claim lapsed',
  WORKING: 'In progress',
  IN_REVIEW: 'In review',
  REVIEW_LAPSED: 'Ready to be paid',
  RECEIPT_MISSING: 'Receipt missing',
  OVERDUE: 'Overdue',
  UNDER_NOTICE: 'Ending',
  IN_DISPUTE: 'In dispute',
  SETTLED: 'Ended',
}

/** The deadline that a task shows, and what it is. */
function findClock({ params }: MarketFacts, task: TaskFact, phase: string): [string, number] | null {
  if (phase === 'OPEN_FOR_CLAIM') return ['Claims close', task.claimableUntil]
  if (['AWAITING_FUNDS', 'READY_TO_START', 'CLAIM_LAPSED'].includes(phase))
    return ['Start due', task.claimedAt + params.fundingWindow]
  if (['WORKING', 'OVERDUE', 'UNDER_NOTICE'].includes(phase)) return ['Delivery due', task.deadline]
  return phase === 'IN_REVIEW' || phase === 'REVIEW_LAPSED' ? ['Review ends', task.reviewEnd] : null
}

/** The page names how long each provider took, which is different each time. */
function dropAnswerTimes(body: Json): Json {
  if (!isObject(body) || !isObject(body.Chain) || !isList(body.Chain.tables)) return body
  const tables = body.Chain.tables.map((table) =>
    isObject(table) && isList(table.rows)
      ? {
          ...table,
          rows: table.rows.map((row) => {
            if (!isObject(row)) return row
            const { 'Answered in': took, ...rest } = row
            if (!/^\d+ ms$/.test(String(took))) throw new Error(`A provider answered in ${took}.`)
            return rest
          }),
        }
      : table,
  )
  return { ...body, Chain: { ...body.Chain, tables } }
}
