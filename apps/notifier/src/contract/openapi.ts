import { notifyErrorJson, notifyRoutes } from '@svc/operations'
import { limits } from '@svc/protocol'
import { buildOpenapi, type OpenapiDocument } from '@svc/serve'
import { listNotifierExamples } from './examples.ts'

/** Builds the contract of the notifier from its routes. */
export const notifierOpenapi = (): OpenapiDocument =>
  buildOpenapi({
    title: 'Task Market notifier',
    description: [
      'Notifies wallets of what happens to their tasks and which deadlines come near. Every notification is in the inbox of its wallet; webhooks, e-mail and push are optional.',
      'What a reorganisation takes back is corrected on every channel it was sent to. Messages can arrive more than once, with the same id, and for one task they arrive in order.',
    ].join('\n\n'),
    server: `The notifier that this document comes from; by default http://127.0.0.1:${limits.ports.notifier}.`,
    routes: notifyRoutes,
    tags: {
      notifications: 'The inbox, and where else notifications go.',
      wallet: 'What a wallet says about itself.',
      work: 'Sessions and key statements.',
      service: 'The notifier itself.',
    },
    error: notifyErrorJson,
    commonErrors: {
      all: ['INVALID_REQUEST', 'METHOD_NOT_ALLOWED', 'URL_TOO_LONG', 'RATE_LIMITED', 'INTERNAL', 'BUSY'],
      post: [],
    },
    urlVariable: 'NOTIFIER',
    listExamples: listNotifierExamples,
  })
