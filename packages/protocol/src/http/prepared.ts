import * as z from 'zod/mini'
import { actionContracts } from '../action.ts'
import { market } from '../market.ts'
import { addressText, count, hashText, moment, taskIdText } from './scalars.ts'

const hex = z.string().check(z.regex(/^0x[0-9a-f]*$/))

/** What one kind of money of the caller becomes; amounts in the smallest unit, and as people read them. */
const changeJson = z.object({
  what: z.enum(['TOK in the wallet', 'USDC in the wallet', 'deposit', 'deposit not reserved', 'Action Credits']),
  before: z.string(),
  after: z.string(),
  /** Signed. */
  change: z.string(),
  words: z.string(),
})

/** What sending the calls would do, played on top of the block. */
const simulationJson = z.discriminatedUnion('status', [
  z.object({ status: z.literal('succeeds'), gas: z.string(), changes: z.array(changeJson) }),
  z.object({
    status: z.literal('refused'),
    /** The index of the call that is refused. */
    call: count,
    error: z.object({ name: z.string(), message: z.string(), wayOut: z.string() }),
  }),
  /** The provider cannot tell. */
  z.object({ status: z.literal('unknown') }),
])

/** A write action that is ready to be signed: `version`, `chainId`, `from`, `atomicRequired` and `calls` are those of EIP-5792. */
export const preparedJson = z.object({
  action: z.string(),
  summary: z.string(),
  market,
  taskId: z.optional(taskIdText),
  version: z.literal('2.0.0'),
  chainId: z.literal('0x2105'),
  from: addressText,
  atomicRequired: z.boolean(),
  calls: z.array(z.object({ to: addressText, value: z.literal('0x0'), data: hex })),
  /** The same calls in words, read back from their bytes. */
  decoded: z.array(
    z.object({
      label: z.string(),
      to: addressText,
      contract: z.enum(actionContracts),
      function: z.string(),
      args: z.array(z.object({ name: z.string(), value: z.string(), words: z.optional(z.string()) })),
    }),
  ),
  costs: z.array(z.object({ what: z.string(), amount: z.string() })),
  /** The clock that it starts, in words. */
  clock: z.nullable(z.string()),
  simulation: simulationJson,
  /** The block that all of this is true at. */
  block: z.object({ number: count, hash: hashText, timestamp: moment }),
})

export type PreparedJson = z.infer<typeof preparedJson>

/** Where a request stands: `settled` ends polling, `statusCode` is that of EIP-5792. */
export const requestStatuses = {
  pending: { statusCode: 100, settled: false },
  submitted: { statusCode: 100, settled: false },
  confirmed: { statusCode: 200, settled: true },
  reverted: { statusCode: 500, settled: true },
  rejected: { statusCode: 400, settled: true },
  expired: { statusCode: 400, settled: true },
} as const

export type RequestStatus = keyof typeof requestStatuses

/** A prepared action that waits for its wallet at the gateway, or has been to the chain. */
export const requestJson = z.extend(preparedJson, {
  requestId: z.string().check(z.regex(/^req_[A-Za-z0-9_-]{22}$/)),
  /** Where a person looks at it and signs. */
  approvalUrl: z.string(),
  statusUrl: z.string(),
  status: z.enum(Object.keys(requestStatuses) as [RequestStatus, ...RequestStatus[]]),
  statusCode: z.union([z.literal(100), z.literal(200), z.literal(400), z.literal(500)]),
  settled: z.boolean(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** Of the transactions that the chain has for it. */
  transactionHashes: z.array(hashText),
})

export type RequestJson = z.infer<typeof requestJson>
