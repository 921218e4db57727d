import { createSigningContext } from '@svc/chain'
import { buildSettlementTypedData, computeSettlementDigest, type Market, markets, type TaskTerms } from '@svc/protocol'
import { agreementsAbi } from '@svc/protocol/abis'
import fc from 'fast-check'
import {
  type Address,
  getAddress,
  type Hex,
  hashStruct,
  maxUint64,
  maxUint256,
  padHex,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runs } from '../../../test/harness/runs.ts'
import { accounts } from './accounts.ts'
import { type Devnet, startDevnet } from './devnet.ts'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet()
})
afterAll(() => devnet?.stop())

interface Agreement {
  terms: TaskTerms
  worker: Address
}

/** Numbers of all bit lengths. Uniform numbers would nearly all have the full length of the type. */
const upTo = (max: bigint) =>
  fc.oneof(
    fc.constantFrom(0n, 1n, max - 1n, max),
    fc
      .integer({ min: 1, max: max.toString(2).length })
      .chain((bits) => fc.bigInt({ min: 0n, max: 2n ** BigInt(bits) - 1n })),
  )
const anyAddress: fc.Arbitrary<Address> = fc.oneof(
  fc.constant(zeroAddress),
  upTo(2n ** 160n - 1n).map((number) => getAddress(padHex(toHex(number), { size: 20 }))),
)
const anyHash: fc.Arbitrary<Hex> = upTo(maxUint256).map((number) => padHex(toHex(number), { size: 32 }))

/** Any struct that the registry can hash, including invalid ones: up to 20 milestones, none, or lists of different length. */
const anyAgreement: fc.Arbitrary<Agreement> = fc.record({
  terms: fc.record({
    poster: anyAddress,
    amounts: fc.array(upTo(maxUint256), { maxLength: 20, size: 'max' }),
    durations: fc.array(upTo(maxUint64), { maxLength: 20, size: 'max' }),
    reviewWindow: upTo(maxUint64),
    maxRevisions: fc.integer({ min: 0, max: 255 }),
    arbitrator: anyAddress,
    store: anyAddress,
    criteriaHash: anyHash,
    scope: fc.integer({ min: 0, max: 1 }),
    claimPolicy: fc.integer({ min: 0, max: 1 }),
    claimDeadline: upTo(maxUint64),
    nonce: upTo(maxUint256),
  }),
  worker: anyAddress,
})

/** Reads both hashes of many agreements from the contract in one call. */
async function byContract(market: Market, agreements: readonly Agreement[]): Promise<Hex[]> {
  const { client, deployments } = devnet
  const contract = { address: deployments.markets[market].agreements, abi: agreementsAbi } as const
  return client.multicall({
    allowFailure: false,
    // One request of any size. Only public endpoints need batches.
    batchSize: 0,
    contracts: agreements.flatMap(({ terms, worker }) => [
      { ...contract, functionName: 'hashTerms', args: [terms] } as const,
      { ...contract, functionName: 'settlementDigest', args: [hashTerms(market, terms, worker), worker] } as const,
    ]),
  })
}

function byPackage(market: Market, agreements: readonly Agreement[]): Hex[] {
  const context = createSigningContext(devnet.deployments, market)
  return agreements.flatMap(({ terms, worker }) => {
    return [hashTerms(market, terms, worker), computeSettlementDigest(context, terms, worker)]
  })
}

function hashTerms(market: Market, terms: TaskTerms, worker: Address): Hex {
  const { types, message } = buildSettlementTypedData(createSigningContext(devnet.deployments, market), terms, worker)
  return hashStruct({ types, primaryType: 'TaskTerms', data: message.terms })
}

const firstSeed = Date.now() % 2 ** 31
const perCall = 100
const calls = runs(10)

describe.each(markets)('the %s market', (market) => {
  const seed = firstSeed + markets.indexOf(market)
  test(`hashes ${perCall * calls} random terms as the package does (seed ${seed})`, async () => {
    const seen = new Set<Hex>()
    await fc.assert(
      fc.asyncProperty(fc.array(anyAgreement, { minLength: perCall, maxLength: perCall }), async (agreements) => {
        const own = byPackage(market, agreements)
        expect(own).toEqual(await byContract(market, agreements))
        for (const digest of own) seen.add(digest)
      }),
      { numRuns: calls, seed },
    )
    // Two hashes each. Duplicates would mean that the terms were not random.
    expect(seen.size).toBeGreaterThan(perCall * calls * 1.9)
  })

  const plain: TaskTerms = {
    poster: accounts.ada.address,
    amounts: [10n ** 18n],
    durations: [3_600n],
    reviewWindow: 86_400n,
    maxRevisions: 1,
    arbitrator: zeroAddress,
    store: zeroAddress,
    criteriaHash: zeroHash,
    scope: 0,
    claimPolicy: 0,
    claimDeadline: 1_800_000_000n,
    nonce: 1n,
  }
  const largest = Array.from({ length: 20 }, () => maxUint256)
  test.each<[string, Partial<TaskTerms>]>([
    ['plain', {}],
    ['no milestones', { amounts: [], durations: [] }],
    ['more amounts than durations', { amounts: [1n, 2n], durations: [] }],
    ['twenty of the largest', { amounts: largest, durations: largest.map(() => maxUint64) }],
    ['the longest times', { reviewWindow: maxUint64, claimDeadline: maxUint64, maxRevisions: 255, nonce: maxUint256 }],
    ['private by permit', { scope: 1, claimPolicy: 1, arbitrator: accounts.jun.address }],
  ])('hashes %s as the package does', async (_, change) => {
    const terms = { ...plain, ...change }
    const agreements = [zeroAddress, accounts.emeka.address].map((worker) => ({ terms, worker }))
    expect(byPackage(market, agreements)).toEqual(await byContract(market, agreements))
  })
})

test('the two markets never share a digest', () => {
  const [agreement] = fc.sample(anyAgreement, { numRuns: 1, seed: firstSeed })
  if (!agreement) throw new Error('No sample.')
  const [standard, micro] = markets.map((market) => byPackage(market, [agreement]))
  expect(standard?.[0]).not.toBe(micro?.[0])
  expect(standard?.[1]).not.toBe(micro?.[1])
})
