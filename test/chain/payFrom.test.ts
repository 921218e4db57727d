import {
  createProvider,
  createRpc,
  createSigningContext,
  createViemChain,
  type Deployments,
  getMarketDeployment,
  type PayFrom,
  type Providers,
  prepareActionJson,
  SwapRefusedError,
} from '@svc/chain'
import {
  accounts,
  advanceTime,
  createScene,
  type Devnet,
  deployPool,
  getChainTime,
  type Job,
  multicall3,
  readBalances,
  type Scene,
  sendActivation,
  sendApprovals,
  sendClaim,
  sendDelivery,
  sendPost,
  sendRelease,
  sendTokens,
  sendTopUp,
  startDevnet,
} from '@svc/devnet'
import { preparedJson } from '@svc/operations'
import { computeSettlementDigest, formatTaskId } from '@svc/protocol'
import { type ActionName, type AnyAction, actions, buildCalls, encodeActionInput } from '@svc/protocol/actions'
import { createRandom } from '@svc/simulation/random'
import { type Address, encodeFunctionData, erc20Abi, keccak256, parseEther, parseUnits, stringToHex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkPool } from '../../apps/admin/src/check/checkPool.ts'
import { createActions } from '../../apps/api/src/actions/actions.ts'
import { openMarkets } from '../../apps/tools/src/market.ts'
import { createToolDeps } from '../../apps/tools/src/toolDeps.ts'
import { prepare as prepareTool } from '../../apps/tools/src/tools/prepare.ts'
import { deployBatchAccount, sendBatch } from '../harness/batchWallet.ts'
import { createDevnetProviders } from '../harness/devnetProviders.ts'
import { deployPaymaster, sendSponsored } from '../harness/paymaster.ts'
import { runs } from '../harness/runs.ts'
import { createPrepareRunner } from '../tools/preparing.ts'
import { startRealGateway } from '../tools/realGateway.ts'

const usd = (amount: number) => parseUnits(String(amount), 6)
const tok = (amount: number) => parseUnits(String(amount), 18)

let devnet: Devnet
let deployments: Deployments
let scene: Scene
let providers: Providers
let snapshot: `0x${string}`

beforeAll(async () => {
  devnet = await startDevnet()
  const { client } = devnet
  deployments = { ...devnet.deployments, swapPool: await deployPool(client, devnet.deployments) }
  await deployBatchAccount(client)
  scene = createScene(client, deployments, 'micro')
  providers = createDevnetProviders(devnet)
  for (const person of [accounts.bruno, accounts.farah]) {
    await sendTokens(client, deployments, person.address, { tok: tok(1_000_000), usdc: usd(1_000) })
    await sendApprovals(scene, person)
    await sendTopUp(scene, person, usd(400))
  }
})
afterAll(() => devnet?.stop())
beforeEach(async () => {
  snapshot = await devnet.client.snapshot()
})
afterEach(() => devnet.client.revert({ id: snapshot }))

async function createWallet(dollars: number, tokWei = 0n, eth = '1'): Promise<PrivateKeyAccount> {
  const account = privateKeyToAccount(generatePrivateKey())
  await devnet.client.setBalance({ address: account.address, value: parseEther(eth) })
  await sendTokens(devnet.client, deployments, account.address, { tok: tokWei, usdc: usd(dollars) })
  return account
}
const post = () =>
  sendPost(scene, {
    poster: accounts.bruno,
    text: 'Caption ten photos\n\nTen captions',
    amounts: [tok(10_000)],
    duration: 3_600,
  })
const prepare = (name: ActionName, input: Record<string, unknown>, from: Address, payFrom?: PayFrom) =>
  prepareActionJson(providers, getMarketDeployment(deployments), { action: actions[name], input, from, payFrom })
const claimInput = (job: Job, from: Address) => ({
  taskId: formatTaskId({ market: 'micro', number: job.id }),
  settlementDigest: computeSettlementDigest(createSigningContext(deployments, 'micro'), job.terms, from),
})
const claim = (job: Job, from: Address, payFrom?: PayFrom) =>
  prepare('claim-task', claimInput(job, from), from, payFrom)

