import { getBlockLogs, type Provider, type RawLog } from '@svc/chain'
import type { Address } from 'viem'
import { bloomBits, estimateFalseMatch, mayContainLogs } from './bloom.ts'
import { assertCompleteLogs, assertLogOrder, type MustProve } from './checkLogs.ts'
import { FalseDataError } from './errors.ts'
import type { Header } from './header.ts'

/** The most blocks whose logs are read block by block. */
export const maxBlocksByHash = 16

/** A match that is false more often than this says too little to ask again for every block. */
const tellingMatch = 0.5

/**
 * Reads the logs of a few consecutive blocks by their hashes, each block once at each of two providers, all at the same time. At
 * the head this takes fewer calls than a range: a node that does not have the block yet rejects its hash, but silently cuts a
 * range, so a range without logs would have to be read again. A block is asked for once more if its bloom says that it probably has
 * logs and neither provider returned any: two may leave out the same ones.
 */
export async function readBlockLogs(
  providers: readonly Provider[],
  addresses: readonly Address[],
  headers: readonly Header[],
  mustProve?: MustProve,
): Promise<RawLog[]> {
  const triples = addresses.map((address) => bloomBits(address))
  const matching = headers.filter(({ logsBloom }) => mayContainLogs(logsBloom, triples))
  // A single provider is asked twice: it may leave logs out once.
  const [first, second = first] = providers
  if (!first || !second) return []
  const readAll = async (provider: Provider) => {
    const logs = await Promise.all(matching.map((header) => readBlock(provider, header)))
    return { provider, logs: logs.flat() }
  }
  const claims = await Promise.all([readAll(first), readAll(second)])
  const isAskedAgain = ({ logsBloom }: Header) => estimateFalseMatch(logsBloom, addresses.length) < tellingMatch
  await assertCompleteLogs({ claims, providers, addresses, matching, mustProve, isAskedAgain })
  return claims[0].logs

  async function readBlock(provider: Provider, { hash, number }: Header): Promise<RawLog[]> {
    const found = await getBlockLogs(provider.rpc, { address: addresses }, hash)
    assertLogOrder(provider, found)
    if (found.some((log) => log.blockHash !== hash || log.blockNumber !== number))
      throw new FalseDataError(`${provider.rpc.name} has a log of another block ${number}.`, [provider])
    return found
  }
}
