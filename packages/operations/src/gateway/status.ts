import * as z from 'zod'
import { feesJson } from '../json/fees.ts'
import { gatewayStatusJson } from '../json/gatewayStatus.ts'
import { defineCall } from '../operation.ts'

export const getFees = defineCall('getFees', {
  summary: 'Show what using a market costs, and who signs receipts here.',
  description:
    'The fees are constants of the contracts. Nothing is charged by the gateway itself, except for paid discovery.',
  tag: 'service',
  input: z.object({}),
  output: feesJson,
})

export const getGatewayStatus = defineCall('getGatewayStatus', {
  summary: 'Show the chain, the contracts, and the state of this gateway.',
  description: 'Also works while the chain is unreachable; `stale` is then true.',
  tag: 'service',
  input: z.object({}),
  output: gatewayStatusJson,
})
