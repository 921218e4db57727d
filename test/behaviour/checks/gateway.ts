// The local gateway: what it reads, and what it says about itself.
import { formatPrice } from '@svc/operations'
import { type Market, markets } from '@svc/protocol'
import { listPrices } from '@svc/protocol/internal/actions'
import { assertEqual } from '../assertEqual.ts'
import { type Call, type Check, isObject, type Json } from '../call.ts'
import { describeMeta, describeVerifier, isClaimable } from '../expected.ts'
import { describeHoldings } from '../holdings.ts'
import { createTopUp } from '../prepared.ts'
import type { BehaviourWorld } from '../world.ts'
import { checkTaskDetails, checkTaskList } from './market.ts'
import { checkLeaderboard } from './wallet.ts'

export function listGatewayChecks(world: BehaviourWorld) {
  const { facts, gatewayUrl } = world

  return {
    'GET /v1/market/open': checkTaskList(
      world,
      'GET /v1/market/open',
      {},
      (task, of) => isClaimable(world, of, task),
      'chain',
    ),
    'GET /v1/market/recent': checkTaskList(world, 'GET /v1/market/recent', {}, () => true, 'chain'),
    'GET /v1/tasks/:id': checkTaskDetails(world, 'GET /v1/tasks/:id', 'chain'),
    'GET /v1/leaderboard/reputation': checkLeaderboard(world, 'GET /v1/leaderboard/reputation', 'chain'),

    'GET /v1/leaderboard/verifiers': async (call) => {
      const to = 'GET /v1/leaderboard/verifiers'
      for (const market of markets) {
        const verifiers = facts[market].arbitrators.map(describeVerifier)
        for (const limit of [100, 2]) {
          const answer = await call({ to, input: { market, limit } })
          const body = { verifiers: verifiers.slice(0, limit), meta: describeMeta(world, market, 'chain') }
          assertEqual(answer, { status: 200, body }, `${to} ${market}`)
        }
      }
    },

    'GET /v1/treasury': async (call) => {
      const to = 'GET /v1/treasury'
      for (const market of markets) {
        const of = facts[market]
        const { agents, tasks } = describeHoldings(of)
        for (const limit of [100, 2]) {
          const answer = await call({ to, input: { market, limit } })
          const count = (line: string) => agents.filter((agent) => agent.line === line).length
          const body = {
            agents: agents.slice(0, limit),
            counts: {
              paused: count('paused'),
              'below-entry': count('below-entry'),
              'below-recommended': count('below-recommended'),
              ready: count('ready'),
            },
            totalDepositsUsdc: of.totals.deposits,
            escrow: {
              heldTokWei: of.totals.held,
              withdrawableTokWei: of.totals.withdrawable,
              taskCount: tasks.length,
              tasks: tasks.slice(0, limit).map(({ id, held }) => ({ id, heldTokWei: held })),
            },
            meta: describeMeta(world, market, 'chain'),
          }
          assertEqual(answer, { status: 200, body }, `${to} ${market}`)
        }
      }
    },

    'GET /v1/fees': async (call) => {
      const { status, body } = await call({ to: 'GET /v1/fees', input: {} })
      assertEqual(
        { status, body },
        {
          status: 200,
          body: {
            accessFeeTokWei: '1000000000000000000000',
            accessFeeCreditWei: '1000000000000000000',
            entryDepositUsdc: '25000000',
            recommendedDepositUsdc: '45000000',
            pauseThresholdUsdc: '8000000',
            words: {
              accessFeeTokWei: '1,000 TOK for post-task, create-task, or claim-task',
              accessFeeCreditWei: 'or one Action Credit instead',
              entryDepositUsdc: '25.00 USDC deposited to post or claim',
              recommendedDepositUsdc: '45.00 USDC deposited are advised',
              pauseThresholdUsdc:
                "Below a deposit of 8.00 USDC, a wallet's entries pause: it cannot post, create or claim a task, or fund one before its claim; its running tasks go on.",
            },
            // Compared with what the chain moves in test/protocol/prices.test.ts.
            prices: listPrices().map(formatPrice),
            freePostsPerDay: 3,
            receiptSigner: await readSigner(call),
            receiptHeader: 'PAYMENT-RECEIPT',
            receiptLifetimeSeconds: 600,
          },
        },
        'the fees',
      )
    },

    'GET /v1/status': async (call) => {
      const { status, body } = await call({ to: 'GET /v1/status', input: {} })
      const { number, ...block } = facts.block
      const { headAgeSeconds, openRequests, receiptSigner, ...rest } = isObject(body) ? body : {}
      assertEqual(
        { status, rest },
        {
          status: 200,
          rest: {
            chainId: 8453,
            chainName: 'Base',
            head: { ...block, number: Number(number) },
            stale: false,
            baseUrl: gatewayUrl,
            contracts: Object.fromEntries(markets.map((market) => [market, describeContracts(world, market)])),
            paidDiscovery: null,
          },
        },
        'the status',
      )
      if (typeof headAgeSeconds !== 'number' || headAgeSeconds < 1) throw new Error('The newest block has no age.')
      await createTopUp(call, 'micro')
      const later = await call({ to: 'GET /v1/status', input: {} })
      const grown = isObject(later.body) ? Number(later.body.openRequests) - Number(openRequests) : 0
      if (!(grown >= 1)) throw new Error('A new request is not counted.')
      const fees = await call({ to: 'GET /v1/fees', input: {} })
      assertEqual(receiptSigner, isObject(fees.body) && fees.body.receiptSigner, 'the signer of receipts')
    },
  } satisfies Record<string, Check>
}

/** Who signs receipts, as the gateway says in its status. */
async function readSigner(call: Call): Promise<Json> {
  const { body } = await call({ to: 'GET /v1/status', input: {} })
  return isObject(body) ? (body.receiptSigner ?? null) : null
}

const describeContracts = ({ devnet }: BehaviourWorld, market: Market) => {
  const { shared, markets: own } = devnet.deployments
  return { ...shared, ...own[market] }
}
