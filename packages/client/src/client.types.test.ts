import { apiEndpoints, gatewayEndpoints } from '@svc/operations/endpoints'
import { expectTypeOf, test } from 'vitest'
import { createClient } from './client.ts'

// `tsc` checks this file: each `@ts-expect-error` is an error if the line below it compiles.
test('inputs and answers are those of the operations', () => {
  const options = { baseUrl: 'http://127.0.0.1' }
  const [api, gateway] = [createClient(apiEndpoints, options), createClient(gatewayEndpoints, options)]
  const check = async () => {
    const { body } = await api.getTask({ id: 'v2:micro:1', minBlock: 5 })
    expectTypeOf(body.task.totalAmountTokWei).toBeString()
    // @ts-expect-error misspelt field of an answer
    body.task.totalAmountTokWie
    // @ts-expect-error no such plan
    await api.quotePlan({ address: '0x', tier: 'gold' })
    // @ts-expect-error only reads wait for a block
    await api.quotePlan({ address: '0x', tier: 'basic', minBlock: 5 })
    // @ts-expect-error the limit is a number
    await api.listOpenTasks({ limit: '5' })
    await gateway.getTask({ id: 'v2:micro:1' })
    // @ts-expect-error only the API has it
    await gateway.getLedger({ address: '0x' })
    // @ts-expect-error no such action
    await api.prepareAction({ action: 'claim-tusk', input: {}, from: '0x' })
  }
  expectTypeOf(check).toBeFunction()
})
