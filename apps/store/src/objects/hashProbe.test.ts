import { expect, test } from 'vitest'
import { type AskEngine, createHashProbe } from './hashProbe.ts'

const minute = 60_000

/** A probe of an engine whose answer can be changed, with a clock. */
function startProbe(first: Awaited<ReturnType<AskEngine>>) {
  const state = { answer: first, now: 0, asked: 0 }
  const checks = createHashProbe(
    async () => {
      state.asked++
      if (state.answer === null) throw new Error('The engine is away.')
      return state.answer
    },
    () => state.now,
  )
  /** Asks at a minute, lets the engine answer, and asks again. */
  const askAt = async (at: number) => {
    state.now = at * minute
    checks()
    await new Promise((done) => setImmediate(done))
    return checks()
  }
  return { state, checks, askAt }
}

test('an engine counts as checking only after it has refused wrong bytes', async () => {
  const { checks, askAt, state } = startProbe('refused')
  expect(checks()).toBe(false)
  expect(await askAt(0)).toBe(true)
  expect(state.asked).toBe(1)
})

test('an engine that stores wrong bytes, or does not answer, does not count', async () => {
  expect(await startProbe('stored').askAt(0)).toBe(false)
  expect(await startProbe(null).askAt(0)).toBe(false)
})

test('an engine that was replaced by one that does not check is noticed', async () => {
  const { state, askAt } = startProbe('refused')
  expect(await askAt(0)).toBe(true)
  state.answer = 'stored'
  expect(await askAt(4)).toBe(true)
  expect(await askAt(6)).toBe(false)
})

test('an answer does not stay valid while the engine cannot be asked', async () => {
  const { state, askAt } = startProbe('refused')
  await askAt(0)
  state.answer = null
  expect(await askAt(9)).toBe(true)
  expect(await askAt(11)).toBe(false)
})
