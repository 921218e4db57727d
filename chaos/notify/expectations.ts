import { decodeTaskText, type Market, markets } from '@svc/protocol'
import {
  type ContractName,
  compareEvents,
  decodeLog,
  type Entity,
  type EntityKey,
  foldEvent,
  type MarketEvent,
  marketAbis,
} from '@svc/protocol/fold'
import type { FoldedTask } from '@svc/protocol/internal/fold'
import {
  type Clock,
  type EventRule,
  eventRules,
  phaseClocks,
  type ReminderName,
  type RuleContext,
  stateClocks,
  walletRules,
} from '@svc/protocol/internal/notifications'
import type { DisputeRecord } from '@svc/protocol/records'
import type { SimBlock, Simulation } from '@svc/simulation/chain'
import type { Sql } from 'postgres'
import type { Address } from 'viem'

/** A notification as a reader of the rules would write it down. */
interface Expected {
  task: string
  kind: string
  wallet: string
  title: string
}

interface Expectations {
  /** What must have been sent, exactly so often. */
  must: Map<string, number>
  /** Reminders that may have been sent, because another branch of the chain, or a later look, made them right. */
  may: Set<string>
}

const formatExpected = ({ task, kind, wallet, title }: Expected) => `${task} ${kind} ${wallet} ${title}`

/** A notification about a task as it was written. */
interface Written extends Expected {
  market: number
  is_corrected: boolean
}

export const readNotifications = (sql: Sql) => sql<Written[]>`
  select market, task, kind, wallet, title, is_corrected from notify.notification where task is not null order by seq`

/** Compares what was written and holds with `listExpectations`: how often it was sent, and how often it must have been. */
export function compareWithRules(
  simulation: Simulation,
  rows: readonly Written[],
  wasSeen: (block: SimBlock) => boolean,
  watcher?: Address,
): string[] {
  return [...markets.entries()].flatMap(([number, market]) => {
    const { must, may } = listExpectations(simulation, market, wasSeen, watcher)
    const written = rows.filter((row) => row.market === number && row.kind !== 'corrected' && !row.is_corrected)
    const counts = Map.groupBy(written, formatExpected)
    return [...new Set([...must.keys(), ...counts.keys()])].flatMap((what) => {
      const [found, times] = [counts.get(what)?.length ?? 0, must.get(what) ?? 0]
      const isRight = found === times || (found > times && may.has(what))
      return isRight ? [] : [`${market}: sent ${found} times, not ${times}: ${what}`]
    })
  })
}

/** The name of the search that the watcher saved. */
export const watchedSearch = 'Everything'

interface Running {
  clock: Clock
  context: RuleContext
  wallet: Address
  task: string
  startedAt: number
  end: number
}

/**
 * Reads the rules over the final chain, block by block, without the code that the notifier uses: folds every event into one store,
 * and after each block looks at every clock that runs. `wasSeen` says at which blocks the notifier looked. `watcher` has saved a search
 * that finds every task; it may have been claimed before the notifier looked.
 */
