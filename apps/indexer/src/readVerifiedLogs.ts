import { getLogs, type Provider, type RawLog } from '@svc/chain'
import type { Address } from 'viem'
import { bloomBits, mayContainLogs } from './bloom.ts'
import { assertCompleteLogs, assertLogOrder, type MustProve } from './checkLogs.ts'
import { formatNames, ProviderDisagreementError } from './errors.ts'
import { getHeader, type Header } from './header.ts'

/** The most `eth_getLogs` calls for the blocks of a step, at each provider. */
export const maxCalls = 256

/**
 * Reads the logs of consecutive blocks. They must match the headers, and a second provider, if there is one, must have the same
 * last block and the same logs. Headers are linked by hashes, so the last one vouches for all before it, and for their blooms.
 * If the bloom of a block matches our contracts but no log was returned, the block is requested again by its hash.
 */
export async function readVerifiedLogs(
  providers: readonly Provider[],
  addresses: readonly Address[],
  headers: readonly Header[],
  /** A header that the second provider returned before. */
  theirs: Header | null = null,
  mustProve?: MustProve,
): Promise<RawLog[]> {
  const [first, second] = providers
  const last = headers.at(-1)
  if (!first || !last) return []
  const triples = addresses.map((address) => bloomBits(address))
  const matching = headers.filter(({ logsBloom }) => mayContainLogs(logsBloom, triples))
  const fetchMatching = (provider: Provider) =>
    matching.length > 0 ? fetchLogs(provider, addresses, headers) : Promise.resolve([])
  const [logs, others, same] = await Promise.all([
    fetchMatching(first),
    second && fetchMatching(second),
    second && (theirs?.number === last.number ? theirs : getHeader(second.rpc, last.number)),
  ])
  if (second && same?.hash !== last.hash)
    throw new ProviderDisagreementError(`${formatNames([first, second])} have different blocks ${last.number}.`, [
      first,
      second,
    ])
  // After the last blocks were compared: otherwise the logs of another branch would be blamed on one provider alone.
  assertLogBlocks(first, logs, headers)
  if (second) assertLogBlocks(second, others ?? [], headers)
  await assertCompleteLogs({
    claims: [
      { provider: first, logs },
      { provider: second ?? first, logs: others ?? logs },
    ],
    providers,
    addresses,
    matching,
    mustProve,
    isAskedAgain: () => true,
  })
  return logs
}

async function fetchLogs(
  provider: Provider,
  addresses: readonly Address[],
  headers: readonly Header[],
): Promise<RawLog[]> {
  const [from, to] = [headers[0]?.number ?? 0n, headers.at(-1)?.number ?? -1n]
  const logs = await getLogs(provider.rpc, { address: addresses }, { from, to, maxCalls })
  assertLogOrder(provider, logs)
  return logs
}

/** Throws if a log is not of the block with this header. */
function assertLogBlocks(provider: Provider, logs: readonly RawLog[], headers: readonly Header[]): void {
  const from = headers[0]?.number ?? 0n
  for (const { blockNumber, blockHash } of logs) {
    if (blockHash !== headers[Number(blockNumber - from)]?.hash)
      throw new ProviderDisagreementError(`${provider.rpc.name} has a log of another block ${blockNumber}.`, [provider])
  }
}
