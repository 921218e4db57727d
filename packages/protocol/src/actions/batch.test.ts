import fc from 'fast-check'
import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { runs } from '../../../../test/harness/runs.ts'
import type { AnyAction } from './action.ts'
import { places } from './actions.arbitrary.ts'
import { listBefore } from './before.ts'
import { buildCalls, type Call, decodeBatch, decodeCalls } from './calls.ts'
import { actions } from './index.ts'
import { describeCalls } from './preview.ts'
import { boundSwap, isWithinFeed, swapLimits } from './swap.ts'

// Their type is wide, so that one call takes every action.
const buyTok: AnyAction = actions['buy-tok']
const sellTok: AnyAction = actions['sell-tok']
const from = '0x00000000000000000000000000000000000000AA'
const other = '0x00000000000000000000000000000000000000bb'
const contracts = places.micro
const { router = other, fee = 0 } = contracts.swap ?? {}
const market = 'micro' as const
const amountTokWei = 2_000n * 10n ** 18n
const purchase = { maxUsdc: 5_065_703n, deadline: 1_800_000_300n }
const claimInput = { taskId: { market, number: 7n }, settlementDigest: `0x${'ab'.repeat(32)}` as Hex }
const buy = buildCalls(buyTok, { market, amountTokWei, ...purchase }, { from, contracts })
const topUp = buildCalls(actions['top-up'], { market, amountUsdc: 25_000_000n }, { from, contracts })
const claim = buildCalls(actions['claim-task'], claimInput, { from, contracts })
const sell = buildCalls(sellTok, { market, amountTokWei, minUsdc: 4_900_000n, deadline: 1n }, { from, contracts })
const honest = [...buy, ...topUp, ...claim]

const read = (calls: readonly Call[]) =>
  JSON.stringify(
    decodeBatch(calls, places)?.map(({ name, market: where, input, approvals }) => [name, where, input, approvals]) ??
      null,
    (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value),
  )
const approve = (token: Address, spender: Address, amount: bigint): Call => ({
  to: token,
  value: '0x0',
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
})

test('a purchase, a top-up and an action are read from their bytes, with every call described', () => {
  expect(decodeBatch(honest, places)?.map(({ name }) => name)).toEqual(['buy-tok', 'top-up', 'claim-task'])
  expect(decodeBatch(buy, places)?.[0]?.input).toEqual({ market, amountTokWei, ...purchase })
  expect(decodeCalls(honest, places)).toBeNull()
  expect(describeCalls(honest, market, places).map(({ contract, function: name }) => `${contract}.${name}`)).toEqual([
    'usdc.approve',
    'swapRouter.multicall',
    'usdc.approve',
    'usdc.approve',
    'depositVault.topUp',
    'tokToken.approve',
    'taskRegistry.claim',
  ])
})

test('what must come before an action follows from what is missing', () => {
  const list = (tokWei: bigint, missingUsdc: bigint, bounds?: typeof purchase) =>
    listBefore({ market, needTokWei: amountTokWei, tokWei, missingUsdc, purchase: bounds }).map(({ name }) => name)
  expect(list(0n, 25n, purchase)).toEqual(['buy-tok', 'top-up'])
  expect(list(0n, 0n, purchase)).toEqual(['buy-tok'])
  expect(list(amountTokWei, 25n, purchase)).toEqual(['top-up'])
  expect(list(0n, 25n)).toEqual(['top-up'])
  expect(list(amountTokWei, 0n)).toEqual([])
})

const count = runs(300)
test(`${count} changed hex digits: none is read as the honest batch`, () => {
  const same = read(honest)
  const lies: string[] = []
  const where = fc.record({
    call: fc.nat(honest.length - 1),
    field: fc.constantFrom('to', 'data', 'data', 'data', 'data', 'data'),
    place: fc.nat(2 ** 30),
    digit: fc.nat(15),
  })
  fc.assert(
    fc.property(where, ({ call, field, place, digit }) => {
      const calls = honest.map((each) => ({ ...each }))
      const changed = calls[call]
      if (!changed || (field !== 'to' && field !== 'data')) return
      const at = 2 + (place % (changed[field].length - 2))
      if (changed[field][at]?.toLowerCase() === digit.toString(16)) return
      changed[field] =
        `0x${changed[field].slice(2, at)}${digit.toString(16)}${changed[field].slice(at + 1)}`.toLowerCase() as Hex
      if (read(calls) === same) lies.push(`${call} ${field} ${at}`)
    }),
    { numRuns: count },
  )
  expect(lies).toEqual([])
})

const routerAbi = parseAbi([
  'function multicall(uint256 deadline, bytes[] data) payable returns (bytes[])',
  'function exactOutputSingle((address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 amountOut, uint256 amountInMaximum, uint160 sqrtPriceLimitX96)) payable returns (uint256 amountIn)',
])
const single = (change: object = {}) =>
  encodeFunctionData({
    abi: routerAbi,
    functionName: 'exactOutputSingle',
    args: [
      {
        tokenIn: contracts.usdc,
        tokenOut: contracts.tokToken,
        fee,
        recipient: '0x0000000000000000000000000000000000000001',
        amountOut: amountTokWei,
        amountInMaximum: purchase.maxUsdc,
        sqrtPriceLimitX96: 0n,
        ...change,
      },
    ],
  })