function listExpectations(
  { chain, places }: Simulation,
  market: Market,
  wasSeen: (block: SimBlock) => boolean,
  watcher?: Address,
): Expectations {
  const must = new Map<string, number>()
  const may = new Set<string>()
  const store = new Map<EntityKey, Entity>()
  const titles = new Map<bigint, string>()
  let running = new Map<string, Running>()
  const fired = new Set<string>()
  const contracts = new Map(
    (Object.keys(marketAbis) as ContractName[]).map((name) => [places.markets[market][name].toLowerCase(), name]),
  )
  const expect = (each: Expected) => must.set(formatExpected(each), (must.get(formatExpected(each)) ?? 0) + 1)

  for (const block of chain.blocks) {
    const events = block.logs.flatMap((log) => decode(block, log) ?? []).sort(compareEvents)
    for (const event of events) {
      const number = 'taskId' in event.args ? event.args.taskId : null
      const before = number === null ? null : ((store.get(`task:${number}`) ?? null) as FoldedTask | null)
      const complete = foldEvent(store, event)
      if (number === null) continue
      if (event.kind === 'taskScopeRegistry.TaskTextPublished')
        titles.set(number, decodeTaskText(event.args.text).title)
      const task = store.get(`task:${number}`) as FoldedTask | undefined
      if (!task) continue
      const dispute = (store.get(`dispute:${number}`) ?? null) as DisputeRecord | null
      const context: RuleContext = {
        market,
        task,
        title: titles.get(number) ?? null,
        before,
        dispute,
        finalCourt: places.finalCourt,
      }
      if (complete.kind === 'taskRegistry.TaskPosted' && watcher && task.poster !== watcher) {
        const title = walletRules.searchMatched.title({ search: watchedSearch, title: '', payTokWei: 0n })
        may.add(formatExpected({ task: String(number), kind: walletRules.searchMatched.kind, wallet: watcher, title }))
      }
      const rule = eventRules[complete.kind] as EventRule<MarketEvent>
      for (const message of 'messages' in rule ? rule.messages : []) {
        const wallets = new Set(message.to(context, complete).filter((each) => each !== null))
        for (const wallet of wallets) {
          expect({ task: String(number), kind: message.kind, wallet, title: message.title(context, complete) })
        }
      }
      running = updateClocks(context, block.timestamp)
    }
    if (wasSeen(block)) lookAtClocks(block.timestamp)
  }
  // A clock that still runs may have been ahead on another branch.
  for (const each of running.values())
    for (const name of listNames(each)) may.add(formatExpected(toExpected(each, name)))
  return { must, may }

  function decode(block: SimBlock, log: SimBlock['logs'][number]): MarketEvent | null {
    const contract = contracts.get(log.address.toLowerCase())
    const position = { block: { number: block.number, timestamp: block.timestamp }, logIndex: log.logIndex }
    return contract ? decodeLog(contract, { topics: [...log.topics], data: log.data, ...position }) : null
  }

  function updateClocks(context: RuleContext, now: number): Map<string, Running> {
    const task = String(context.task.number)
    const next = new Map([...running].filter(([, each]) => each.task !== task))
    const rules = [
      stateClocks[context.task.state],
      ...(context.task.state === 'DISPUTED' && context.dispute ? [phaseClocks[context.dispute.phase]] : []),
    ]
    for (const clock of rules.flatMap((rule) => ('clocks' in rule ? rule.clocks : []))) {
      const end = clock.end(context)
      if (end === 0) continue
      for (const wallet of clock.to(context)) {
        if (wallet === null) continue
        const key = `${task} ${clock.name} ${wallet} ${end}`
        const startedAt = running.get(key)?.startedAt ?? now
        next.set(key, { clock, context, wallet, task, startedAt, end })
      }
    }
    for (const [key, each] of running) {
      if (each.task !== task || next.has(key)) continue
      for (const name of listNames(each))
        if (findDue(each, name) <= now) may.add(formatExpected(toExpected(each, name)))
      for (const name of listNames(each)) fired.delete(`${key} ${name}`)
    }
    return next
  }

  function lookAtClocks(now: number): void {
    for (const [key, each] of running) {
      for (const name of listNames(each)) {
        const isDue = now >= findDue(each, name) && (name === 'over' || now <= each.end)
        if (!isDue || fired.has(`${key} ${name}`)) continue
        fired.add(`${key} ${name}`)
        expect(toExpected(each, name))
      }
    }
  }
}

const hour = 3_600
const findQuarter = ({ end, startedAt }: Running) => end - Math.floor((end - startedAt) / 4)

function findDue(each: Running, name: ReminderName): number {
  if (name === 'over') return each.end + 1
  return name === 'hour' ? each.end - hour : findQuarter(each)
}

/** In a short window, the last hour adds nothing to the last quarter. */
const listNames = (each: Running): ReminderName[] =>
  (Object.keys(each.clock.reminders) as ReminderName[]).filter(
    (name) => name !== 'hour' || each.end - hour > findQuarter(each),
  )

const toExpected = ({ clock, context, wallet, task }: Running, name: ReminderName): Expected => ({
  task,
  kind: `${clock.name}-${name}`,
  wallet,
  title: clock.reminders[name]?.title(context) ?? '',
})
