import { type Deployments, getMarketDeployment, type Providers, prepareActionJson, SwapRefusedError } from '@svc/chain'
import { accounts, type Devnet, deployPool, sendTokens, sendTransaction, startDevnet } from '@svc/devnet'
import { actions, type Call } from '@svc/protocol/actions'
import { createRandom } from '@svc/simulation/random'
import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  maxUint256,
  parseUnits,
  sliceHex,
} from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeSwap, swapLimits } from '../../packages/protocol/src/actions/swap.ts'
import { createDevnetProviders } from '../harness/devnetProviders.ts'
import { runs } from '../harness/runs.ts'

const tok = (amount: number) => parseUnits(String(amount), 18)
const usd = (amount: number) => parseUnits(String(amount), 6)
const far = 2n ** 39n
const [buyer, attacker] = [accounts.newcomer.address, accounts.farah.address]

let devnet: Devnet
let deployments: Deployments
let providers: Providers
beforeAll(async () => {
  devnet = await startDevnet()
  // Dollars on each side of the pool: 50,000. Its fee is 0.3 %.
  deployments = { ...devnet.deployments, swapPool: await deployPool(devnet.client, devnet.deployments) }
  providers = createDevnetProviders(devnet)
  for (const wallet of [buyer, attacker])
    await sendTokens(devnet.client, deployments, wallet, { tok: tok(1_000_000), usdc: usd(100_000) })
})
afterAll(() => devnet?.stop())

const contracts = () => getMarketDeployment(deployments).markets.micro
const getRouter = (): Address => contracts().swap?.router ?? expect.fail('no pool')
const prepareBuy = (amountTokWei: bigint) =>
  prepareActionJson(providers, getMarketDeployment(deployments), {
    action: actions['buy-tok'],
    input: { market: 'micro', amountTokWei: String(amountTokWei) },
    from: buyer,
  })
const swap = (side: 'buy' | 'sell', amountTokWei: bigint) => ({
  to: getRouter(),
  data: encodeSwap(side, { amountTokWei, maxUsdc: maxUint256 / 2n, minUsdc: 0n, deadline: far }, contracts()),
})
const approve = (token: Address) => ({
  to: token,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [getRouter(), maxUint256] }),
})
/** What a swap took or gave: the last word that the router returned. */
const readAmount = (data: Hex) => hexToBigInt(sliceHex(data, -32))

/** Plays a purchase between a trade of somebody else and its reversal, in one simulated block. */
async function playSandwich(purchase: readonly Call[], front: bigint) {
  const { tokToken, usdc } = deployments.shared
  const before = [approve(usdc), approve(tokToken), swap('buy', front)]
  const calls = [
    ...before.map((call) => ({ account: attacker, ...call })),
    ...purchase.map(({ to, data }) => ({ account: buyer, to, data })),
    { account: attacker, ...swap('sell', front) },
  ]
  const [block] = await devnet.client.simulateBlocks({ blocks: [{ calls }] })
  const results = block?.calls ?? []
  const [bought, sold] = [results[before.length - 1], results.at(-1)]
  const bites = results.slice(before.length, -1).every(({ status }) => status === 'success')
  return { bites, profit: readAmount(sold?.data ?? '0x') - readAmount(bought?.data ?? '0x') }
}

/** The best that an attacker finds: the largest trade in front that the purchase survives, and smaller ones. */
async function findBestSandwich(purchase: readonly Call[], amountTokWei: bigint): Promise<bigint> {
  let [low, high] = [0n, amountTokWei * 16n + tok(400_000)]
  for (let step = 0; step < 14; step++) {
    const middle = (low + high) / 2n
    if ((await playSandwich(purchase, middle)).bites) low = middle
    else high = middle
  }
  let best = -maxUint256
  for (const part of [1n, 2n, 4n, 10n]) {
    const { profit } = await playSandwich(purchase, low / part + 1n)
    if (profit > best) best = profit
  }
  return best
}

test(`no sandwich of a small purchase pays, and one of a large purchase takes no more than its limit: ${runs(4)} seeds`, async () => {
  const gains = { small: -maxUint256, large: -maxUint256, from: 0 }
  for (let seed = 1; seed <= runs(4); seed++) {
    const random = createRandom(seed)
    // Below the fee of the pool times its depth, 60,000 TOK, and above.
    const isSmall = random.chance(0.5)
    const amount = isSmall ? 1_000 + random.below(57_000) : 60_000 + random.below(330_000)
    const { calls, swap: quoted } = await prepareBuy(tok(amount))
    const best = await findBestSandwich(calls, tok(amount))
    const kind = isSmall ? 'small' : 'large'
    if (best > gains[kind]) Object.assign(gains, { [kind]: best, ...(isSmall ? {} : { from: amount }) })
    if (isSmall) expect(best, `seed ${seed}: ${amount} TOK`).toBeLessThanOrEqual(0n)
    const allowed = BigInt(quoted?.limitUsdc ?? 0) - BigInt(quoted?.quoteUsdc ?? 0)
    expect(best, `seed ${seed}: ${amount} TOK`).toBeLessThanOrEqual(allowed)
  }
  console.log(`best sandwich: ${gains.small} units of a small purchase, ${gains.large} of ${gains.from} TOK`)
})

test(`whatever the pool does, nothing is offered that may cost over 3 % more than the feed says: ${runs(10)} seeds`, async () => {
  let offered = 0
  for (const token of [deployments.shared.usdc, deployments.shared.tokToken]) await send(approve(token))
  for (let seed = 1; seed <= runs(10); seed++) {
    const random = createRandom(seed, 7)
    const [push, pull] = random.chance(0.5) ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const)
    const moved = tok(1 + random.below(900_000))
    await send(swap(push, moved))
    const amountTokWei = tok(1 + random.below(100_000))
    const answer = await prepareBuy(amountTokWei).catch((error: unknown) => error)
    if (answer instanceof SwapRefusedError) expect(answer.code).toBe('PRICE_OFF')
    else {
      const { swap: quoted } = answer as Awaited<ReturnType<typeof prepareBuy>>
      const fair = BigInt(quoted?.fairUsdc ?? 0)
      expect(BigInt(quoted?.limitUsdc ?? 0) * 10_000n).toBeLessThanOrEqual(fair * (10_000n + swapLimits.feedBps))
      offered++
    }
    await send(swap(pull, moved))
  }
  console.log(`${offered} of ${runs(10)} were offered`)
})

async function send(call: { to: Address; data: Hex }): Promise<void> {
  await sendTransaction(devnet.client, accounts.farah, call)
}
