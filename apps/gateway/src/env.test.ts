import { expect, test } from 'vitest'
import { exampleEnv as example } from '../../../test/harness/exampleEnv.ts'
import { readGatewayEnv, variables } from './env.ts'

const key = `0x${'1'.repeat(64)}`

test('the example has every variable, and the gateway starts with it', () => {
  expect(Object.keys(example)).toEqual(expect.arrayContaining(variables))
  expect(readGatewayEnv(example)).toMatchObject({ SVC_GATEWAY_PORT: 4020, baseUrl: 'http://127.0.0.1:4020' })
})

test('the canonical URL is an origin, and the state of two ports is two files', () => {
  expect(readGatewayEnv({ ...example, SVC_GATEWAY_URL: 'https://Gate.example:443/' }).baseUrl).toBe(
    'https://gate.example',
  )
  expect(() => readGatewayEnv({ ...example, SVC_GATEWAY_URL: 'https://gate.example/a' })).toThrow(/SVC_GATEWAY_URL/)
  expect(readGatewayEnv({ ...example, SVC_GATEWAY_PORT: '4021' }).stateFile).not.toBe(readGatewayEnv(example).stateFile)
})

test.each([
  [{}, /SVC_PAY_TO: needed[\s\S]*SVC_FACILITATOR_KEY: either/],
  [{ SVC_PAY_TO: `0x${'2'.repeat(40)}` }, /SVC_FACILITATOR_KEY: either/],
  [
    { SVC_PAY_TO: `0x${'2'.repeat(40)}`, SVC_FACILITATOR_KEY: key, SVC_FACILITATOR_URL: 'https://f.example' },
    /SVC_FACILITATOR_KEY: either/,
  ],
  [{ SVC_PAY_TO: '0x12', SVC_FACILITATOR_KEY: key }, /SVC_PAY_TO: not an address/],
])('a price without somebody who is paid and somebody who carries it is refused: %o', (set, words) => {
  expect(() => readGatewayEnv({ ...example, SVC_DISCOVERY_PRICE: '$0.01', ...set })).toThrow(words)
})
