import * as z from 'zod/mini'
import { addressText, count, hashText, moment } from './scalars.ts'

/** How a local gateway stands: its chain, its contracts, and who signs its receipts. */
export const gatewayStatusJson = z.object({
  chainId: count,
  chainName: z.string(),
  /** Null while the chain cannot be read and never could. */
  head: z.nullable(z.object({ number: count, hash: hashText, timestamp: moment })),
  /** Of the head, by the clock of the gateway. */
  headAgeSeconds: z.nullable(count),
  /** The chain cannot be read now. */
  stale: z.boolean(),
  baseUrl: z.string(),
  contracts: z.object({
    standard: z.record(z.string(), addressText),
    micro: z.record(z.string(), addressText),
  }),
  receiptSigner: z.string(),
  paidDiscovery: z.nullable(z.object({ url: z.string(), price: z.string() })),
  /** Requests that wait for a wallet or for the chain. */
  openRequests: count,
})

export type GatewayStatusJson = z.infer<typeof gatewayStatusJson>
