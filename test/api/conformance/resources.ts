import { accounts } from '@svc/devnet'
import { type Market, markets, parseTaskId, postingPlans, tokens } from '@svc/protocol'
import { elsewhere, type ProofContext, proven, type Statement } from './statement.ts'

const wei = /^(?:0|[1-9][0-9]*)$/
const address = /^0x[0-9a-fA-F]{40}$/
const digest = /^0x[0-9a-f]{64}$/

/** Tasks of both markets in every state, as `recent` returns them, with their state on the chain. */
async function tasks({ client, world }: ProofContext) {
  const lists = await Promise.all(
    markets.map(async (market: Market) => {
      const [{ body }, direct] = await Promise.all([
        client.listRecentTasks({ market }),
        world.direct.listRecent(market, { limit: 100 }),
      ])
      const onChain = new Map(direct.tasks.map((task) => [task.number, task]))
      return body.tasks.map((task) => ({ task, market, onChain: onChain.get(parseTaskId(task.id).number) }))
    }),
  )
  return lists.flat()
}

/** Section 2: resources and their fields. */
export const resources: readonly Statement[] = [
  ...proven(2, [
    [
      'GET /api/market/recent 200',
      'A task has an id of the form v2:<market>:<N>, N its number on chain, and a market',
      async (context) => {
        for (const { task, market, onChain } of await tasks(context)) {
          context.expect(task).toMatchObject({ id: `v2:${market}:${onChain?.number}`, market })
        }
      },
    ],
    [
      'GET /api/market/recent 200',
      'registryAddress is the address of the task registry of that market',
      async (context) => {
        const { markets: places } = context.world.devnet.deployments
        for (const { task, market } of await tasks(context)) {
          context.expect(task.registryAddress).toBe(places[market].taskRegistry)
        }
      },
    ],
    [
      'GET /api/market/recent 200',
      'totalAmountTokWei, fundedTokWei and releasedTokWei are decimal integers in wei',
      async (context) => {
        for (const { task, onChain } of await tasks(context)) {
          for (const amount of [task.totalAmountTokWei, task.fundedTokWei, task.releasedTokWei]) {
            context.expect(amount).toMatch(wei)
          }
          context.expect(onChain).toMatchObject({
            total: BigInt(task.totalAmountTokWei),
            funded: BigInt(task.fundedTokWei),
            released: BigInt(task.releasedTokWei),
          })
        }
      },
    ],
    [
      'GET /api/market/recent 200',
      'state is that of the chain; worker and settlementDigest are there for an assigned worker',
      async (context) => {
        const all = await tasks(context)
        context.expect(all.some(({ task }) => task.worker)).toBe(true)
        for (const { task, onChain } of all) {
          context.expect(task.state).toBe(onChain?.state)
          context.expect(task.worker ?? null).toBe(onChain?.worker)
          context.expect(task.settlementDigest).toBe(task.worker ? onChain?.settlementDigest : undefined)
          if (task.worker) context.expect(task.settlementDigest).toMatch(digest)
        }
      },
    ],
    [
      'GET /api/market/open 200',
      'meta has protocolVersion v2, the ticker of the service token, the market and the source',
      async ({ client, expect }) => {
        for (const market of markets) {
          const { body } = await client.listOpenTasks({ market })
          const { symbol: asset } = tokens.tok
          expect(body.meta).toMatchObject({ protocolVersion: 'v2', asset, market, source: 'chain-rpc' })
        }
      },
    ],
    [
      'GET /api/site-config 200',
      'Plans have id and dailyLimit; free is the default, with 3 a day',
      async ({ client, expect }) => {
        const { body } = await client.getSiteConfig({})
        expect(body.postingPlans[0]).toEqual({ id: 'free', dailyLimit: 3 })
        expect(body.postingPlans).toEqual(postingPlans)
      },
    ],
    [
      'GET /api/site-config 200',
      'Has chainId, chainName, rpcUrl, market and the eight named contracts, each an address',
      async ({ client, world, expect }) => {
        const named = ['tokToken', 'taskRegistry', 'depositVault', 'escrowVault', 'paymentGateway', 'stakingVault']
        for (const market of markets) {
          const { body } = await client.getSiteConfig({ market })
          expect(body).toMatchObject({ chainName: expect.any(String), rpcUrl: expect.stringMatching(/^http/), market })
          for (const name of [...named, 'usdOracle', 'pricingPolicy']) {
            const place = body.contracts[name as keyof typeof body.contracts]
            expect(place, name).toMatch(address)
            const code = await world.devnet.client.getCode({ address: place as `0x${string}` })
            expect(code?.length, `${name} has code`).toBeGreaterThan(2)
          }
        }
      },
    ],
    [
      'GET /api/union/overview 200',
      'Has source, stakingActive, totalStakedTok, totalCreditsIssued, creditsRemaining, creditIssuanceClosed',
      async ({ client, world, expect }) => {
        for (const market of markets) {
          const { body } = await client.getUnion({ market })
          const { union } = await world.direct.getUnion(market)
          expect(body).toMatchObject({
            source: 'chain-rpc',
            stakingActive: union.stakingActive,
            totalStakedTok: String(union.totalStaked),
            totalCreditsIssued: expect.stringMatching(wei),
            creditsRemaining: expect.stringMatching(wei),
            creditIssuanceClosed: union.creditIssuanceClosed,
          })
          expect(BigInt(body.totalStakedTok)).toBeGreaterThan(0n)
        }
      },
    ],
    [
      'GET /api/union/overview 200',
      'No wallet-specific balances are exposed',
      async ({ client, send, expect }) => {
        const { body } = await client.getUnion({})
        expect(JSON.stringify(body)).not.toMatch(/0x[0-9a-fA-F]{40}\b/)
        const asked = await send(`/api/union/overview?address=${accounts.ada.address}`)
        expect({ ...asked.body, meta: null }).toEqual({ ...body, meta: null })
      },
    ],
    [
      'GET /api/get-market-ledger 200',
      "The ledger is a wallet's buyer and worker view, rebuilt from task reads on one market, in wei strings",
      async ({ client, expect }) => {
        for (const market of markets) {
          for (const { address } of [accounts.ada, accounts.emeka]) {
            const { body } = await client.getLedger({ address, market })
            const [asPoster, asWorker] = await Promise.all([
              client.listTasksByPoster({ address, market }),
              client.listTasksByWorker({ address, market }),
            ])
            const sum = (list: typeof asPoster, field: 'fundedTokWei' | 'releasedTokWei' | 'refundedTokWei') =>
              list.body.tasks.reduce((total, task) => total + BigInt(task[field]), 0n)
            const { buyer, worker } = body
            for (const amount of Object.values({ ...buyer, ...worker, taskCount: '0' })) expect(amount).toMatch(wei)
            expect(buyer).toMatchObject({
              fundedTokWei: String(sum(asPoster, 'fundedTokWei')),
              releasedTokWei: String(sum(asPoster, 'releasedTokWei')),
              taskCount: asPoster.body.tasks.length,
            })
            const held =
              sum(asPoster, 'fundedTokWei') - sum(asPoster, 'releasedTokWei') - sum(asPoster, 'refundedTokWei')
            expect(BigInt(buyer.lockedTokWei) + BigInt(buyer.disputedTokWei)).toBe(held)
            expect(worker.taskCount).toBe(asWorker.body.tasks.length)
          }
        }
      },
    ],
  ]),
  ...elsewhere(2, [
    [
      'The envelope has the nine fields, their types and constraints',
      'packages/protocol/src/negotiation/jsonSchemas.test.ts',
      'the envelope has the nine fields of the specification',
    ],
    [
      'The terms document carries a settlementDigest that can be verified against the terms',
      'packages/protocol/src/terms/terms.test.ts',
      'a document with any one value changed is refused or does not verify',
    ],
  ]),
]