const multi = (...data: Hex[]): Call => ({
  to: router,
  value: '0x0',
  data: encodeFunctionData({ abi: routerAbi, functionName: 'multicall', args: [purchase.deadline, data] }),
})
const [allow, swap, reset] = buy as [Call, Call, Call]
const [topUpAllow, topUpCall] = topUp as [Call, Call]
const rest = [...topUp, ...claim]
const gift = buildCalls(
  actions['emergency-top-up'],
  { market, agent: other, amountUsdc: 25_000_000n },
  { from, contracts },
)
const withEth = JSON.parse(JSON.stringify({ ...swap, value: '0x1' })) as Call

test.each<[string, readonly Call[]]>([
  ['another token is bought', [allow, multi(single({ tokenOut: other })), reset, ...rest]],
  ['another token is sold', [allow, multi(single({ tokenIn: other })), reset, ...rest]],
  ['somebody else receives it', [allow, multi(single({ recipient: other })), reset, ...rest]],
  [
    'the router receives it',
    [allow, multi(single({ recipient: '0x0000000000000000000000000000000000000002' })), reset, ...rest],
  ],
  ['another pool', [allow, multi(single({ fee: 10_000 })), reset, ...rest]],
  ['a price limit that fills in part', [allow, multi(single({ sqrtPriceLimitX96: 1n })), reset, ...rest]],
  ['two swaps in one call', [allow, multi(single(), single()), reset, ...rest]],
  ['no deadline', [allow, { ...swap, data: single() }, reset, ...rest]],
  ['unlimited allowance', [approve(contracts.usdc, router, maxUint256), swap, reset, ...rest]],
  ['allowance to somebody else', [approve(contracts.usdc, other, purchase.maxUsdc), swap, reset, ...rest]],
  ['allowance of the other token', [approve(contracts.tokToken, router, purchase.maxUsdc), swap, reset, ...rest]],
  ['no allowance', [swap, reset, ...rest]],
  ['allowance not taken back', [allow, swap, ...rest]],
  ['allowance taken back in part', [allow, swap, approve(contracts.usdc, router, 1n), ...rest]],
  ['allowance for the router before an action', [allow, ...claim]],
  ['another router', [allow, { ...swap, to: other }, reset, ...rest]],
  ['ETH is sent along', [allow, withEth, reset, ...rest]],
  ['a call at the end', [...honest, approve(contracts.usdc, other, 1n)]],
  ['a call at the start', [approve(contracts.usdc, other, 1n), ...honest]],
  ['a purchase twice', [...buy, ...honest]],
  ['a purchase after the top-up', [...topUp, ...buy, ...claim]],
  ['a sale first', [...sell, ...claim]],
  ['a sale after a purchase', [...buy, ...sell]],
  ['a sale with the allowance of a purchase', [allow, sell.at(-1) ?? swap, reset, ...rest]],
  ['a top-up for somebody else', [...buy, ...gift, ...claim]],
  [
    'a top-up that gets more than it takes',
    [...buy, approve(contracts.usdc, contracts.depositVault, 25_000_001n), topUpCall, ...claim],
  ],
  [
    'a top-up that gets TOK',
    [...buy, approve(contracts.tokToken, contracts.depositVault, 25_000_000n), topUpCall, ...claim],
  ],
  ['a top-up with two allowances', [...buy, topUpAllow, topUpAllow, topUpCall, ...claim]],
  ['an action before the purchase', [...claim, ...buy]],
  [
    'the action in the other market',
    [...buy, ...topUp, ...buildCalls(actions['claim-task'], claimInput, { from, contracts: places.standard })],
  ],
])('refused: %s', (_, calls) => {
  expect(decodeBatch(calls, places)).toBeNull()
})

test('a sale and a purchase for themselves are read', () => {
  expect(decodeCalls(sell, places)?.name).toBe('sell-tok')
  expect(decodeCalls(buy, places)?.name).toBe('buy-tok')
  const { swap: _, ...bare } = contracts
  expect(decodeBatch(sell, { standard: bare, micro: bare })).toBeNull()
  expect(() =>
    buildCalls(sellTok, { market, amountTokWei, minUsdc: 1n, deadline: 1n }, { from, contracts: bare }),
  ).toThrow(TypeError)
})

test('no limit is further than 3 % from the feed, and none is worse than the slippage', () => {
  const amount = fc.bigInt(10n ** 15n, 10n ** 26n)
  const quotes = fc.record({
    side: fc.constantFrom('buy', 'sell'),
    amountTokWei: amount,
    price: fc.bigInt(1n, 10n ** 10n),
    offBps: fc.integer({ min: -600, max: 600 }),
    moveBps: fc.bigInt(0n, 5_000n),
  })
  fc.assert(
    fc.property(quotes, ({ offBps, ...given }) => {
      const fair = (given.amountTokWei * given.price) / 10n ** 20n
      const quoteUsdc = (fair * BigInt(10_000 + offBps)) / 10_000n
      const found = boundSwap({ ...given, quoteUsdc, fee: 3_000 })
      if (found.isOff) return
      expect(isWithinFeed(given.side, given.amountTokWei, found.limitUsdc, given.price)).toBe(true)
      expect(Math.abs(offBps)).toBeLessThanOrEqual(Number(swapLimits.feedBps) + 1)
      const slippage = given.moveBps < 60n ? 100n : 30n
      const worst = quoteUsdc * (10_000n + (given.side === 'buy' ? slippage : -slippage))
      if (given.side === 'buy') expect(found.limitUsdc * 10_000n).toBeLessThanOrEqual(worst)
      else expect(found.limitUsdc * 10_000n).toBeGreaterThanOrEqual(worst)
    }),
    { numRuns: runs(1_000) },
  )
})
