import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom } from '../sim/random.ts'
import { type FaultyProvider, startFaultyProvider } from './faultyProvider.ts'
import { indexerFaults } from './services.ts'
import { createTally } from './tally.ts'

const block = { number: '0x7', hash: '0x01', parentHash: '0x00' }
/** A chain with as many logs as the filter says, so that a test chooses the length of the list. */
const chain = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { method, params } = JSON.parse(Buffer.concat(chunks).toString())
  const logs = () => Array.from({ length: params[0].length }, (_, logIndex) => ({ logIndex }))
  const result = { eth_getLogs: logs, eth_getBlockByNumber: () => block, eth_call: () => `0x${'ab'.repeat(200)}` }
  response.end(JSON.stringify({ result: result[method as keyof typeof result]() }))
})
const providers: FaultyProvider[] = []

beforeAll(async () => {
  await once(chain.listen(0, '127.0.0.1'), 'listening')
  const target = `http://127.0.0.1:${(chain.address() as AddressInfo).port}`
  for (const [index, faults] of indexerFaults.entries()) {
    // Only answers that are wrong, and those often.
    const { serverError, tooMany, truncated, late, staleHead, ...wrong } = faults
    const odds = Object.fromEntries(Object.keys(wrong).map((kind) => [kind, 0.5]))
    const provider = await startFaultyProvider({ target, random: createRandom(1, index), odds, tally: createTally() })
    provider.setHonest(false)
    providers.push(provider)
  }
})
afterAll(async () => {
  await Promise.all(providers.map((provider) => provider.close()))
  chain.close()
})

test.each([
  ...[1, 2, 3, 9].map((length) => ['eth_getLogs', [{ length }]] as const),
  ['eth_getBlockByNumber', ['0x7', false]] as const,
  ['eth_call', [{}, '0x7']] as const,
])('the two providers of the indexer never give the same wrong answer to %s %j', async (method, params) => {
  const body = JSON.stringify({ id: 1, method, params })
  const send = async (url: string) => (await fetch(url, { method: 'POST', body })).text()
  const truth = await send(`http://127.0.0.1:${(chain.address() as AddressInfo).port}`)
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
