import { createPublicClient, custom, type Hex, parseAbi, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { extractRevertData } from './revertData.ts'

const abi = parseAbi(['function cancel(uint256 taskId)'])
const refusal: Hex = '0x0819bdcd'

/** A node that fails every call with `error`. */
const node = (error: unknown) =>
  createPublicClient({ transport: custom({ request: () => Promise.reject(error) }, { retryCount: 0 }) })

const reverted = (data: unknown) => Object.assign(new Error('execution reverted'), { code: 3, data })

test.each([
  ['as it is', reverted(refusal)],
  ['wrapped by the wallet', reverted({ code: 3, data: refusal })],
])('extracts the data of a reverted simulation, %s', async (_, error) => {
  const call = { abi, address: zeroAddress, functionName: 'cancel', args: [7n] } as const
  expect(
    extractRevertData(
      await node(error)
        .simulateContract(call)
        .catch((thrown: unknown) => thrown),
    ),
  ).toBe(refusal)
  expect(
    extractRevertData(
      await node(error)
        .call({ to: zeroAddress })
        .catch((thrown: unknown) => thrown),
    ),
  ).toBe(refusal)
})

test('an error that no contract caused has no data', async () => {
  const offline = await node(new Error('offline'))
    .call({ to: zeroAddress })
    .catch((thrown: unknown) => thrown)
  const circle = new Error('circle')
  circle.cause = circle
  expect([offline, circle, null, 'text', { data: 'not hex' }].map(extractRevertData)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ])
})
