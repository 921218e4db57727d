import { expect, test } from 'vitest'
import { fakeDeployments } from '../conformance/fakeDeployments.ts'
import { startTestGateway } from '../harness/gateway.ts'

/** How many of three requests of two clients each are answered, if two are allowed. */
async function countAnswered(trustedProxies: readonly string[]): Promise<number> {
  const nowhere = { rpcUrl: 'http://127.0.0.1:1', deployments: fakeDeployments }
  const gateway = await startTestGateway(nowhere, { trustedProxies, perMinute: { reads: 2, calls: 2 } })
  try {
    const clients = ['203.0.113.7', '203.0.113.8']
    const answers = [...clients, ...clients, ...clients].map((client) =>
      gateway.fetch('/openapi.yaml', { headers: { 'x-forwarded-for': client } }),
    )
    return (await Promise.all(answers)).filter(({ status }) => status === 200).length
  } finally {
    await gateway.stop()
  }
}

test('clients behind a trusted proxy are counted apart; nobody else can claim to be another client', async () => {
  expect(await countAnswered(['127.0.0.1'])).toBe(4)
  expect(await countAnswered([])).toBe(2)
  expect(await countAnswered(['10.0.0.0/8'])).toBe(2)
})
