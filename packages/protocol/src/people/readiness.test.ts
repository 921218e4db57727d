import { expect, test } from 'vitest'
import { getPrice } from '../actions/prices.ts'
import { listRequirements, type ReadinessFacts } from './readiness.ts'

const tok = 10n ** 18n
const facts: ReadinessFacts = {
  chainId: 8453,
  eth: 10n ** 18n,
  gasPrice: 1_000_000n,
  tok: 2_000n * tok,
  tokAllowance: 2_000n * tok,
  credits: 0n,
  deposit: 25_000_000n,
  reserved: 0n,
}
const listMissing = (changes: Partial<ReadinessFacts>) =>
  listRequirements({ ...facts, ...changes }, 8453).flatMap(({ item, ok, required, missing }) =>
    ok || !required ? [] : [[item, missing]],
  )

test('the checklist asks for the price of an entry', () => {
  for (const price of [getPrice('post-task', 'poster'), getPrice('claim-task', 'worker')]) {
    const needs = new Map(listRequirements(facts, 8453).map(({ item, need }) => [item, need]))
    expect([needs.get('tok'), needs.get('deposit')]).toEqual([
      price.feeTokWei + price.exitDepositTokWei,
      price.requiredUsdc,
    ])
  }
})

test('fee, exit deposit, 25 USDC and gas are enough', () => {
  expect(listMissing({})).toEqual([])
})

test('each thing that is missing is named with its amount', () => {
  expect(listMissing({ chainId: 1 })).toEqual([['chain', 0n]])
  expect(listMissing({ eth: 0n })).toEqual([['gas', 3_000_000_000_000n]])
  expect(listMissing({ tok: 999n * tok })).toEqual([['tok', 1_001n * tok]])
  expect(listMissing({ deposit: 24_000_000n })).toEqual([['deposit', 1_000_000n]])
})

test('what a task reserves does not count for another one', () => {
  expect(listMissing({ reserved: 8_000_000n })).toEqual([['deposit', 8_000_000n]])
})

test('a credit pays the fee but not the exit deposit, and a budget comes on top', () => {
  expect(listMissing({ credits: tok, tok: 1_000n * tok })).toEqual([])
  expect(listMissing({ credits: tok, tok: 999n * tok })).toEqual([['tok', tok]])
  expect(listMissing({ budget: 500n * tok })).toEqual([['tok', 500n * tok]])
})

test('what is not known is not checked', () => {
  const items = listRequirements({ ...facts, eth: null, gasPrice: null, tokAllowance: null }, 8453)
  expect(items.map(({ item }) => item)).toEqual(['chain', 'tok', 'deposit', 'recommended-deposit'])
})
