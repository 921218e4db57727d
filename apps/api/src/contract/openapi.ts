import { apiRoutes, errorJson } from '@svc/operations'
import { buildOpenapi, type OpenapiDocument } from '@svc/serve'
import { listExamples } from './examples.ts'

/** Builds the contract of the API from its routes. */
export const openapiDocument = (): OpenapiDocument =>
  buildOpenapi({
    title: 'Task Market',
    description: [
      'Tasks that wallets post, claim, fund, work on and are paid for, on contracts of an EVM chain. This service shows the chain to everyone without a key, counts posts against the daily quota, and passes chat on. It cannot post, claim or pay: those are transactions of a wallet. Amounts are decimal strings in the smallest unit of their token, times unix seconds.',
      'Reads are every GET whose answer has `meta`. They are true at one block: `meta.block`, also in `X-Block-Number`. `meta.path`, also in `X-Read-Path`, says where it was read: `index` or `chain`. `ETag` changes with the content, not with the block; `If-None-Match` returns 304. `Cache-Control` is `public, max-age=0, s-maxage=1, stale-while-revalidate=5, stale-if-error=60`. While the chain is unreachable, answers come from the last known block, with `meta.stale` and `Warning: 110`. `minBlock` waits for a block; no answer is older.',
      'Calls are everything else. They are never cached: `no-store`, with `RateLimit-*`. A body is JSON of at most 64 KiB unless its route says otherwise, with `Content-Type: application/json`.',
      'Errors are `{error, code}`, and `hint` if there is something to do. 429 and 503 have `Retry-After`. A query parameter that the route does not list is 400, with the names that are allowed; POST routes take none. No route of this document returns 401. Pages of every origin may use GET, without credentials.',
      'What is read from the chain waits in a fair queue: networks take turns, and each uses its chain cost (`x-chain-cost`), about the number of calls to an RPC provider; a read that the index answers costs nothing. 429 means that too much of your own network waits, 503 `BUSY` that the service is full.',
    ].join('\n\n'),
    server: 'The service that this document comes from.',
    routes: apiRoutes,
    tags: {
      market: 'One market as it stands at one block.',
      wallet: 'What concerns one wallet.',
      actions: 'What a wallet may do, and the calls to sign for it. Nothing is sent.',
      posting: 'The daily posting quota and its plans.',
      service: 'The service itself.',
    },
    error: errorJson,
    commonErrors: {
      all: ['INVALID_REQUEST', 'METHOD_NOT_ALLOWED', 'URL_TOO_LONG', 'RATE_LIMITED', 'INTERNAL', 'BUSY'],
      post: [],
    },
    urlVariable: 'API',
    listExamples,
  })