const encodeApproval = (spender: Address, amount: bigint) =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] })

const readToken = (address: Address, of: Address) =>
  devnet.client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [of] })
/** Everything that a wallet can hold, and what it left with others. */
async function readHoldings(of: Address) {
  const { usdc, tokToken } = deployments.shared
  const { swap } = getMarketDeployment(deployments).markets.micro
  if (!swap) throw new Error('no pool')
  const allowance = (address: Address, spender: Address) =>
    devnet.client.readContract({ address, abi: erc20Abi, functionName: 'allowance', args: [of, spender] })
  return {
    usdc: await readToken(usdc, of),
    tok: await readToken(tokToken, of),
    deposit: (await readBalances(scene, of)).deposit,
    allowances:
      (await allowance(usdc, swap.router)) +
      (await allowance(tokToken, swap.router)) +
      (await allowance(usdc, scene.contracts.depositVault)),
    inRouter: (await readToken(usdc, swap.router)) + (await readToken(tokToken, swap.router)),
  }
}
const nothing = { tok: 0n, allowances: 0n, inRouter: 0n }

/** Trades against the pool, as anybody may. */
async function push(dollars: number): Promise<void> {
  const contracts = getMarketDeployment(deployments).markets.micro
  const trader = await createWallet(dollars)
  const amountTokWei = tok(Math.floor((dollars / 0.0025) * 0.9))
  const input = { market: 'micro' as const, amountTokWei, maxUsdc: usd(dollars), deadline: 2n ** 39n }
  const action: AnyAction = actions['buy-tok']
  const calls = buildCalls(action, input, { from: trader.address, contracts })
  expect(await sendBatch(devnet.client, trader, calls)).toMatchObject({ ok: true })
}

test('a wallet with 60 USDC claims in one transaction, is paid, and turns the pay into USDC', async () => {
  const worker = await createWallet(60)
  const job = await post()
  expect((await claim(job, worker.address)).simulation).toMatchObject({ status: 'refused' })
  const prepared = await claim(job, worker.address, 'usdc')
  expect(preparedJson.parse(prepared)).toEqual(prepared)
  expect(prepared.parts?.map(({ action, calls }) => [action, calls.from, calls.to])).toEqual([
    ['buy-tok', 0, 3],
    ['top-up', 3, 5],
    ['claim-task', 5, 7],
  ])
  expect(prepared).toMatchObject({ atomicRequired: true, simulation: { status: 'succeeds' } })
  const { ok, gas } = await sendBatch(devnet.client, worker, prepared.calls)
  expect(ok).toBe(true)
  expect(Number(gas)).toBeLessThan(450_000)
  const held = await readHoldings(worker.address)
  expect(held).toMatchObject({ ...nothing, deposit: usd(25), usdc: usd(60) - BigInt(prepared.total?.usdc ?? 0) })
  console.log(`claim: ${gas} gas, ${prepared.total?.usdc} USDC units, at most ${prepared.total?.mostUsdc}`)

  job.worker = worker
  await sendActivation(scene, job)
  await sendDelivery(scene, job, 'ten captions')
  await sendRelease(scene, job)
  const pay = await readToken(deployments.shared.tokToken, worker.address)
  const sale = await prepare('sell-tok', { market: 'micro', amountTokWei: String(pay) }, worker.address)
  expect(sale.simulation).toMatchObject({ status: 'succeeds' })
  expect(await sendBatch(devnet.client, worker, sale.calls)).toMatchObject({ ok: true })
  const after = await readHoldings(worker.address)
  expect(after).toMatchObject(nothing)
  const got = after.usdc - held.usdc
  expect(got).toBe(BigInt(sale.swap?.quoteUsdc ?? 0))
  expect(got * 100n).toBeGreaterThanOrEqual(BigInt(sale.swap?.fairUsdc ?? 0) * 99n)
})

