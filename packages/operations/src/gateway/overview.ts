import * as z from 'zod'
import { feesJson } from '../json/fees.ts'
import { gatewayStatusJson } from '../json/gatewayStatus.ts'
import { reputationJson } from '../json/reputation.ts'
import { treasuryJson } from '../json/solvency.ts'
import { verifiersJson } from '../json/verifiers.ts'
import { defineCall, defineRead } from '../operation.ts'
import { limit, market } from '../params.ts'

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

const input = z.object({ market, limit })

export const listReputation = defineRead('listReputation', {
  summary: 'List wallets with a reputation, best first, and the formula that ranks them.',
  description:
    'Scores are computed from the counters of the reputation contract. Anyone can compute them again with `formula`.',
  tag: 'market',
  chainCost: 9,
  input,
  output: reputationJson,
})

export const listVerifiers = defineRead('listVerifiers', {
  summary: 'List arbitrators, largest bond first.',
  description:
    'Read from the arbitration contract. Arbitrators that have requested to withdraw their bond have `unbondAt`.',
  tag: 'market',
  chainCost: 4,
  input,
  output: verifiersJson,
})

export const getTreasury = defineRead('getTreasury', {
  summary: "Show each agent's deposit compared with the limits, lowest first, and what tasks hold.",
  description: '`counts` and totals cover every wallet, `agents` only the first `limit` of them.',
  tag: 'market',
  chainCost: 3,
  input,
  output: treasuryJson,
})
