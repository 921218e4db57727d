import type { MarketReader } from '@svc/chain'
import { createArbitratorRecord } from '@svc/protocol/internal/fold'
import { type Address, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { adviseOnJudge } from './adviseOnJudge.ts'

const tok = 10n ** 18n
const toAddress = (digit: number): Address => `0x${String(digit).repeat(40)}`
const [good, silent, unknown] = [toAddress(1), toAddress(2), toAddress(3)]
const bonded = { bond: 500_000n * tok, resolved: 10 }
const arbitrators = [
  { ...createArbitratorRecord(good), ...bonded },
  { ...createArbitratorRecord(silent), ...bonded, timedOut: 1 },
]
const block = { number: 1n, hash: '0x', timestamp: 1 } as const

/** A TOK is worth USD 0.0025 unless said otherwise. */
function advise(arbitrator: Address, amounts: readonly bigint[], usd: bigint | null = 250_000n) {
  const price =
    usd === null ? { usd, updatedAt: null, missing: 'NO_ORACLE' as const } : { usd, updatedAt: 1, missing: null }
  const reader: Pick<MarketReader, 'getTokPrice' | 'listArbitrators'> = {
    getTokPrice: async () => ({ price, block }),
    listArbitrators: async () => ({ arbitrators, block }),
  }
  return adviseOnJudge(reader, 'micro', { arbitrator, amounts })
}

test('warns about the judge that terms name, by the largest milestone', async () => {
  expect(await advise(good, [tok, 100_000n * tok])).toEqual({ warnings: [], suggested: null })
  expect((await advise(good, [100_001n * tok, tok])).warnings).toEqual([expect.stringContaining('Above USD 250')])
  expect((await advise(silent, [tok])).warnings).toEqual([
    expect.stringMatching(`^Arbitrator ${silent}: .*did not rule`),
  ])
  expect((await advise(unknown, [tok])).warnings).toHaveLength(2)
})

test('suggests a judge where none is named and the sum is known to be small', async () => {
  expect(await advise(zeroAddress, [tok])).toEqual({ warnings: [], suggested: good })
  expect(await advise(zeroAddress, [100_001n * tok])).toEqual({ warnings: [], suggested: null })
  expect(await advise(zeroAddress, [tok], null)).toEqual({ warnings: [], suggested: null })
})