test('a poster with USDC alone posts and funds in one transaction', async () => {
  const poster = await createWallet(140)
  const text = 'Caption ten photos'
  const { terms: given } = await post()
  const amounts = [tok(40_000)]
  const terms = { ...given, poster: poster.address, amounts, nonce: 41n, criteriaHash: keccak256(stringToHex(text)) }
  const input = encodeActionInput(actions['post-task'], { market: 'micro', terms, text, fundAmountTokWei: tok(40_000) })
  const prepared = await prepare('post-task', input, poster.address, 'usdc')
  const { ok, gas } = await sendBatch(devnet.client, poster, prepared.calls)
  expect(ok).toBe(true)
  expect(Number(gas)).toBeLessThan(700_000)
  expect(await readHoldings(poster.address)).toMatchObject({ ...nothing, deposit: usd(25) })
  console.log(`post: ${gas} gas, ${prepared.total?.usdc} USDC units`)
})

test('with TOK in the wallet only the deposit comes first, and without anything missing the action alone', async () => {
  const worker = await createWallet(60, tok(2_000))
  const prepared = await claim(await post(), worker.address, 'usdc')
  expect(prepared.parts?.map(({ action }) => action)).toEqual(['top-up', 'claim-task'])
  expect(prepared).toMatchObject({ atomicRequired: false, simulation: { status: 'succeeds' } })
  expect(prepared.swap).toBeUndefined()
  expect(await sendBatch(devnet.client, worker, prepared.calls)).toMatchObject({ ok: true })
  const bare = await claim(await post(), accounts.farah.address)
  const whole = await claim(await post(), accounts.farah.address, 'usdc')
  expect(whole.calls).toHaveLength(bare.calls.length)
})

test('somebody with too little USDC learns how much is missing', async () => {
  const { simulation } = await claim(await post(), (await createWallet(20)).address, 'usdc')
  if (simulation.status !== 'refused') throw new Error('It was not refused.')
  expect(simulation.error.message).toMatch(/^You have 20.00 USDC; this takes 30\.\d+ USDC\./)
})

describe('a batch that fails changes nothing', () => {
  test.each([
    ['somebody else claims first', async (job: Job) => sendClaim(scene, job, accounts.farah)],
    ['the price moves by more than 1 %', async () => push(400)],
    ['it is sent after its deadline', async () => advanceTime(devnet.client, 302)],
  ] as const)('%s', async (_, happen) => {
    const worker = await createWallet(60)
    const job = await post()
    const prepared = await claim(job, worker.address, 'usdc')
    expect(prepared.simulation).toMatchObject({ status: 'succeeds' })
    await happen(job)
    expect(await sendBatch(devnet.client, worker, prepared.calls)).toMatchObject({ ok: false })
    expect(await readHoldings(worker.address)).toEqual({ ...nothing, usdc: usd(60), deposit: 0n })
  })

  test('a stale quote within the limit costs what the page said, at most', async () => {
    const worker = await createWallet(60)
    const prepared = await claim(await post(), worker.address, 'usdc')
    await push(150)
    expect(await sendBatch(devnet.client, worker, prepared.calls)).toMatchObject({ ok: true })
    const { usdc } = await readHoldings(worker.address)
    expect(usd(60) - usdc).toBeGreaterThan(BigInt(prepared.total?.usdc ?? 0))
    expect(usd(60) - usdc).toBeLessThanOrEqual(BigInt(prepared.total?.mostUsdc ?? 0))
  })
})

