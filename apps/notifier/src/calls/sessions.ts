import { operations } from '@svc/operations'
import { buildNotifyProof } from '@svc/protocol/internal/work'
import { notificationKinds } from '@svc/protocol/notifications'
import { implementCalls, openSession, sessionCalls } from '@svc/serve'
import type { NotifierDeps } from '../deps.ts'

const implement = implementCalls<NotifierDeps>()

export const getNotifier = implement(operations.getNotifier)(async (_, { chainId, domains, outgoing }) => ({
  chainId,
  domains: [...domains],
  channels: [...(outgoing?.names ?? [])],
  kinds: [...notificationKinds],
  pushKey: outgoing?.pushKey ?? null,
}))

export const createSession = implement(operations.createSession)((given, deps, { client }) =>
  openSession(deps, given, client, ({ domain, hash }, proof) =>
    buildNotifyProof({ domain, statement: hash, ...proof }),
  ),
)

export const { deleteData, endSession, exportData, putStatement } = sessionCalls
