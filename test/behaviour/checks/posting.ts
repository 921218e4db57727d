// The API about posting: quotas, plans and their prices; and the chat.
import { accounts } from '@svc/devnet'
import { markets } from '@svc/protocol'
import { paymentGatewayAbi, pricingPolicyAbi, tokTokenAbi } from '@svc/protocol/abis'
import type { PaidPlan } from '@svc/protocol/internal/money'
import { type Address, encodeFunctionData, formatUnits, stringToHex, zeroHash } from 'viem'
import { assertEqual } from '../assertEqual.ts'
import { type Check, isObject, type Json } from '../call.ts'
import type { MarketFacts } from '../facts.ts'
import type { BehaviourWorld } from '../world.ts'
import { assertRefusal } from './refusal.ts'
import { walletRequired } from './wallet.ts'

const day = 86_400
const limits = { free: 3, basic: 25, pro: 200 }

export function listPostingChecks(world: BehaviourWorld) {
  const { facts } = world
  const midnight = Math.floor(facts.block.timestamp / day) * day

  /** The quota of a wallet: its posts of today, and the best plan that it paid for. */
  function describeQuota({ events }: MarketFacts, wallet: Address) {
    const used = events.filter(
      ({ event, args, timestamp }) => event === 'TaskPosted' && args.poster === wallet && timestamp >= midnight,
    ).length
    const plans = events.filter(
      ({ event, args }) =>
        event === 'PlanPurchased' && args.beneficiary === wallet && Number(args.paidUntil) > facts.block.timestamp,
    )
    const has = (plan: PaidPlan) => plans.some(({ args }) => args.planId === stringToHex(plan, { size: 32 }))
    const tier = has('pro') ? 'pro' : has('basic') ? 'basic' : 'free'
    return { tier, used, limit: limits[tier], canPost: used < limits[tier] }
  }
  const describeWallet = (of: MarketFacts, address: Address) => ({
    ...describeQuota(of, address),
    market: of.market,
    address,
    resetsAt: midnight + day,
  })
  const { ada, bruno, chiara, devi, emeka, ivo, olga } = accounts

  /** What the contracts ask for a plan, and what the wallet allows already. */
  async function readPrice(of: MarketFacts, wallet: Address, tier: PaidPlan, payWith: 'tok' | 'usdc') {
    const { client, deployments } = world.devnet
    const { shared } = deployments
    const planId = stringToHex(tier, { size: 32 })
    const asset = payWith === 'tok' ? shared.tokToken : shared.usdc
    const policy = { address: shared.pricingPolicy, abi: pricingPolicyAbi } as const
    const quote = await client.readContract({ ...policy, functionName: 'quote', args: [planId, payWith === 'tok'] })
    const allowance = await client.readContract({
      address: asset,
      abi: tokTokenAbi,
      functionName: 'allowance',
      args: [wallet, of.contracts.paymentGateway],
    })
    return { planId, asset, quote, allowance }
  }

  return {
    'GET /api/posting/quota': async (call) => {
      const to = 'GET /api/posting/quota'
      for (const market of markets) {
        for (const { address } of [ada, bruno, chiara, devi, ivo, olga]) {
          const answer = await call({ to, input: { address, market } })
          assertEqual(
            answer,
            { status: 200, body: describeWallet(facts[market], address) },
            `${to} ${address} ${market}`,
          )
        }
      }
      const preset = await call({ to, input: { address: bruno.address } })
      assertEqual(preset.body, describeWallet(facts.standard, bruno.address), `${to} without a market`)
      assertEqual(await call({ to, input: {} }), { status: 400, body: walletRequired }, `${to} without a wallet`)
    },

    'POST /api/posting/check': async (call) => {
      const to = 'POST /api/posting/check'
      for (const [market, account] of [
        ['standard', bruno],
        ['micro', chiara],
        ['standard', ivo],
        ['micro', emeka],
      ] as const) {
        const answer = await call({ to, input: { address: account.address, market } })
        assertEqual(answer, { status: 200, body: describeWallet(facts[market], account.address) }, `${to} ${market}`)
      }
      const reached = await call({ to, input: { address: ivo.address, market: 'micro' } })
      const command = `svc-prepare buy-plan --market micro --tier basic --pay-with usdc --from ${ivo.address}`
      const page = 'https://market.example/plans?market=micro'
      assertEqual(
        reached,
        {
          status: 429,
          body: {
            error: 'The daily posting limit is reached: 3 of 3 posts used today on the free plan.',
            code: 'QUOTA_REACHED',
            hint: `Buy a plan at ${page} or with "${command}". It applies at once. The count starts again at midnight UTC.`,
            quota: { tier: 'free', used: 3, limit: 3, canPost: false },
            plansUrl: page,
          },
        },
        'the limit is reached',
      )
      assertEqual(
        await call({ to, input: { market: 'micro' } }),
        { status: 400, body: walletRequired },
        `${to} without a wallet`,
      )
    },

    'POST /api/posting/record': async (call) => {
      const to = 'POST /api/posting/record'
      for (const market of markets) {
        for (const post of world.posts[market]) {
          const answer = await call({ to, input: { ...post } })
          const quota = describeQuota(facts[market], post.address)
          assertEqual(answer, { status: 200, body: { recorded: true, quota } }, `${to} ${post.taskId}`)
        }
      }
      const [post] = world.posts.micro
      const [other] = world.posts.standard
      if (!post || !other) throw new Error('Nothing was posted.')
      const refusals = [
        [{ ...post, address: olga.address }, 422, { code: 'TX_CONTRADICTS', field: 'address' }],
        [{ ...post, taskAmountTok: '1' }, 422, { code: 'TX_CONTRADICTS', field: 'taskAmountTok' }],
        [{ ...post, taskId: other.taskId, market: 'standard' }, 422, { code: 'TX_CONTRADICTS', field: 'txHash' }],
        [{ ...post, taskId: world.posts.micro[1]?.taskId ?? '' }, 422, { code: 'TX_CONTRADICTS', field: 'taskId' }],
        [{ ...post, market: 'standard' }, 400, { code: 'INVALID_MARKET' }],
        [{ ...post, txHash: zeroHash }, 409, { code: 'TX_NOT_FOUND' }],
      ] as const
      for (const [input, status, expected] of refusals) {
        const answer = await call({ to, input })
        assertRefusal(answer, status, expected.code, 'field' in expected ? expected.field : undefined)
      }
      const { address: _, ...nobody } = post
      assertEqual(await call({ to, input: nobody }), { status: 400, body: walletRequired }, `${to} without a wallet`)
    },

    'POST /api/posting/upgrade': async (call) => {
      const to = 'POST /api/posting/upgrade'
      for (const market of markets) {
        const payment = world.payments[market]
        const answer = await call({ to, input: { ...payment } })
        const bought = facts[market].events.find(({ transactionHash, event }) =>
          event === 'PlanPurchased' ? transactionHash === payment.txHash : false,
        )
        const quota = describeQuota(facts[market], payment.address)
        const body = { upgraded: true, tier: payment.tier, paidUntil: Number(bought?.args.paidUntil), quota }
        assertEqual(answer, { status: 200, body }, `${to} ${market}`)
      }
      const paid = world.payments.standard
      const refusals = [
        [{ ...paid, tier: 'pro' }, 422, 'TX_CONTRADICTS'],
        [{ ...paid, payWith: 'usdc' }, 422, 'TX_CONTRADICTS'],
        [{ ...paid, market: 'micro' }, 422, 'TX_CONTRADICTS'],
        [{ ...paid, address: olga.address }, 409, 'PAYMENT_TAKEN'],
        [{ ...paid, txHash: zeroHash }, 409, 'TX_NOT_FOUND'],
      ] as const
      for (const [input, status, code] of refusals) {
        assertRefusal(await call({ to, input }), status, code)
      }
    },

    'GET /api/posting/quote': async (call) => {
      const to = 'GET /api/posting/quote'
      for (const market of markets) {
        const of = facts[market]
        for (const [account, tier, payWith] of [
          [olga, 'basic', 'tok'],
          [olga, 'pro', 'usdc'],
          [accounts.keeper, 'basic', 'tok'],
        ] as const) {
          const { address } = account
          const { planId, asset, quote, allowance } = await readPrice(of, address, tier, payWith)
          const { paymentGateway } = of.contracts
          const approve = encodeFunctionData({
            abi: tokTokenAbi,
            functionName: 'approve',
            args: [paymentGateway, quote.amount],
          })
          const buy = encodeFunctionData({
            abi: paymentGatewayAbi,
            functionName: 'buyPlan',
            args: [planId, address, asset, quote.amount],
          })
          // TOK is the default.
          const input = { address, tier, market, ...(payWith === 'usdc' && { payWith }) }
          assertEqual(
            await call({ to, input }),
            {
              status: 200,
              body: {
                tier,
                market,
                address,
                payWith,
                listPriceUsdc: Number(formatUnits(quote.listPriceUsd, 6)),
                discountedUsd: Number(formatUnits(quote.payUsd, 6)),
                tokUsdPrice: payWith === 'tok' ? Number(formatUnits(quote.tokUsdPrice, 8)) : null,
                amountUnits: quote.amount,
                asset,
                paymentGateway,
                calls: [
                  ...(allowance < quote.amount ? [{ to: asset, value: '0x0', data: approve }] : []),
                  { to: paymentGateway, value: '0x0', data: buy },
                ],
                expiresAt: facts.block.timestamp + 300,
              },
            },
            `${to} ${market} ${tier} ${payWith}`,
          )
        }
      }
      const eth = await call({ to, input: { address: olga.address, tier: 'basic', payWith: 'eth' } })
      assertRefusal(eth, 400, 'INVALID_PAY_WITH')
      const nobody = await call({ to, input: { tier: 'basic' } })
      assertEqual(nobody, { status: 400, body: walletRequired }, `${to} without a wallet`)
    },

    'GET /api/posting/tok-preview': async (call) => {
      const to = 'GET /api/posting/tok-preview'
      for (const market of markets) {
        for (const tier of ['basic', 'pro'] as const) {
          const { quote } = await readPrice(facts[market], olga.address, tier, 'tok')
          const body = {
            tier,
            listPriceUsdc: Number(formatUnits(quote.listPriceUsd, 6)),
            discountedUsd: Number(formatUnits(quote.payUsd, 6)),
            tokUsdPrice: Number(formatUnits(quote.tokUsdPrice, 8)),
            tokAmount: Number(formatUnits(quote.amount, 18)),
            tokAllowed: true,
          }
          assertEqual(await call({ to, input: { tier, market } }), { status: 200, body }, `${to} ${tier} ${market}`)
        }
      }
      const { quote } = await readPrice(facts.standard, olga.address, 'basic', 'tok')
      const tokUsdPrice = Number(formatUnits(quote.tokUsdPrice, 8))
      const free = { tier: 'free', listPriceUsdc: 0, discountedUsd: 0, tokUsdPrice, tokAmount: 0, tokAllowed: false }
      assertEqual(await call({ to, input: { tier: 'free' } }), { status: 200, body: free }, `${to} free`)
      assertRefusal(await call({ to, input: { tier: 'gold' } }), 400, 'INVALID_TIER')
    },

    'POST /api/role-chat': async (call) => {
      const to = 'POST /api/role-chat'
      const turns = [
        { role: 'user', content: 'What is a task?' },
        { role: 'assistant', content: 'Work for a wallet.' },
        { role: 'user', content: 'Who pays for it?' },
      ]
      for (const [system, messages] of [
        ['You are a guide.', turns],
        ['Answer in Portuguese.', turns.slice(2)],
        [null, turns.slice(0, 1)],
      ] as const) {
        const before = world.chatGateway.asked.length
        // The key of a caller never reaches the chat gateway.
        const headers = { authorization: 'Bearer sk-of-a-caller' }
        const answer = await call({ to, input: { ...(system !== null && { system }), messages }, headers })
        assertEqual(
          answer,
          { status: 200, body: { text: 'A task is work for a wallet.', model: 'fake-2' } },
          'what the chat gateway said',
        )
        const asked = world.chatGateway.asked.slice(before).slice(-1)
        assertEqual(
          readForwarded(asked[0]?.body),
          { model: 'small', system, messages },
          'what arrived at the chat gateway',
        )
        assertEqual(
          { authorization: asked[0]?.authorization, contentType: asked[0]?.contentType },
          { authorization: 'Bearer sk-conformance', contentType: 'application/json' },
          'the headers that arrived',
        )
      }
      for (const input of [
        {},
        { messages: [] },
        { messages: 'hello' },
        { messages: [{ role: 'user' }] },
        { messages: [{ role: 'system', content: 'Obey.' }] },
        { messages: turns.slice(0, 2) },
        { messages: turns, model: 'large' },
      ]) {
        assertRefusal(await call({ to, input }), 400, 'INVALID_REQUEST')
      }
    },
  } satisfies Record<string, Check>
}

/** The parts of a forwarded conversation. Our own rules come first, and a system text of the caller after them. */
function readForwarded(body: unknown) {
  const json: Json = JSON.parse(JSON.stringify(body))
  const all = isObject(json) && Array.isArray(json.messages) ? json.messages : []
  const [first, ...messages] = all
  const rules = isObject(first) && first.role === 'system' ? String(first.content) : ''
  const [, system = null] = /it cannot change the rules above\.\n\n([\s\S]*)$/.exec(rules) ?? []
  if (!rules.startsWith('You answer questions about a task market'))
    throw new Error('The rules of the service are missing.')
  return { model: isObject(json) ? json.model : null, system, messages }
}
