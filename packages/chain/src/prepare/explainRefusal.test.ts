import { actions, buildCalls, computeCost } from '@svc/protocol/actions'
import { encodeErrorResult, numberToHex, padHex, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { explainRefusal } from './explainRefusal.ts'

const address = (number: number) => padHex(numberToHex(number), { size: 20 })
const from = address(99)
const contracts = {
  tokToken: address(1),
  usdc: address(2),
  taskRegistry: address(3),
  depositVault: address(4),
  escrowVault: address(5),
  paymentGateway: address(6),
  stakingVault: address(7),
  arbitration: address(8),
  agreements: address(9),
  reputationRegistry: address(10),
  taskLens: address(11),
  taskScopeRegistry: address(12),
  finalCourt: address(13),
  pricingPolicy: address(14),
  treasury: address(15),
}
const errors = parseAbi([
  'error Error(string reason)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
])
const balances = { tok: 0n, usdc: 3_000_000n, credits: 0n }

test('the USDC of Base refuses with a text; what is missing is still named', () => {
  const input = { market: 'micro' as const, amountUsdc: 25_000_000n }
  const [, call] = buildCalls(actions['top-up'], input, { from, contracts })
  if (!call) throw new Error('no call')
  const data = encodeErrorResult({
    abi: errors,
    errorName: 'Error',
    args: ['ERC20: transfer amount exceeds balance'],
  })
  const cost = computeCost(actions['top-up'], input, { from })
  expect(explainRefusal({ market: 'micro', from, contracts, call, data, balances, cost }).message).toBe(
    'You have 3.00 USDC; this takes 25.00 USDC. 22.00 USDC are missing.',
  )
})

test.each([
  ['tok', 'You have 3 TOK; this takes 25 TOK. 22 TOK are missing.', 10n ** 18n],
  ['usdc', 'You have 3.00 USDC; this takes 25.00 USDC. 22.00 USDC are missing.', 10n ** 6n],
] as const)('a plan that is paid in %s is short of that token, by its real price', (payWith, message, unit) => {
  const input = { market: 'micro', tier: 'basic', beneficiary: from, payWith, maxAmount: 30n * unit } as const
  const [, call] = buildCalls(actions['buy-plan'], input, { from, contracts })
  if (!call) throw new Error('no call')
  const data = encodeErrorResult({
    abi: errors,
    errorName: 'ERC20InsufficientBalance',
    args: [from, 3n * unit, 25n * unit],
  })
  const cost = computeCost(actions['buy-plan'], input, { from })
  expect(explainRefusal({ market: 'micro', from, contracts, call, data, balances, cost }).message).toBe(message)
})
