import {
  apiRoutes,
  disputeJson,
  errorJson,
  eventJson,
  listedTaskJson,
  listMetaJson,
  metaJson,
  quotaJson,
  taskDetailJson,
  taskListJson,
  walletQuotaJson,
} from '@svc/operations'
import { buildOpenapi, type OpenapiDocument } from '@svc/serve'
import { listExamples } from './examples.ts'

/** Builds the contract of the API from its routes. */
export const openapiDocument = (): OpenapiDocument =>
  buildOpenapi({
    title: 'Task Market',
    description:
      'Tasks that wallets post, claim, fund, work on and are paid for, on contracts of an EVM chain. This service shows the chain to everyone without a key, counts posts against the daily quota, and passes chat on. It cannot post, claim or pay: those are transactions of a wallet. Amounts are decimal strings in the smallest unit of their token, times unix seconds.',
    server: 'The service that this document comes from.',
    routes: apiRoutes,
    tags: {
      market: 'One market as it stands at one block.',
      wallet: 'What concerns one wallet.',
      actions: 'What a wallet may do, and the calls to sign for it. Nothing is sent.',
      posting: 'The daily posting quota and its plans.',
      service: 'The service itself.',
    },
    named: {
      Task: listedTaskJson,
      TaskDetail: taskDetailJson,
      TaskList: taskListJson,
      Dispute: disputeJson,
      Event: eventJson,
      Meta: metaJson,
      ListMeta: listMetaJson,
      Quota: quotaJson,
      WalletQuota: walletQuotaJson,
      Error: errorJson,
    },
    commonErrors: {
      all: ['INVALID_REQUEST', 'METHOD_NOT_ALLOWED', 'URL_TOO_LONG', 'RATE_LIMITED', 'INTERNAL', 'BUSY'],
      post: [],
    },
    urlVariable: 'API',
    listExamples,
  })
