import { getBlockLogs, type Provider, type RawLog } from '@svc/chain'
import type { Address } from 'viem'
import { bloomBits, estimateFalseMatch, mayContainLogs } from './bloom.ts'
import { formatNames, ProviderDisagreementError } from './errors.ts'
import type { Header } from './header.ts'
import { areSameLogs, assertLogOrder, assertNoLogs } from './readVerifiedLogs.ts'

/** The most blocks whose logs are read block by block. */
export const maxBlocksByHash = 16

/** A match that is false more often than this says too little to ask again for every block. */
const tellingMatch = 0.5

/**
 * Reads the logs of a few consecutive blocks by their hashes, each block once at each of two providers, all at the same time. At
 * the head this takes fewer calls than a range: a node that does not have the block yet rejects its hash, but silently cuts a
 * range, so a range without logs would have to be read again. A block is asked for once more if its bloom says that it probably has
 * logs and neither provider returned any: two may leave out the same ones by chance.
 */
export async function readBlockLogs(
  providers: readonly Provider[],
  addresses: readonly Address[],
  headers: readonly Header[],
): Promise<RawLog[]> {
  const triples = addresses.map((address) => bloomBits(address))
  const matching = headers.filter(({ logsBloom }) => mayContainLogs(logsBloom, triples))
  // A single provider is asked twice: it may leave logs out once.
  const pair = providers.length > 1 ? providers.slice(0, 2) : [...providers, ...providers]
  const [logs = [], again = []] = await Promise.all(
    pair.map(async (provider) => (await Promise.all(matching.map((header) => read(provider, header)))).flat()),
  )
  if (!areSameLogs(logs, again))
    throw new ProviderDisagreementError(
      `${formatNames(pair)} have different logs for blocks ${formatNumbers(matching)}.`,
      pair,
    )
  const found = new Set(logs.map(({ blockHash }) => blockHash))
  const doubtful = matching.filter(
    ({ hash, logsBloom }) => !found.has(hash) && estimateFalseMatch(logsBloom, addresses.length) < tellingMatch,
  )
  await Promise.all(doubtful.map((header) => assertNoLogs(pair, addresses, header)))
  return logs

  async function read(provider: Provider, { hash, number }: Header): Promise<RawLog[]> {
    const found = await getBlockLogs(provider.rpc, { address: addresses }, hash)
    assertLogOrder(provider, found)
    if (found.some((log) => log.blockHash !== hash || log.blockNumber !== number))
      throw new ProviderDisagreementError(`${provider.rpc.name} has a log of another block ${number}.`, [provider])
    return found
  }
}

const formatNumbers = (headers: readonly Header[]): string => headers.map(({ number }) => String(number)).join(', ')
