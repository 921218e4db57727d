import { getBlockLogs, getLogs, type Provider, type RawLog } from '@svc/chain'
import type { Address } from 'viem'
import { bloomBits, mayContainLogs } from './bloom.ts'
import { ProviderDisagreementError } from './errors.ts'
import type { Header } from './header.ts'

/**
 * Reads the logs of consecutive blocks. They must match the headers, and a second provider, if there is one, must return the
 * same. If the bloom of a block matches our contracts but no log was returned, the block is requested again by its hash.
 */
export async function readVerifiedLogs(
  providers: readonly Provider[],
  addresses: readonly Address[],
  headers: readonly Header[],
): Promise<RawLog[]> {
  const [first, second] = providers
  const triples = addresses.map((address) => bloomBits(address))
  const matching = headers.filter(({ logsBloom }) => mayContainLogs(logsBloom, triples))
  if (!first || matching.length === 0) return []
  const logs = await fetchLogs(first, addresses, headers)
  if (second && !areSameLogs(logs, await fetchLogs(second, addresses, headers))) {
    throw new ProviderDisagreementError(
      `${first.rpc.name} and ${second.rpc.name} have different logs for ${formatRange(headers)}.`,
    )
  }
  const found = new Set(logs.map(({ blockHash }) => blockHash))
  for (const { hash, number } of matching.filter((header) => !found.has(header.hash))) {
    // A bloom can be a false positive, so the block may really have no logs. That is accepted if both providers repeat it.
    const again = await Promise.all(
      [first, ...(second ? [second] : [])].map(({ rpc }) => getBlockLogs(rpc, { address: addresses }, hash)),
    )
    if (again.some((more) => more.length > 0))
      throw new ProviderDisagreementError(`The logs of block ${number} were missing from the first response.`)
  }
  return logs
}

async function fetchLogs(
  { rpc }: Provider,
  addresses: readonly Address[],
  headers: readonly Header[],
): Promise<RawLog[]> {
  const [from, to] = [headers[0]?.number ?? 0n, headers.at(-1)?.number ?? -1n]
  const logs = await getLogs(rpc, { address: addresses }, { from, to })
  assertLogOrder(rpc.name, logs)
  for (const { blockNumber, blockHash } of logs) {
    if (blockHash !== headers[Number(blockNumber - from)]?.hash)
      throw new ProviderDisagreementError(`${rpc.name} has a log of another block ${blockNumber}.`)
  }
  return logs
}

/** Throws unless logs are in the order of the chain, each once. */
export function assertLogOrder(name: string, logs: readonly RawLog[]): void {
  let last: RawLog | undefined
  for (const log of logs) {
    const later =
      !last ||
      log.blockNumber > last.blockNumber ||
      (log.blockNumber === last.blockNumber && log.logIndex > last.logIndex)
    if (!later) throw new ProviderDisagreementError(`${name} has the logs of block ${log.blockNumber} out of order.`)
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
