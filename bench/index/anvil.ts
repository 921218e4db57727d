import { seedTasks, startDevnet } from '@svc/devnet'
import { type ContractName, marketAbis } from '@svc/protocol/fold'
import type { BenchChain } from './chain.ts'

/** Tasks that are posted between two checks of the time. */
const portion = 2_000

/** Starts a real node with about `events` events, or as many as it can make in the given time. */
export async function startAnvilChain(events: number, limitSeconds: number): Promise<BenchChain> {
  const devnet = await startDevnet({ bulk: true })
  const { client, deployments, rpcUrl } = devnet
  const addresses = Object.values(deployments.markets).flatMap((contracts) =>
    (Object.keys(marketAbis) as ContractName[]).map((name) => contracts[name]),
  )
  const start = Date.now()
  let [found, from] = [0, 0n]
  let head = 0n
  try {
    while (found < events && Date.now() - start < limitSeconds * 1000) {
      await seedTasks(client, deployments, portion)
      head = await client.getBlockNumber()
      for (; from <= head; from++) {
        found += (await client.getLogs({ address: addresses, fromBlock: from, toBlock: from })).length
      }
    }
  } catch (error) {
    await devnet.stop()
    throw error
  }
  // One node behind both URLs: it costs as much as two, and always agrees with itself.
  return { urls: [rpcUrl, `${rpcUrl}/`], deployments, head: Number(head), events: found, stop: devnet.stop }
}
