import { getBlockLogs, getLogs, type Provider, type RawLog } from '@svc/chain'
import type { Address } from 'viem'
import { bloomBits, mayContainLogs } from './bloom.ts'
import { formatNames, ProviderDisagreementError } from './errors.ts'
import { getHeader, type Header } from './header.ts'

/** The most `eth_getLogs` calls for the blocks of a step, at each provider. */
export const maxCalls = 256

/** The most blocks that are requested again at the same time. */
const parallelChecks = 32

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
  const pair = second ? [first, second] : [first]
  if (second && same?.hash !== last.hash)
    throw new ProviderDisagreementError(`${formatNames(pair)} have different blocks ${last.number}.`, pair)
  // After the last blocks were compared: otherwise the logs of another branch would be blamed on one provider alone.
  assertLogBlocks(first, logs, headers)
  if (second) assertLogBlocks(second, others ?? [], headers)
  if (second && !areSameLogs(logs, others ?? []))
    throw new ProviderDisagreementError(`${formatNames(pair)} have different logs for ${formatRange(headers)}.`, pair)
  const found = new Set(logs.map(({ blockHash }) => blockHash))
  const missing = matching.filter((header) => !found.has(header.hash))
  for (let start = 0; start < missing.length; start += parallelChecks)
    await Promise.all(
      missing.slice(start, start + parallelChecks).map((header) => assertNoLogs(pair, addresses, header)),
    )
  return logs
}

/** A bloom can be a false positive, so the block may really have no logs. That is accepted if both providers repeat it. */
export async function assertNoLogs(
  pair: readonly Provider[],
  addresses: readonly Address[],
  { hash, number }: Header,
): Promise<void> {
  const again = await Promise.all(pair.map(({ rpc }) => getBlockLogs(rpc, { address: addresses }, hash)))
  if (again.some((more) => more.length > 0))
    throw new ProviderDisagreementError(`The logs of block ${number} were missing from the first response.`, pair)
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

/** Throws unless logs are in the order of the chain, each once. */
export function assertLogOrder(provider: Provider, logs: readonly RawLog[]): void {
  let last: RawLog | undefined
  for (const log of logs) {
    const later =
      !last ||
      log.blockNumber > last.blockNumber ||
      (log.blockNumber === last.blockNumber && log.logIndex > last.logIndex)
    if (!later)
      throw new ProviderDisagreementError(
        `${provider.rpc.name} has the logs of block ${log.blockNumber} out of order.`,
        [provider],
      )
    last = log
  }
}

/** Returns whether two lists contain the same logs. Timestamps are not compared. */
export function areSameLogs(ours: readonly RawLog[], theirs: readonly RawLog[]): boolean {
  return (
    ours.length === theirs.length &&
    ours.every((log, index) => {
      const other = theirs[index]
      return (
        log.blockHash === other?.blockHash &&
        log.logIndex === other.logIndex &&
        log.transactionHash === other.transactionHash &&
        log.data === other.data &&
        log.address.toLowerCase() === other.address.toLowerCase() &&
        log.topics.length === other.topics.length &&
        log.topics.every((topic, at) => topic === other.topics[at])
      )
    })
  )
}

const formatRange = (headers: readonly Header[]): string => `blocks ${headers[0]?.number} to ${headers.at(-1)?.number}`
