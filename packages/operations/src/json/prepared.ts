import {
  actionContracts,
  callerAssets,
  heldAssets,
  type MoneyHolder,
  moneyHolders,
} from '@svc/protocol/internal/actions'
import { market } from '@svc/protocol/internal/base'
import * as z from 'zod'
import { quotaJson } from './quota.ts'
import { addressText, blockJson, count, hashText, taskIdText } from './scalars.ts'
import { costsJson } from './steps.ts'

const hex = z.string().regex(/^0x[0-9a-f]*$/)

const amounts = {
  before: z.string().describe('Amount before, in the smallest unit.'),
  after: z.string().describe('Amount after, in the smallest unit.'),
  change: z.string().describe('Signed difference, in the smallest unit.'),
  words: z.string().describe('The difference with its unit, for display.'),
}

/** The caller's balance of one asset, before and after. */
const changeJson = z.object({
  what: z.enum(callerAssets).describe('Kind of money.'),
  ...amounts,
})

/** What somebody besides the caller, or the task itself, has of one asset, before and after. */
const otherJson = z.object({
  who: z.enum(moneyHolders).describe('Whose money it is.'),
  address: addressText.describe('Wallet, or contract that holds it.'),
  what: z.enum(heldAssets).describe('Kind of money.'),
  ...amounts,
})

/** Formats whose money a simulation changes: "Escrow of the task", "Worker 0x15d3…6A65", "Judge 0x90F7…b906, deposit". */
export function formatHolderLabel({ who, address, what }: Pick<z.infer<typeof otherJson>, 'who' | 'address' | 'what'>) {
  const name = `${who.slice(0, 1).toUpperCase()}${who.slice(1)}`
  const wallet = contracts.has(who) ? '' : ` ${address.slice(0, 6)}…${address.slice(-4)}`
  return `${name}${wallet}${what === 'deposit' ? ', deposit' : ''}`
}

/** Where the address is a contract of the market, which says nothing to a person. */
const contracts: ReadonlySet<MoneyHolder> = new Set([
  'escrow of the task',
  'exit deposits of the task',
  'payouts to withdraw',
  'Union',
  'arbitration',
])

/** What sending the calls would do, simulated on top of the block. */
const simulationJson = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('succeeds').describe('The calls would succeed.'),
    gas: z.string().describe('Gas of all calls, as a decimal string.'),
    changes: z.array(changeJson).describe("What would change of the caller's money."),
    others: z
      .array(otherJson)
      .describe('What would change of the money of the task, its parties and the market; without the caller.'),
  }),
  z.object({
    status: z.literal('refused').describe('A call would revert.'),
    call: count.describe('Index of the call that would revert.'),
    error: z
      .object({
        name: z.string().describe('Name of the contract error.'),
        message: z.string().describe('What it means.'),
        wayOut: z.string().describe('What to do about it.'),
      })
      .describe('The error of that call.'),
  }),
  z.object({ status: z.literal('unknown').describe('The RPC provider cannot simulate.') }),
])

