import { expect, onTestFinished, test, vi } from 'vitest'
import { answersWithin, classifyFault, createDependencies } from './dependencies.ts'

test('an error is classified by its code, or by that of its cause', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' })
  expect(classifyFault(refused)).toBe('connection refused')
  expect(classifyFault(new TypeError('fetch failed', { cause: new AggregateError([refused]) }))).toBe(
    'connection refused',
  )
  expect(classifyFault(Object.assign(new Error('no'), { code: '28P01' }))).toBe('authentication failed')
  expect(classifyFault(Object.assign(new Error('no'), { code: '3D000' }))).toBe('unknown database')
  expect(classifyFault(new DOMException('late', 'TimeoutError'))).toBe('timeout')
  const circle: Error & { cause?: unknown } = new Error('round')
  circle.cause = circle
  expect(classifyFault(circle)).toBe('failed')
})

test('a dependency that stays away is one line a minute, without its address, and one when it is back', async () => {
  const lines: object[] = []
  const write = (facts: object, message: string) => void lines.push({ ...facts, message })
  let [time, isAway] = [0, true]
  const log = { warn: write, info: write } as Parameters<typeof createDependencies>[0]
  const dependencies = createDependencies<'database'>(log, () => time)
  const ask = dependencies.watch('database', async () => {
    if (isAway) throw Object.assign(new Error('secret@host'), { code: 'ECONNREFUSED' })
  })
  for (time = 0; time < 61_000; time += 1_000) await ask().catch(() => {})
  expect(dependencies.reason('database')).toBe('connection refused')
  isAway = false
  await ask()
  await ask()
  expect(dependencies.reason('database')).toBeNull()
  const missing = { dependency: 'database', reason: 'connection refused', message: 'dependency is missing' }
  expect(lines).toEqual([
    { ...missing, times: 1 },
    { ...missing, times: 60 },
    { dependency: 'database', message: 'dependency works again' },
  ])
})

test('a dependency answers in time, fails, or stays silent', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const [started, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')]
  onTestFinished(() => void vi.restoreAllMocks())
  expect(await answersWithin(1_000, async () => 1)).toBe(true)
  expect(await answersWithin(1_000, () => Promise.reject(new Error('down')))).toBe(false)
  const silent = answersWithin(1_000, () => new Promise(() => {}))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await silent).toBe(false)
  // Not the number of timers: files that ran before may have left some in this process.
  const own = started.mock.results.filter((_, index) => started.mock.calls[index]?.[1] === 1_000)
  expect(own).toHaveLength(3)
  for (const { value } of own) expect(cleared).toHaveBeenCalledWith(value)
})
