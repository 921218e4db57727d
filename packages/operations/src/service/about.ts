import { postingPlans } from '@svc/protocol'
import { market as marketName } from '@svc/protocol/internal/base'
import * as z from 'zod'
import { differentialJson } from '../json/comparison.ts'
import { addressText, count } from '../json/scalars.ts'
import { courtJson } from '../market/getCourt.ts'
import { defineCall } from '../operation.ts'
import { market } from '../params.ts'

/** Clients read addresses here and hardcode none. */
export const getSiteConfig = defineCall('getSiteConfig', {
  summary: 'Show the chain, the contracts of one market, its posting plans, its store and its notifier.',
  description: 'Read contract addresses here and compare them with a source you trust before you sign anything.',
  tag: 'service',
  input: z.object({ market }),
  output: z.object({
    chainId: count.describe('Chain id.'),
    chainName: z.string().describe('Name of the chain.'),
    rpcUrl: z.string().describe('Public RPC endpoint of the chain.'),
    startBlock: count.describe('First block that can contain a log of the contracts.'),
    market: marketName.check(z.describe('Market of the contracts.')),
    contracts: z
      .object({
        tokToken: addressText.describe('The service token.'),
        taskRegistry: addressText.describe('Tasks and their lifecycle.'),
        depositVault: addressText.describe('USDC deposits.'),
        escrowVault: addressText.describe('Escrow of tasks, in TOK.'),
        paymentGateway: addressText.describe('The only contract that wallets allow to take TOK.'),
        stakingVault: addressText.describe('The Union.'),
        usdOracle: addressText.describe(
          'Price of TOK in USD when the market was deployed; the zero address if plans were sold for USDC only. `pricingPolicy.usdOracle()` names the one in use.',
        ),
        pricingPolicy: addressText.describe('Prices of posting plans.'),
        usdc: addressText.describe('USDC.'),
        taskScopeRegistry: addressText.describe('Scope and text of tasks.'),
        agreements: addressText.describe('Checks terms and signatures for the task registry.'),
        arbitration: addressText.describe('Disputes and arbitrators.'),
        reputationRegistry: addressText.describe('Reputation counters.'),
        taskLens: addressText.describe('Views over many tasks.'),
        timelock: addressText.describe("Delays the owner's changes."),
        treasury: addressText.describe('Receives penalties, and the share of fees that the Union does not get.'),
        finalCourt: addressText.describe('Decides disputes that no judge decided, and appeals.'),
      })
      .describe('Contract addresses.'),
    postingPlans: z
      .array(
        z.object({
          id: z.enum(postingPlans.map(({ id }) => id)).describe('Name of the plan.'),
          dailyLimit: count.describe('Posts per UTC day.'),
        }),
      )
      .describe('The posting plans.'),
    court: z.nullable(courtJson).describe('What the final court is; null if the chain cannot be read now.'),
    store: z
      .nullable(
        z.object({
          address: addressText.describe('Wallet that signs its receipts: the `store` of terms.'),
          url: z.string().describe('Where it answers. A path is a path of this service.'),
        }),
      )
      .describe('Holds the work of tasks, encrypted; null if this market has no store.'),
    notifier: z
      .nullable(z.object({ url: z.string().describe('Where it answers. A path is a path of this service.') }))
      .describe('Tells wallets about their tasks; null if there is none.'),
  }),
})

export const getDifferential = defineCall('getDifferential', {
  summary: 'Show the last comparison of the index with contract storage, for each market.',
  description:
    'Whole rows of tasks, disputes, wallets, arbitrators, ledgers and the Union are compared at one block: some at random, and all in turn. A row that differs takes its market out of service: reads come from the chain until the index is rebuilt.',
  tag: 'service',
  input: z.object({}),
  output: differentialJson,
  errors: ['DATABASE_UNREACHABLE'],
})
