import { paymentGatewayAbi } from '@svc/protocol/abis'
import type { Route } from '../../../apps/api/src/route.ts'
import type { Bench } from './statement.ts'

type Input = Readonly<Record<string, unknown>>

/** An example with the hash that its transaction has on this chain: hashes depend on when the demo world was made. */
export async function realInput(bench: Bench, { path }: Route, input: Input): Promise<Input> {
  if (path === '/api/posting/record') return { ...input, txHash: await postOf(bench, String(input.taskId)) }
  if (path === '/api/posting/upgrade') return { ...input, txHash: await paymentOf(bench, String(input.address)) }
  return input
}

async function postOf({ client }: Bench, id: string): Promise<string | undefined> {
  const { body } = await client.marketTask({ id })
  return body.task.timeline.find(({ event }) => event === 'TaskPosted')?.transactionHash
}

async function paymentOf({ world }: Bench, address: string): Promise<string | undefined> {
  const { client, deployments } = world.devnet
  const events = await client.getContractEvents({
    address: deployments.markets.standard.paymentGateway,
    abi: paymentGatewayAbi,
    eventName: 'PlanPurchased',
    fromBlock: 0n,
  })
  return events.find(({ args }) => args.beneficiary === address)?.transactionHash
}
