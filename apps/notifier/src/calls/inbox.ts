import { operations } from '@svc/operations'
import { implementCalls } from '@svc/serve'
import type { NotifierDeps } from '../deps.ts'

const implement = implementCalls<NotifierDeps>()

export const listNotifications = implement(operations.listNotifications)(
  async (page, { sessions, inbox }, { headers }) => {
    const wallet = await sessions.require(headers)
    return { wallet, ...(await inbox.list(wallet, page)) }
  },
)

export const acknowledgeNotifications = implement(operations.acknowledgeNotifications)(
  async ({ ids, upTo }, { sessions, inbox }, { headers }) => {
    const wallet = await sessions.require(headers)
    return { acknowledged: await inbox.acknowledge(wallet, { ids, upTo }) }
  },
)

export const createCalendar = implement(operations.createCalendar)(async (_, { sessions, calendars }, { headers }) => ({
  url: await calendars.create(await sessions.require(headers)),
}))

export const removeCalendar = implement(operations.removeCalendar)(async (_, { sessions, calendars }, { headers }) => ({
  removed: await calendars.remove(await sessions.require(headers)),
}))
