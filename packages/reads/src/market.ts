import {
  type At,
  type Deployments,
  type EventPage,
  listTasks,
  type MarketReader,
  type PageQuery,
  summarizeText,
  type TaskList,
  type TaskPageText,
} from '@svc/chain'
import {
  type EventFilter,
  formatAgent,
  formatCursor,
  formatEvent,
  formatEventCursor,
  formatSearchCursor,
  formatTaskDetail,
  formatTaskRow,
  formatUsdPerTok,
  formatVerifier,
  matchesFilter,
  maxFilteredEvents,
  maxListedTexts,
  operations,
  ServiceError,
  type TaskRowJson,
  unavailable,
} from '@svc/operations'
import { serializeTaskPage } from '@svc/operations/taskText'
import { decodeTaskText, formatTaskId, type Market } from '@svc/protocol'
import { reputationFormula } from '@svc/protocol/internal/people'
import { findNextMoment } from '@svc/protocol/internal/steps'
import type { Address } from 'viem'
import { implementRead, type SerializedBody, type Validity } from './implementRead.ts'

interface ListInput {
  market: Market
  limit: number
  cursor?: bigint | undefined
  texts?: 'true' | undefined
}

type TaskPageBody = (SerializedBody | { body: { tasks: TaskRowJson[] } }) & { meta: { nextCursor: string | null } }

/** Reads one page of a list of tasks: as text, or with what the texts of its tasks say. */
export async function readTaskPage(
  reader: MarketReader,
  list: TaskList,
  { market, limit, cursor, texts: withTexts }: ListInput,
  { markets }: Deployments,
): Promise<At<TaskPageBody & Validity>> {
  const query = { limit, before: cursor }
  if (withTexts) {
    const { tasks, texts, next, block } = await reader.listWithTexts(market, list, {
      ...query,
      limit: Math.min(limit, maxListedTexts),
    })
    const rows = tasks.map((task) => {
      const text = texts.get(task.number)
      const summary = text === undefined ? undefined : summarizeText(decodeTaskText(text))
      return formatTaskRow(task, summary, market, markets[market].taskRegistry, block.timestamp)
    })
    // Time alone ends phases.
    return { body: { tasks: rows }, meta: { nextCursor: formatCursor(next) }, validUntil: block.timestamp, block }
  }
  const { text, marks, next, validUntil, block } = await listTasksAsText(
    reader,
    market,
    list,
    query,
    markets[market].taskRegistry,
  )
  return { parts: ['{"tasks":[', text, ']'], marks, meta: { nextCursor: formatCursor(next) }, validUntil, block }
}

/** Reads a page of tasks as the text of a response: from an index as it is stored, from the chain by serializing the tasks. */
export async function listTasksAsText(
  reader: MarketReader,
  market: Market,
  list: TaskList,
  query: PageQuery,
  registry: Address,
): Promise<At<TaskPageText>> {
  if (reader.listAsText) return reader.listAsText(market, list, query)
  const { tasks, next, block } = await listTasks(reader, market, list, query)
  return { ...serializeTaskPage(tasks, market, registry, block.timestamp), next, block }
}

/** Texts cost as much as a list of titles. */
export const addTextCost = ({ texts }: { texts?: 'true' | undefined }): number =>
  texts ? operations.listTitles.chainCost : 0

export const listOpenTasks = implementRead(operations.listOpenTasks)({
  addedCost: addTextCost,
  partial: true,
  run: (input, reader, deployments) => readTaskPage(reader, { of: 'open' }, input, deployments),
})

export const listRecentTasks = implementRead(operations.listRecentTasks)({
  addedCost: addTextCost,
  run: (input, reader, deployments) => readTaskPage(reader, { of: 'recent' }, input, deployments),
})

export const searchTasks = implementRead(operations.searchTasks)({
  async run({ market, fingerprint, query }, reader, { markets }) {
    if (!reader.search) throw unavailable('INDEX_REQUIRED', 'A search needs the index, which cannot be used now.', 5)
    const { found, next, suggestion, block } = await reader.search(market, query)
    const registry = markets[market].taskRegistry
    const tasks = found.map(({ task, ...summary }) => formatTaskRow(task, summary, market, registry, block.timestamp))
    return {
      body: { tasks, ...(suggestion !== null && { suggestion }) },
      meta: { nextCursor: next && formatSearchCursor(fingerprint, next) },
      // Time alone closes claims, of a found task or of one that then makes room for another.
      validUntil: block.timestamp,
      block,
    }
  },
})

