import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRpcHealth } from './rpcHealth.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'Date', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** The health of a provider whose probes succeed when told to. */
function create() {
  const changes: boolean[] = []
  const probes: number[] = []
  let isAnswering = false
  const health = createRpcHealth({
    limitMs: 10_000,
    hasAlternative: true,
    isHeld: () => false,
    async probe() {
      probes.push(Date.now())
      const call = health.begin('light')
      if (isAnswering) call.answered()
      else call.failed('timeout')
    },
    onSilent: (isSilent) => changes.push(isSilent),
    random: () => 0.5,
  })
  const answer = (kind: 'light' | 'call' | 'logs', ms: number, times = 1) => {
    for (let count = 0; count < times; count++) {
      const call = health.begin(kind)
      vi.advanceTimersByTime(ms)
      call.answered()
    }
  }
  const recover = () => {
    isAnswering = true
  }
  return { health, changes, probes, answer, recover }
}

test('a timeout follows what answers take, doubles while they are late, and ranges of logs keep the longest', () => {
  const { health, answer } = create()
  expect([health.timeoutMs('light'), health.timeoutMs('call'), health.timeoutMs('range')]).toEqual([
    2_000, 4_000, 10_000,
  ])
  answer('light', 20, 64)
  expect(health.timeoutMs('light')).toBe(1_000)
  answer('light', 700, 64)
  expect(health.timeoutMs('light')).toBe(2_800)
  // A provider that has become very slow gets what it needs, not four times as much.
  answer('light', 3_000, 64)
  expect(health.timeoutMs('light')).toBe(4_500)
  const late = [1, 2, 3].map(() => {
    health.begin('logs').failed('timeout')
    return health.timeoutMs('logs')
  })
  expect(late).toEqual([4_000, 8_000, 8_000])
  // One that arrives only thanks to the longer timeout does not shorten it.
  answer('logs', 5_000)
  expect(health.timeoutMs('logs')).toBe(8_000)
})

test('two calls without an answer make it silent; it is probed ever more rarely, and one answer is enough', async () => {
  const { health, changes, probes, recover } = create()
  health.begin('light').failed('timeout')
  expect(health.rank()).toBe(1)
  health.begin('call').failed('silent')
  expect([health.rank(), changes]).toEqual([2, [true]])
  const start = Date.now()
  await vi.advanceTimersByTimeAsync(61_000)
  expect(probes.map((at) => at - start)).toEqual([1_000, 3_000, 7_000, 15_000, 30_000, 45_000, 60_000])
  recover()
  await vi.advanceTimersByTimeAsync(15_000)
  expect([health.rank(), changes]).toEqual([0, [true, false]])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(probes).toHaveLength(8)
})

test('an answer in between, or a range that is too wide, does not make it silent', () => {
  const { health, answer } = create()
  for (let count = 0; count < 5; count++) {
    health.begin('light').failed('timeout')
    answer('call', 10)
    health.begin('range').failed('timeout')
    expect(health.rank()).toBe(0)
  }
})

test('a slow provider is asked after the others until its probes are fast', async () => {
  const { health, answer, recover } = create()
  recover()
  answer('light', 1_500, 3)
  expect(health.rank()).toBe(1)
  await vi.advanceTimersByTimeAsync(90_000)
  expect(health.rank()).toBe(0)
})

test('only a call that waits longer than usual is overdue', () => {
  const { health, answer } = create()
  answer('call', 100, 20)
  expect(health.hedgeMs()).toBe(150)
  health.begin('range')
  const call = health.begin('call')
  vi.advanceTimersByTime(149)
  expect(health.isOverdue()).toBe(false)
  vi.advanceTimersByTime(1)
  expect(health.isOverdue()).toBe(true)
  call.answered()
  expect(health.isOverdue()).toBe(false)
})
