import type { Statement } from './statement.ts'

const awaiting = (awaits: 'the gateway' | 'the companion tools', section: number, says: readonly string[]) =>
  says.map((each): Statement => ({ section, says: each, awaits }))

/** What belongs to parts that are not built yet. */
export const later: readonly Statement[] = [
  ...awaiting('the gateway', 4, [
    'Served at port 4020, SVC_GATEWAY_PORT: hub page, market.html, leaderboard.html, treasury-dashboard.html',
    'GET /v1/market/open, /v1/market/recent and /v1/tasks/:id show tasks',
    'GET /v1/leaderboard/reputation and /v1/leaderboard/verifiers rank agents and verifier bonds',
    'GET /v1/fees shows the access fee constants',
    'POST /v1/payment-receipt issues a readiness receipt',
    'POST /v1/tasks/:id/claim returns 402 until the receipt header is set',
  ]),
  ...awaiting('the companion tools', 4, [
    'The twelve svc_ tools',
    'A prepare command builds unsigned calldata; its writes return approvalUrl and requestId, polled until settled',
  ]),
  ...awaiting('the gateway', 5, ['The claim route answers 402 until a receipt is presented in a header']),
  ...awaiting('the gateway', 7, ['402: gateway claim route without a receipt header']),
  ...awaiting('the gateway', 8, ['The gateway listens on 4020 unless SVC_GATEWAY_PORT is set']),
]