export const getTask = implementRead(operations.getTask)({
  marketOf: ({ id }) => id.market,
  async run({ id }, reader, { shared, markets }) {
    const { detail, block } = await reader.getTask(id.market, id.number)
    if (!detail) throw new ServiceError('TASK_NOT_FOUND', `Task ${formatTaskId(id)} is not found.`)
    return {
      body: { task: formatTaskDetail(detail, id.market, { ...shared, ...markets[id.market] }, block.timestamp) },
      validUntil: findNextMoment(id, detail.task, detail.dispute, block.timestamp),
      block,
    }
  },
})

export const getMarketStatus = implementRead(operations.getMarketStatus)({
  async run({ market }, reader) {
    const { entries, block } = await reader.getEntries(market)
    const { paused, sunsetAt } = entries
    const isEnded = sunsetAt !== 0 && block.timestamp >= sunsetAt
    return {
      body: { newTasks: isEnded ? 'ended' : paused ? 'paused' : 'open', endsAt: sunsetAt || null },
      // Time alone ends them.
      validUntil: sunsetAt === 0 || isEnded ? null : sunsetAt - 1,
      block,
    }
  },
})

export const getUnion = implementRead(operations.getUnion)({
  async run({ market }, reader) {
    const { union, block } = await reader.getUnion(market)
    return {
      body: {
        source: 'chain-rpc',
        stakingActive: union.stakingActive,
        totalStakedTok: String(union.totalStaked),
        totalCreditsIssued: String(union.totalCreditsIssued),
        creditsRemaining: String(union.creditsRemaining),
        creditIssuanceClosed: union.creditIssuanceClosed,
        rewardReserveTok: String(union.rewardReserve),
      },
      // Credits are issued every second.
      validUntil: block.timestamp,
      block,
    }
  },
})

export const listEvents = implementRead(operations.listEvents)({
  partial: true,
  async run({ market, limit, cursor, filter }, reader) {
    const page = await reader.listEvents(market, { limit: filter ? maxFilteredEvents : limit, after: cursor })
    const { events, next } = filter ? selectEvents(page, filter, limit, cursor !== undefined) : page
    const { block } = page
    return {
      body: { events: events.map((event) => formatEvent(event, market)) },
      meta: { nextCursor: next && formatEventCursor(next) },
      block,
    }
  },
})

/** Keeps the first, or without a cursor the last, of the events that match a filter. */
function selectEvents({ events, next }: EventPage, filter: EventFilter, limit: number, isForward: boolean): EventPage {
  const matching = events.filter((event) => matchesFilter(event, filter))
  if (!isForward) return { events: matching.slice(-limit), next }
  const last = matching[limit - 1]
  if (!last || matching.length === limit) return { events: matching, next }
  return { events: matching.slice(0, limit), next: { block: last.blockNumber, logIndex: last.logIndex } }
}

export const listTitles = implementRead(operations.listTitles)({
  async run({ market, tasks }, reader) {
    const { texts, block } = await reader.getTexts(
      market,
      tasks.map(({ number }) => number),
    )
    const titles = tasks.flatMap((id) => {
      const text = texts.get(id.number)
      if (text === undefined) return []
      const { title, excerpt } = summarizeText(decodeTaskText(text))
      return [{ id: formatTaskId(id), title, excerpt }]
    })
    return { body: { titles }, block }
  },
})

export const getTokPrice = implementRead(operations.getTokPrice)({
  unindexed: true,
  async run({ market }, reader) {
    const { price, block } = await reader.getTokPrice(market)
    const { usd, updatedAt, missing } = price
    return {
      body: { market, usdPerTok: usd === null ? null : formatUsdPerTok(usd), updatedAt, missing },
      // The oracle is not in the index, so its digest does not tell whether the price changed.
      validUntil: block.timestamp,
      block,
    }
  },
})

export const listProfiles = implementRead(operations.listProfiles)({
  async run({ market, addresses }, reader) {
    const { agents, block } = await reader.getAgents(market, addresses)
    return { body: { profiles: agents.map(formatAgent), formula: reputationFormula }, block }
  },
})

export const listReputation = implementRead(operations.listReputation)({
  costly: true,
  async run({ market, limit }, reader) {
    const { agents, block } = await reader.listAgents(market, limit)
    return { body: { agents: agents.map(formatAgent), formula: reputationFormula }, block }
  },
})

export const listVerifiers = implementRead(operations.listVerifiers)({
  async run({ market, limit }, reader) {
    const { arbitrators, block } = await reader.listArbitrators(market, limit)
    return { body: { verifiers: arbitrators.map(formatVerifier) }, block }
  },
})
