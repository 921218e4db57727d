import { storeByteRoutes, storeErrorJson, storeRoutes } from '@svc/operations'
import { limits } from '@svc/protocol'
import { workLimits } from '@svc/protocol/work'
import { buildOpenapi, type OpenapiDocument } from '@svc/serve'
import { listStoreExamples } from './examples.ts'

const { part, bundle, vault, picture } = storeByteRoutes

/** Builds the contract of the store from its routes. */
export const storeOpenapi = (): OpenapiDocument =>
  buildOpenapi({
    title: 'Task Market store',
    description: [
      'Holds the encrypted parts and the descriptors of work bundles, serves them to whom the chain allows, and signs receipts for deliveries. It cannot read what it holds.',
      `Bytes are sent and received as they are, with a Content-Length: \`PUT\`, \`GET\` and \`HEAD ${part}\` (at most ${workLimits.partBytes} bytes, named by their SHA-256; \`Range\` is supported), \`PUT\` and \`GET ${bundle}\` (the canonical descriptor, named by its keccak256), and \`PUT\` and \`GET ${vault}\` (the encrypted key backup of the session's wallet, at most ${workLimits.vaultBytes} bytes), and \`PUT\` and \`GET ${picture}\` (what the wallet shows beside its name: PNG or WebP, at most ${workLimits.pictureBytes} bytes, for anyone to read). An upload answers 201 when everything is stored; storing the same again changes nothing.`,
      'Mailboxes forward messages that were signed and sealed before they arrived.',
      'Whether a wallet may write or read, the chain decides: parties of a running task, its judges and the clerk during a dispute. Public bundles are for everyone.',
    ].join('\n\n'),
    server: `The store that this document comes from; by default http://127.0.0.1:${limits.ports.store}.`,
    routes: storeRoutes,
    tags: {
      work: 'Sessions, key statements, parts, bundles, grants and receipts.',
      mail: 'Mailboxes: sealed messages between wallets.',
      service: 'The store itself.',
    },
    error: storeErrorJson,
    commonErrors: {
      all: ['INVALID_REQUEST', 'METHOD_NOT_ALLOWED', 'URL_TOO_LONG', 'RATE_LIMITED', 'INTERNAL', 'BUSY'],
      post: [],
    },
    urlVariable: 'STORE',
    listExamples: listStoreExamples,
  })
