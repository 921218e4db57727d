import { elsewhere, type Statement } from './statement.ts'

const [routes, receipts, x402] = ['routes', 'receipts', 'x402'].map((name) => `test/gateway/${name}.test.ts`) as [
  string,
  string,
  string,
]

/** The local gateway. */
export const gateway: readonly Statement[] = [
  ...elsewhere(4, [
    [
      'Gateway: hub page, market.html, leaderboard.html, treasury-dashboard.html',
      routes,
      'pages load nothing from other origins and cannot be framed',
    ],
    [
      'GET /v1/market/open, /v1/market/recent and /v1/tasks/:id show tasks',
      routes,
      'tasks: only claimable ones are open, pages have no gaps, and each task can be shown',
    ],
    [
      'GET /v1/leaderboard/reputation and /v1/leaderboard/verifiers rank agents and verifier bonds',
      routes,
      'leaderboards: scores follow the published formula, best first; bonds largest first',
    ],
    [
      'GET /v1/fees shows the access fee constants',
      routes,
      'fees and status match their schemas, and name the receipt signer',
    ],
    ['POST /v1/payment-receipt issues a readiness receipt', receipts, 'and to nobody else, with every reason'],
    [
      'POST /v1/tasks/:id/claim returns 402 until the receipt header is set',
      receipts,
      'none of more than 300 gets anything or leaves a trace',
    ],
  ]),
  ...elsewhere(5, [
    [
      'The claim route answers 402 until a receipt is presented in a header',
      receipts,
      'the valid receipt is accepted under both names, in a payment, and with either signature form',
    ],
    [
      'Paid discovery: payment per request, by the 402 payment flow',
      x402,
      'a stock client pays the price in USDC, on the chain, and gets the list',
    ],
  ]),
  ...elsewhere(7, [
    [
      '402: gateway claim route without a receipt header',
      routes,
      'a receipt, its claim and its request match their schemas',
    ],
  ]),
  ...elsewhere(8, [
    [
      'The gateway listens on 4020 unless SVC_GATEWAY_PORT is set',
      'apps/gateway/src/env.test.ts',
      'the example has every variable, and the gateway starts with it',
    ],
  ]),
]
