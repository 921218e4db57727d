import { expect, test } from 'vitest'
import { describeActionPrices, getPrice, listPrices } from './prices.ts'

const tok = 10n ** 18n

test('an entry takes the fee, locks an exit deposit and a reserve, and needs a free deposit', () => {
  for (const [action, side] of [
    ['post-task', 'poster'],
    ['create-task', 'poster'],
    ['create-task', 'worker'],
    ['claim-task', 'worker'],
  ] as const) {
    expect(getPrice(action, side), `${action} ${side}`).toMatchObject({
      requiredUsdc: 25_000_000n,
      feeTokWei: 1_000n * tok,
      exitDepositTokWei: 1_000n * tok,
      reserveUsdc: 13_000_000n,
      lostTokWei: 0n,
      penaltyUsdc: 0n,
      returnedTokWei: 0n,
      returnedUsdc: 0n,
    })
  }
})

test('an exit costs a part of what was locked, and returns the rest', () => {
  expect(describeActionPrices('leave-task')).toContain(
    'Worker, nothing is in review: Costs 1,000 TOK of what you locked. Returns 13.00 USDC of your deposit.',
  )
  expect(describeActionPrices('dismiss-worker')).toEqual(
    expect.arrayContaining([
      'Poster, open task: Costs 1,000 TOK of what you locked. Locks 1,000 TOK.',
      'Poster, work under way: Costs 1,000 TOK of what you locked.',
    ]),
  )
  expect(describeActionPrices('expire-task')).toEqual(
    expect.arrayContaining([
      'Worker, nothing is in review, no notice: Costs 1,000 TOK of what you locked and 2.50 USDC of your deposit. Returns 10.50 USDC of your deposit.',
      'Worker, nothing is in review, under notice: Returns 1,000 TOK and 13.00 USDC of your deposit.',
      'Poster, nothing is in review, under notice: Returns 13.00 USDC of your deposit.',
    ]),
  )
  expect(describeActionPrices('cancel-task')).toEqual(['Poster: Returns 1,000 TOK and 13.00 USDC of your deposit.'])
})

test('whatever a side lost or got back, it had locked before', () => {
  for (const price of listPrices().filter(
    ({ from, side }) => from !== 'NONE' && !(from === 'POSTED' && side === 'worker'),
  )) {
    expect(
      price.lostTokWei + price.returnedTokWei,
      JSON.stringify(price, (_, value) => String(value)),
    ).toBeLessThanOrEqual(1_000n * tok)
    expect(price.penaltyUsdc + price.returnedUsdc).toBeLessThanOrEqual(13_000_000n)
  }
})
