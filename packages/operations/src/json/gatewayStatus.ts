import * as z from 'zod'
import { addressText, blockJson, count } from './scalars.ts'

/** The state of a local gateway: its chain, its contracts, and who signs its receipts. */
export const gatewayStatusJson = z.object({
  chainId: count.describe('Chain id.'),
  chainName: z.string().describe('Name of the chain.'),
  head: z.nullable(blockJson).describe('Newest block seen; null if the chain was never reached.'),
  headAgeSeconds: z.nullable(count).describe("Age of that block by the gateway's clock, in seconds; null without one."),
  stale: z.boolean().describe('True while the chain cannot be read.'),
  baseUrl: z.string().describe('URL of this gateway, as receipts and links contain it.'),
  contracts: z
    .object({
      standard: z.record(z.string(), addressText).describe('Contract addresses of the standard market, by name.'),
      micro: z.record(z.string(), addressText).describe('Contract addresses of the micro market, by name.'),
    })
    .describe('Contract addresses of both markets.'),
  receiptSigner: z.string().describe('Signer of the readiness receipts, as a DID.'),
  paidDiscovery: z
    .nullable(
      z.object({
        url: z.string().describe('URL of the paid route.'),
        price: z.string().describe('Price of one request, such as `$0.01`.'),
      }),
    )
    .describe('The paid discovery route; null if this gateway has none.'),
  openRequests: count.describe('Prepared requests that wait for a wallet or for the chain.'),
})

export type GatewayStatusJson = z.infer<typeof gatewayStatusJson>
