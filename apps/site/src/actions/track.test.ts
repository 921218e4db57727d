import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Transaction } from './transactions.ts'

const hash = `0x${'ab'.repeat(32)}` as const
const zero = '0x0000000000000000000000000000000000000000'
const transaction: Transaction = {
  id: 'one',
  action: 'stake',
  title: 'Put TOK in the Union',
  market: 'standard',
  from: zero,
  stage: 'sent',
  hashes: [hash],
  calls: 1,
  began: 0,
}

beforeEach(() => {
  vi.useFakeTimers()
  // What Vite and the browser provide.
  vi.stubGlobal('__DEPLOYMENTS__', { chainId: 31_337, shared: {}, markets: { standard: {}, micro: {} } })
  vi.stubGlobal('window', { addEventListener: () => {} })
  vi.stubGlobal('location', { origin: 'http://127.0.0.1' })
  const items = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** Starts tracking with a wallet that answers each method like this. */
async function track(answers: Record<string, () => unknown>) {
  const { addTransaction, findTransaction } = await import('./transactions.ts')
  const { awaitReceipt, trackCalls } = await import('./track.ts')
  addTransaction(transaction)
  const provider = { request: async ({ method }: { method: string }) => answers[method]?.() ?? null }
  return {
    receipt: awaitReceipt(provider, 'one', hash, true),
    calls: () => trackCalls(provider, 'one', 'batch-1'),
    read: () => findTransaction('one'),
  }
}

test('a wallet whose receipts are invalid ends the tracking with a readable problem', async () => {
  const { receipt, read } = await track({ eth_getTransactionReceipt: () => ({ status: 1 }) })
  await vi.advanceTimersByTimeAsync(3_000)
  expect(read()).toMatchObject({ stage: 'sent' })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await receipt).toBe(false)
  expect(read()).toMatchObject({
    stage: 'dropped',
    problem:
      'Your wallet gave an invalid answer to eth_getTransactionReceipt. Check in your wallet what it sent before you start again.',
  })
})

test('a few invalid answers do not lose the receipt', async () => {
  let asked = 0
  const { receipt, read } = await track({
    eth_getTransactionReceipt: () => (++asked < 4 ? '<html>' : { status: '0x1', blockNumber: '0x10' }),
  })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await receipt).toBe(true)
  expect(read()).toMatchObject({ stage: 'in block', block: 16 })
})

test('a batch whose status cannot be read ends with a readable problem', async () => {
  const { calls, read } = await track({
    eth_getTransactionReceipt: () => ({ status: '0x1', blockNumber: '0x10' }),
    wallet_getCallsStatus: () => ({ status: 'CONFIRMED' }),
  })
  const done = calls()
  await vi.advanceTimersByTimeAsync(10_000)
  await done
  expect(read()?.problem).toMatch(/^Your wallet gave an invalid answer to wallet_getCallsStatus\./)
})
