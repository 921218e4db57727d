import type { RawLog } from '@svc/chain'
import { type Address, type Hex, numberToHex } from 'viem'
import { expect, test, vi } from 'vitest'
import type { decideNextStep, Step } from './nextStep.ts'
import { shareSteps } from './sharedSteps.ts'

const [standard, micro] = [address(1), address(2)]
const at = (number: number) => ({ number: BigInt(number), hash: hash(number), timestamp: number })
const options = { chainId: 1, addresses: [], maxBlocks: 2, readHash: async () => null, oldest: async () => 0n }

/** A chain of blocks with one log of each market; the tip is block 6. */
function start(tip = 6) {
  const decide = vi.fn<typeof decideNextStep>(async (_, cursor, { addresses }) => {
    const numbers = [1, 2].map((step) => Number(cursor.number) + step).filter((number) => number <= tip)
    if (numbers.length === 0) return { kind: 'wait' }
    const logs = numbers.flatMap((number) => addresses.map((address) => log(address, number)))
    const headers = numbers.map(at)
    return { kind: 'append', headers, logs, finalized: 0n, settled: 0n, more: true, agreed: [], gap: 0n }
  })
  const [first, second] = shareSteps([[standard], [micro]], decide)
  if (!first || !second) throw new Error('Two functions were expected.')
  return { decide, first, second }
}

test('two markets read each block once and get their own logs, at the same time or one after the other', async () => {
  const { decide, first, second } = start()
  const steps = await Promise.all([first([], at(0), options), second([], at(0), options)])
  expect(steps.map(describe)).toEqual([
    { blocks: [1, 2], of: [standard, standard] },
    { blocks: [1, 2], of: [micro, micro] },
  ])
  await first([], at(2), options)
  await first([], at(4), options)
  expect(describe(await second([], at(2), options))).toEqual({ blocks: [3, 4], of: [micro, micro] })
  expect(describe(await second([], at(4), options))).toEqual({ blocks: [5, 6], of: [micro, micro] })
  expect(decide).toHaveBeenCalledTimes(3)
  expect(decide.mock.calls.every(([, , { addresses }]) => addresses.length === 2)).toBe(true)
  // What both have taken is forgotten.
  await second([], at(4), options)
  expect(decide).toHaveBeenCalledTimes(4)
})

test('a market in the middle of blocks that were read gets the rest of them', async () => {
  const { decide, first, second } = start()
  await first([], at(0), options)
  expect(describe(await second([], at(1), options))).toEqual({ blocks: [2], of: [micro] })
  expect(decide).toHaveBeenCalledTimes(1)
})

test('blocks of another branch are not those that follow', async () => {
  const { decide, first, second } = start()
  await first([], at(0), options)
  await second([], { ...at(0), hash: hash(99) }, options)
  expect(decide).toHaveBeenCalledTimes(2)
})

test('each market decides for itself about a rollback, and blocks of the old branch are forgotten', async () => {
  const { decide, first, second } = start()
  await first([], at(0), options)
  decide.mockResolvedValueOnce({ kind: 'rollback', to: 1n })
  const [found, other] = await Promise.all([first([], at(2), options), second([], at(2), options)])
  expect([found.kind, other.kind]).toEqual(['rollback', 'append'])
  decide.mockResolvedValueOnce({ kind: 'rollback', to: 1n })
  await first([], at(4), options)
  const before = decide.mock.calls.length
  await second([], at(0), options)
  expect(decide).toHaveBeenCalledTimes(before + 1)
})

test('an error reaches both, and the next attempt reads again', async () => {
  const { decide, first, second } = start()
  decide.mockRejectedValueOnce(new Error('the provider is down'))
  const results = await Promise.allSettled([first([], at(0), options), second([], at(0), options)])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect((await first([], at(0), options)).kind).toBe('append')
})

test('a market that stops does not fill the memory', async () => {
  const { decide, first, second } = start(1_000)
  for (let number = 0; number < 400; number += 2) await first([], at(number), options)
  const before = decide.mock.calls.length
  await second([], at(0), options)
  expect(decide).toHaveBeenCalledTimes(before + 1)
  await second([], at(398), options)
  expect(decide).toHaveBeenCalledTimes(before + 1)
})

function describe(step: Step) {
  if (step.kind !== 'append') return step.kind
  return { blocks: step.headers.map(({ number }) => Number(number)), of: step.logs.map((each) => each.address) }
}

function log(from: Address, number: number): RawLog {
  const position = { blockNumber: BigInt(number), blockHash: hash(number), blockTimestamp: null, logIndex: 0 }
  return { ...position, address: from, topics: [], data: '0x', transactionHash: hash(number) }
}

function hash(number: number): Hex {
  return numberToHex(number, { size: 32 })
}

function address(number: number): Address {
  return numberToHex(number, { size: 20 })
}