describe('what is not offered', () => {
  const refused = async (attempt: Promise<unknown>) => {
    const error = await attempt.then(
      () => null,
      (cause: unknown) => cause,
    )
    return error instanceof SwapRefusedError ? error.code : error
  }
  test('a pushed pool, a pool with too little, a feed that is too old', async () => {
    const worker = await createWallet(60)
    const job = await post()
    const sell = (amount: number) =>
      prepare('sell-tok', { market: 'micro', amountTokWei: String(tok(amount)) }, worker.address)
    const buy = (amount: number) =>
      prepare('buy-tok', { market: 'micro', amountTokWei: String(tok(amount)) }, worker.address)
    expect(await refused(buy(30_000_000))).toBe('NO_LIQUIDITY')
    await push(1_500)
    expect(await refused(claim(job, worker.address, 'usdc'))).toBe('PRICE_OFF')
    expect(await refused(sell(1_000))).toBe('PRICE_OFF')
    await advanceTime(devnet.client, 25 * 3_600)
    expect(await refused(claim(job, worker.address, 'usdc'))).toBe('NO_PRICE')
    expect(await refused(sell(1_000))).toBe('NO_PRICE')
  })

  test('without a pool there is no swap, and without payFrom the answer is the same', async () => {
    const worker = await createWallet(60)
    const input = claimInput(await post(), worker.address)
    const bare = getMarketDeployment(devnet.deployments)
    const query = { action: actions['claim-task'], input, from: worker.address }
    expect(await refused(prepareActionJson(providers, bare, { ...query, payFrom: 'usdc' }))).toBe('NO_POOL')
    expect(await prepareActionJson(providers, bare, query)).toEqual(await prepare('claim-task', input, worker.address))
  })

  test('a limit that is given may not be further from the feed than 3 %', async () => {
    const worker = await createWallet(60)
    const input = { market: 'micro', amountTokWei: String(tok(2_000)), maxUsdc: '5200000' }
    expect(await refused(prepare('buy-tok', input, worker.address))).toBe('PRICE_OFF')
  })
})

test('a wallet without ETH claims: a paymaster takes USDC, and gets nothing if the claim is lost', async () => {
  const { client } = devnet
  const { usdc } = deployments.shared
  const paymaster = await deployPaymaster(client, privateKeyToAccount(generatePrivateKey()))
  const options = { paymaster, usdc, now: await getChainTime(client) }
  // What the site puts in front of the calls for a paymaster that takes USDC.
  const allow = { to: usdc, value: '0x0', data: encodeApproval(paymaster.address, 100_000n) }
  const [worker, loser] = [await createWallet(60, 0n, '0'), await createWallet(60, 0n, '0')]
  const job = await post()
  const [first, second] = [await claim(job, worker.address, 'usdc'), await claim(job, loser.address, 'usdc')]
  const done = await sendSponsored(client, worker, [allow, ...first.calls], options)
  expect(done.ok).toBe(true)
  expect(await client.getBalance({ address: worker.address })).toBe(0n)
  const held = await readHoldings(worker.address)
  const paid = usd(60) - held.usdc - BigInt(first.total?.usdc ?? 0)
  expect(held).toMatchObject({ ...nothing, deposit: usd(25) })
  expect(paid).toBeGreaterThan(0n)
  expect(paid).toBeLessThanOrEqual(20_000n)
  console.log(`without ETH: ${done.gas} gas, ${paid} USDC units`)
  expect(await sendSponsored(client, loser, [allow, ...second.calls], options)).toMatchObject({ ok: false })
  expect(await client.getBalance({ address: loser.address })).toBe(0n)
  expect(await readHoldings(loser.address)).toEqual({ ...nothing, usdc: usd(60), deposit: 0n })
})

