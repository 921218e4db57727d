import { markets, settlementDigest, type TaskTerms, taskRegistryAbi } from '@svc/protocol'
import { keccak256, maxUint64, maxUint256, toHex, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accounts } from './accounts.ts'
import { signingContext } from './deployments.ts'
import { type Devnet, startDevnet } from './devnet.ts'

let devnet: Devnet
beforeAll(async () => {
  devnet = await startDevnet()
}, 60_000)
afterAll(() => devnet?.stop())

const { ada, emeka, jun } = accounts
const plain: TaskTerms = {
  poster: ada.address,
  amounts: [10n ** 18n],
  durations: [3_600n],
  reviewWindow: 86_400n,
  maxRevisions: 1,
  arbitrator: zeroAddress,
  criteriaHash: keccak256(toHex('Caption ten photos')),
  scope: 0,
  claimPolicy: 0,
  claimDeadline: 1_800_000_000n,
  nonce: 1n,
}
const cases: Record<string, TaskTerms> = {
  'an open task': plain,
  'a private task with a named arbitrator': { ...plain, scope: 1, arbitrator: jun.address },
  'a permit task with three milestones': { ...plain, claimPolicy: 1, amounts: [1n, 2n, 3n], durations: [4n, 5n, 6n] },
  'the largest values': {
    ...plain,
    amounts: [maxUint256],
    durations: [maxUint64],
    reviewWindow: maxUint64,
    maxRevisions: 255,
    claimDeadline: maxUint64,
    nonce: maxUint256,
  },
}

describe.each(markets)('the settlement digest of the %s market', (market) => {
  test.each(Object.keys(cases))('%s', async (name) => {
    const terms = cases[name] ?? plain
    const { client, deployments } = devnet
    for (const worker of [zeroAddress, emeka.address]) {
      const onChain = await client.readContract({
        address: deployments.markets[market].taskRegistry,
        abi: taskRegistryAbi,
        functionName: 'settlementDigest',
        args: [terms, worker],
      })
      expect(settlementDigest(signingContext(deployments, market), terms, worker)).toBe(onChain)
    }
  })
})

test('the two markets never share a digest', () => {
  const [standard, micro] = markets.map((market) =>
    settlementDigest(signingContext(devnet.deployments, market), plain, emeka.address),
  )
  expect(standard).not.toBe(micro)
})
