import { expect, test } from 'vitest'
import { createLearnedLimit } from './learnedLimit.ts'
import { getLogs, LogRangeError, scanLogs } from './logs.ts'
import { ResponseTooLargeError, type Rpc, RpcResponseError, RpcTimeoutError } from './rpc.ts'
import type { RpcHealth } from './rpcHealth.ts'

const address = '0x00000000000000000000000000000000000000aa'
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`

/** A provider with a log in every block, which rejects wide ranges and long lists. Records what was asked and rejected. */
function createProvider({
  cap = Number.POSITIVE_INFINITY,
  dense = (_block: number) => 1,
  maxLogs = Number.POSITIVE_INFINITY,
  tooMany = () => new RpcResponseError('node', 'eth_getLogs', { code: -32000, message: 'no' }) as Error,
}) {
  const asked: { from: number; to: number }[] = []
  const rejected: string[] = []
  const rpc: Rpc = {
    name: 'node',
    logRange: createLearnedLimit(),
    async request(_, [filter]) {
      const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string }
      const [from, to] = [Number(fromBlock), Number(toBlock)]
      asked.push({ from, to })
      const reject = () => {
        rejected.push(`${from} ${to}`)
        return tooMany()
      }
      if (to - from + 1 > cap) throw reject()
      const logs = Array.from({ length: to - from + 1 }, (_, index) => from + index).flatMap((block) =>
        Array.from({ length: dense(block) }, (_, index) => ({
          address,
          topics: [],
          data: '0x',
          blockNumber: `0x${block.toString(16)}`,
          blockHash: word(block),
          transactionHash: word(block),
          logIndex: `0x${index.toString(16)}`,
        })),
      )
      if (logs.length > maxLogs) throw reject()
      return logs
    },
  }
  return { rpc, asked, rejected }
}

const numbers = (logs: readonly { blockNumber: bigint }[]) => logs.map(({ blockNumber }) => Number(blockNumber))
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test('learns how wide a range may be, and asks for no wider one afterwards', async () => {
  const { rpc, asked } = createProvider({ cap: 100 })
  expect(numbers(await getLogs(rpc, { address }, { from: 1n, to: 1_000n }))).toEqual(upTo(1_000))
  const first = asked.splice(0)
  expect(first.filter(({ from, to }) => to - from >= 100)).toHaveLength(4)
  expect(numbers(await getLogs(rpc, { address }, { from: 1n, to: 1_000n }))).toEqual(upTo(1_000))
  expect(asked.filter(({ from, to }) => to - from >= 100)).toEqual([])
})

test('never asks twice for a range that was rejected', async () => {
  const { rpc, rejected } = createProvider({ maxLogs: 50, dense: (block) => (block > 40 && block < 60 ? 20 : 1) })
  const logs = await getLogs(rpc, { address }, { from: 1n, to: 100n })
  expect(logs).toHaveLength(81 + 19 * 20)
  expect(new Set(rejected).size).toBe(rejected.length)
  // The other blocks are not read in crumbs because these are dense.
  expect(rpc.logRange?.size()).toBe(25)
})

test('gives up before the first call once it knows that the range is too long, and says what to do', async () => {
  const { rpc, asked } = createProvider({ cap: 2_000 })
  const read = () => getLogs(rpc, { address }, { from: 1n, to: 1_000_001n })
  await expect(read()).rejects.toThrow(LogRangeError)
  expect(asked.length).toBeLessThan(12)
  asked.length = 0
  await expect(read()).rejects.toThrow(
    'node returns logs of at most 3,906 blocks per call, too few to read 1,000,001 blocks in 256 calls. Use the index, or a provider that allows wider ranges.',
  )
  expect(asked).toEqual([])
})

test('a dense range that needs too many calls is not returned as if it were complete', async () => {
  const { rpc } = createProvider({ maxLogs: 1 })
  await expect(getLogs(rpc, { address }, { from: 1n, to: 400n })).rejects.toThrow(LogRangeError)
  const { logs, covered } = await scanLogs(rpc, { address }, { from: 1n, to: 100n, maxCalls: 20 })
  expect(Number(covered)).toBeLessThan(100)
  expect(numbers(logs)).toEqual(upTo(Number(covered)))
})

test.each([
  ['too large', () => new ResponseTooLargeError('too large', { retryable: true })],
  ['too slow', () => new RpcTimeoutError('too slow', { retryable: true })],
])('a range whose answer is %s is narrowed down to one block, and the width is remembered', async (_, tooMany) => {
  // As if an answer took time in proportion to its length, with one block that is as dense as the provider can answer.
  const { rpc, rejected } = createProvider({ maxLogs: 5_000, dense: (block) => (block === 77 ? 5_000 : 100), tooMany })
  const logs = await getLogs(rpc, { address }, { from: 1n, to: 500n })
  expect(logs).toHaveLength(499 * 100 + 5_000)
  expect(new Set(rejected).size).toBe(rejected.length)
  rejected.length = 0
  await getLogs(rpc, { address }, { from: 501n, to: 600n })
  expect(rejected).toEqual([])
})

test('a provider that is silent is not asked for ever narrower ranges', async () => {
  const { rpc, asked } = createProvider({ cap: 1, tooMany: () => new RpcTimeoutError('too slow', { retryable: true }) })
  const health: RpcHealth = { rank: () => 2, timeoutMs: () => 1, hedgeMs: () => 1, isOverdue: () => true }
  await expect(getLogs({ ...rpc, health }, { address }, { from: 1n, to: 500n })).rejects.toThrow('too slow')
  expect(asked).toHaveLength(1)
})
