import { chainOf, getStanding, providerOf } from '@svc/chain'
import type { Scene } from '@svc/devnet'
import type { Standing } from '@svc/protocol/actions'
import type { Address } from 'viem'

/** Reads what decides what may be done with these tasks, as these wallets see it, all at the last block. */
export async function readStandings(
  { client, contracts, market }: Scene,
  ids: readonly bigint[],
  wallets: readonly Address[],
): Promise<Standing[]> {
  const request = (method: string, params: readonly unknown[]) => client.request({ method, params } as never)
  const provider = providerOf({ name: 'devnet', request }, chainOf(8453))
  const { number, hash, timestamp } = await client.getBlock()
  const block = { number, hash, timestamp: Number(timestamp) }
  const standings: Standing[] = []
  for (const id of ids) {
    const standing = await getStanding(provider, contracts, { market, number: id }, wallets, block)
    if (!standing) throw new Error(`Task ${id} was not read.`)
    standings.push(standing)
  }
  return standings
}