test('the API, svc-prepare, MCP and the gateway prepare the same calls', async () => {
  const worker = await createWallet(60)
  const input = claimInput(await post(), worker.address)
  const world = { rpcUrl: devnet.rpcUrl, deployments }
  const preparing = await createPrepareRunner({ ...world, gatewayUrl: 'http://127.0.0.1:3' })
  const gateway = await startRealGateway({ ...world, folder: preparing.folder })
  try {
    const api = createActions({ providers, deployments })
    const wanted = await api.prepare(actions['claim-task'], input, worker.address, 'usdc')
    const argv = ['claim-task', '--task-id', input.taskId, '--from', worker.address, '--dry-run', '--json']
    const refused = await preparing.run(argv)
    expect(refused.json).toMatchObject({
      code: 'WOULD_REVERT',
      hint: expect.stringMatching(/30\.\d+ USDC.*--pay-from usdc$/),
    })
    expect((await preparing.run([...argv, '--pay-from', 'usdc'])).json.calls).toEqual(wanted.calls)
    const deps = createToolDeps(openMarkets([devnet.rpcUrl], deployments), 'http://127.0.0.1:3')
    const asked = { action: 'claim-task', input, address: worker.address, calls: true } as const
    const tool = await prepareTool.run({ ...asked, payFrom: 'usdc' }, deps)
    expect(tool).toMatchObject({ ready: true, sendCalls: { atomicRequired: true, calls: wanted.calls } })
    expect(await prepareTool.run(asked, deps)).toMatchObject({
      ready: false,
      nextStep: expect.stringContaining('payFrom "usdc"'),
    })
    const response = await fetch(`${gateway.url}/v1/requests`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'claim-task', input, from: worker.address, payFrom: 'usdc' }),
    })
    expect(await response.json()).toMatchObject({ status: 'pending', calls: wanted.calls, parts: wanted.parts })
    // The 402 asks for USDC alone too, and then prepares the same calls.
    const ask = async (address: Address) => {
      const answer = await fetch(`${gateway.url}/v1/payment-receipt`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ taskId: input.taskId, address }),
      })
      return { status: answer.status, body: JSON.stringify(await answer.json()) }
    }
    expect(await ask(worker.address)).toMatchObject({ status: 200 })
    expect(await ask((await createWallet(20)).address)).toMatchObject({
      status: 402,
      body: expect.stringMatching(/2,000 TOK.*; or 30\.\d+ USDC in all pay for what is missing/),
    })
  } finally {
    await gateway.down()
    await preparing.stop()
  }
})

test('the check finds a wrong router, quoter, pool and fee', async () => {
  const provider = createProvider(
    createRpc({ name: 'anvil', url: devnet.rpcUrl }),
    createViemChain(deployments.chainId, multicall3),
  )
  const { swap } = getMarketDeployment(deployments).markets.micro
  const { swapPool } = deployments
  if (!swap || !swapPool) throw new Error('no pool')
  const check = async (changed: Deployments = deployments) =>
    (await checkPool(provider, changed)).map(({ path }) => path).sort()
  expect(await check(devnet.deployments)).toEqual([])
  expect(await check()).toEqual([])
  expect(await check({ ...deployments, swapPool: { ...swapPool, fee: 500 } })).toEqual([
    'swapPool.fee',
    'swapPool.pool',
  ])
  const { bruno } = accounts
  expect(await check({ ...deployments, swapPool: { ...swapPool, pool: bruno.address } })).toContain('swapPool.pool')
  for (const name of ['router', 'quoter'] as const) {
    const code = (await devnet.client.getCode({ address: swap[name] })) ?? '0x'
    const other = code.replaceAll(swap.factory.slice(2).toLowerCase(), bruno.address.slice(2).toLowerCase())
    await devnet.client.setCode({ address: swap[name], bytecode: `0x${other.slice(2)}` })
  }
  expect(await check()).toEqual(['swap.quoter.factory', 'swap.router.factory'])
})

test(`${runs(10)} purchases of random amounts leave nothing behind`, async () => {
  const buyer = await createWallet(20_000)
  const random = createRandom(41)
  let expected = 0n
  for (let index = 0; index < runs(10); index++) {
    const amountTokWei = BigInt(random.below(1e15)) * BigInt(1 + random.below(40_000)) + 10n ** 17n
    const prepared = await prepare('buy-tok', { market: 'micro', amountTokWei: String(amountTokWei) }, buyer.address)
    expect(await sendBatch(devnet.client, buyer, prepared.calls)).toMatchObject({ ok: true })
    expected += amountTokWei
  }
  expect(await readHoldings(buyer.address)).toMatchObject({ ...nothing, tok: expected })
})
