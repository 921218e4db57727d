import { type RpcNode, serveNode } from '@svc/simulation/chain'
import { createRandom } from '@svc/simulation/random'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startForTests } from '../../test/harness/startForTests.ts'
import { type FaultyProvider, startFaultyProvider } from './faultyProvider.ts'
import { indexerFaults } from './services.ts'
import { createTally } from './tally.ts'

const block = { number: '0x7', hash: '0x01', parentHash: '0x00' }
/** A chain with as many logs as the filter says, so that a test chooses the length of the list. */
const answer: RpcNode['answer'] = (method, [first]) => {
  const logs = () => Array.from({ length: (first as { length: number }).length }, (_, logIndex) => ({ logIndex }))
  const result = { eth_getLogs: logs, eth_getBlockByNumber: () => block, eth_call: () => `0x${'ab'.repeat(200)}` }
  return { result: result[method as keyof typeof result]() }
}
const chain = startForTests(() => serveNode({ answer }), 'close')
const providers: FaultyProvider[] = []

beforeAll(async () => {
  for (const [index, faults] of indexerFaults.entries()) {
    // Only answers that are wrong, and those often.
    const { serverError, tooMany, truncated, late, staleHead, ...wrong } = faults
    const odds = Object.fromEntries(Object.keys(wrong).map((kind) => [kind, 0.5]))
    const provider = await startFaultyProvider({
      target: chain.url,
      random: createRandom(1, index),
      odds,
      tally: createTally(),
    })
    provider.setHonest(false)
    providers.push(provider)
  }
})
afterAll(async () => {
  await Promise.all(providers.map(({ close }) => close()))
})

test.each([
  ...[1, 2, 3, 9].map((length) => ['eth_getLogs', [{ length }]] as const),
  ['eth_getBlockByNumber', ['0x7', false]] as const,
  ['eth_call', [{}, '0x7']] as const,
])('the two providers of the indexer never give the same wrong answer to %s %j', async (method, params) => {
  const body = JSON.stringify({ id: 1, method, params })
  const send = async (url: string) => (await fetch(url, { method: 'POST', body })).text()
  const truth = await send(chain.url)
  const [first = [], second = []] = await Promise.all(
    providers.map(async ({ url }) => {
      const answers: string[] = []
      for (let times = 0; times < 60; times++) answers.push(await send(url))
      return answers.filter((answer) => answer !== truth)
    }),
  )
  expect(first.length + second.length).toBeGreaterThan(0)
  expect(first.filter((answer) => second.includes(answer))).toEqual([])
})
