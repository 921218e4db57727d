import { operations } from '@svc/operations'
import { reads } from '@svc/reads'
import { implementCalls } from '@svc/serve'
import { countMarket } from '../countMarket.ts'
import { type Answer, decodeAnswer } from '../reads/answers.ts'
import type { CallDeps } from './deps.ts'

const implement = implementCalls<CallDeps>()

/** The pages of events that the numbers are counted from, which anyone can open. */
const sourceEvents = {
  payments: 'PaymentRecorded',
  deliveries: 'MilestoneDelivered',
  disputes: 'DisputeOpened',
} as const

const { output } = operations.listEvents
/** Events by answer: one serves everyone until the next block, so it is parsed once. */
const parsedAnswers = new WeakMap<Answer, ReturnType<typeof output.parse>>()

function parseEvents(answer: Answer) {
  const events = parsedAnswers.get(answer) ?? output.parse(decodeAnswer(answer))
  parsedAnswers.set(answer, events)
  return events
}

export const getMarketNumbers = implement(operations.getMarketNumbers)(async ({ market }, deps, { client }) => {
  const formatQuery = (event: string) => ({ market, event })
  const read = async (event: string) =>
    parseEvents(await deps.answers(reads.listEvents.ask(formatQuery(event)), client))
  const format = (event: string) => `/api/market/events?${new URLSearchParams(formatQuery(event))}`
  const payments = await read(sourceEvents.payments)
  const deliveries = await read(sourceEvents.deliveries)
  const disputes = await read(sourceEvents.disputes)
  const { nextCursor: _, ...meta } = payments.meta
  return {
    ...countMarket({ payments: payments.events, deliveries: deliveries.events, disputes: disputes.events }),
    sources: {
      payments: format(sourceEvents.payments),
      deliveries: format(sourceEvents.deliveries),
      disputes: format(sourceEvents.disputes),
    },
    meta,
  }
})
