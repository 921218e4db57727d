import { gatewayErrorJson, gatewayRoutes, paidRoutes } from '@svc/operations'
import { limits } from '@svc/protocol'
import { buildOpenapi, type OpenapiDocument } from '@svc/serve'
import { navigation } from '../pages/layout.ts'
import { listGatewayExamples } from './examples.ts'

const pages = navigation.map(([path]) => `\`${path}\``).join(', ')

/** Builds the contract of the gateway from its routes. */
export const gatewayOpenapi = (): OpenapiDocument =>
  buildOpenapi({
    title: 'Task Market gateway',
    description: [
      'A local service beside your wallet: market data from the chain, readiness receipts and claims by x402, and prepared requests that a person approves in the browser. It holds no key that spends your money. Amounts are decimal strings in the smallest unit of their token, times unix seconds unless a field says ISO 8601.',
      `People use its pages: ${pages}, and \`/approve/{requestId}\` to review and sign a prepared request. \`GET /healthz\` answers \`{"alive":true}\`.`,
      'A request must be for a host that the operator allows, and pages of other origins cannot post. Reads may be used by pages of every origin.',
    ].join('\n\n'),
    server: `The gateway that this document comes from; by default http://127.0.0.1:${limits.ports.gateway}.`,
    routes: [...gatewayRoutes, ...paidRoutes],
    tags: {
      market: 'One market as it stands at one block, read from the chain.',
      wallet: 'What concerns one wallet.',
      actions: 'Receipts, claims, and requests that a wallet approves in the browser.',
      posting: 'The daily posting quota and its plans.',
      service: 'The gateway itself.',
    },
    error: gatewayErrorJson,
    commonErrors: {
      all: [
        'INVALID_REQUEST',
        'METHOD_NOT_ALLOWED',
        'URL_TOO_LONG',
        'FOREIGN_HOST',
        'RATE_LIMITED',
        'INTERNAL',
        'BUSY',
      ],
      post: ['FOREIGN_ORIGIN'],
    },
    urlVariable: 'GATEWAY',
    listExamples: listGatewayExamples,
  })