/** A write action that is ready to be signed: `version`, `chainId`, `from`, `atomicRequired` and `calls` are those of EIP-5792. */
export const preparedJson = z.object({
  action: z.string().describe('Name of the action.'),
  title: z.string().describe('Heading for the action, with the task where there is one.'),
  explain: z.string().describe('What the action does, in one sentence.'),
  market: market.check(z.describe('Market of the action.')),
  taskId: z.optional(taskIdText).describe('Task of the action; absent if it has none.'),
  version: z.literal('2.0.0').describe('Version of `wallet_sendCalls` (EIP-5792).'),
  chainId: z
    .string()
    .regex(/^0x[1-9a-f][0-9a-f]*$/)
    .describe('Chain id in hex (EIP-5792).'),
  from: addressText.describe('Wallet that signs.'),
  atomicRequired: z.boolean().describe('True if the calls must be executed atomically (EIP-5792).'),
  calls: z
    .array(
      z.object({
        to: addressText.describe('Contract to call.'),
        value: z.literal('0x0').describe('Native currency to send: none.'),
        data: hex.describe('Calldata in hex.'),
      }),
    )
    .describe('Calls to sign, in this order (EIP-5792).'),
  decoded: z
    .array(
      z.object({
        label: z.string().describe('What the call does, in one sentence.'),
        to: addressText.describe('Contract that is called.'),
        contract: z.enum(actionContracts).describe('Name of that contract.'),
        function: z.string().describe('Function that is called.'),
        args: z
          .array(
            z.object({
              name: z.string().describe('Name of the argument.'),
              value: z.string().describe('Its value as text.'),
              words: z
                .optional(z.string())
                .describe('The value for display, such as an amount with its unit; absent if the same.'),
            }),
          )
          .describe('Arguments of the call, in order.'),
      }),
    )
    .describe('The same calls for display, decoded from their bytes.'),
  costs: costsJson,
  deadline: z.nullable(z.string()).describe('Deadline that the action starts, in a sentence; null if none.'),
  quota: z
    .optional(quotaJson)
    .describe('With post-task: the posting quota before this post; absent if it could not be checked.'),
  warnings: z
    .optional(z.array(z.string()))
    .describe('What could not be checked, one sentence each; absent if nothing.'),
  claimDigest: z
    .optional(hashText)
    .describe('Only of claim-task: digest of the terms with `from` as worker, which the claim needs.'),
  simulation: simulationJson.describe('What the calls would do, simulated at `block`.'),
  parts: z
    .optional(
      z.array(
        z.object({
          action: z.string().describe('Name of the action of this part.'),
          input: z.record(z.string(), z.unknown()).describe('Its complete input.'),
          calls: z
            .object({
              from: count.describe('Index of the first call.'),
              to: count.describe('Index after the last call.'),
            })
            .describe('Which of the calls are its own.'),
        }),
      ),
    )
    .describe('Only with `payFrom`, and of a swap: what the batch does, in order. The last part is the action itself.'),
  swap: z
    .optional(
      z.object({
        side: z.enum(['buy', 'sell']).describe('Whether TOK is bought or sold.'),
        amountTokWei: z.string().describe('Exact amount of TOK, in wei.'),
        quoteUsdc: z.string().describe('What the pool asks or offers at `block`, in USDC units.'),
        limitUsdc: z.string().describe('The most that it may cost, or the least that it must bring, in USDC units.'),
        fairUsdc: z.string().describe('What it is worth by the price feed, in USDC units.'),
        poolUsdPerTok: z.string().describe('Dollars for one TOK by that quote, with the fee of the pool.'),
        feedUsdPerTok: z.string().describe('Dollars for one TOK by the price feed.'),
        deadline: count.describe('Last moment of the swap, in unix seconds.'),
      }),
    )
    .describe('The swap in the calls; absent if there is none.'),
  total: z
    .optional(
      z.object({
        usdc: z.string().describe('USDC units that leave the wallet, by the quote.'),
        mostUsdc: z.string().describe('The most that can leave it, in USDC units.'),
        depositUsdc: z
          .string()
          .describe('The part of it that goes into the deposit, in USDC units. It can be withdrawn again.'),
        exitDepositTokWei: z.string().describe('Exit deposit in TOK wei, which comes back when the task ends well.'),
      }),
    )
    .describe('What the batch takes in USDC; absent without `parts`.'),
  block: blockJson.describe('Block at which all of this is true.'),
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

/** A prepared action that waits for its wallet at the gateway, or has been sent to the chain. */
export const requestJson = preparedJson
  .extend({
    requestId: z
      .string()
      .regex(/^req_[A-Za-z0-9_-]{22}$/)
      .describe('Id of the request; it is the only key to it.'),
    approvalUrl: z.string().describe('Page where a person reviews and signs the request.'),
    statusUrl: z.string().describe('URL of the current status.'),
    status: z
      .enum(Object.keys(requestStatuses) as [RequestStatus, ...RequestStatus[]])
      .describe('Status of the request.'),
    statusCode: z
      .union([z.literal(100), z.literal(200), z.literal(400), z.literal(500)])
      .describe('Status code of EIP-5792.'),
    settled: z.boolean().describe('True if you can stop polling.'),
    asker: z
      .string()
      .optional()
      .describe('Name of the program that asked, as it calls itself; absent if it gave none.'),
    createdAt: z.iso.datetime().describe('When it was prepared (ISO 8601, UTC).'),
    expiresAt: z.iso.datetime().describe('Until when it can be signed (ISO 8601, UTC).'),
    transactionHashes: z.array(hashText).describe('Transactions on the chain that belong to it.'),
  })
  .describe('A prepared action at the gateway, and its status.')

export type RequestJson = z.infer<typeof requestJson>
