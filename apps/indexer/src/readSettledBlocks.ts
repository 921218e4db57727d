import { getLogs, type Provider, type RawLog } from '@svc/chain'
import type { BlockHeader, Cursor } from '@svc/index'
import type { Address } from 'viem'
import { ProviderDisagreementError } from './errors.ts'
import { getHeader } from './header.ts'
import { areSameLogs, assertLogOrder } from './readVerifiedLogs.ts'

/**
 * Reads blocks that two providers report as final, without most of their headers. Both must have the same last block, the first
 * block must be the child of the cursor's, and both must have the same logs. Without headers no bloom reveals a missing log, so a
 * third provider (or the first again) is read too, each with other ranges: a list truncated at some length then differs between
 * them. Returns the blocks that have logs, and the last one.
 */
export async function readSettledBlocks(
  [first, second, third = first]: readonly [Provider, Provider, ...Provider[]],
  addresses: readonly Address[],
  cursor: Pick<Cursor, 'number' | 'hash' | 'timestamp'>,
  to: bigint,
): Promise<{ headers: BlockHeader[]; logs: RawLog[] }> {
  const from = cursor.number + 1n
  const filter = { address: addresses }
  const [start, last, same, logs, again, once] = await Promise.all([
    getHeader(first.rpc, from),
    getHeader(first.rpc, to),
    getHeader(second.rpc, to),
    getLogs(first.rpc, filter, { from, to }),
    fetchLogsInHalves(second, (from + to) / 2n),
    fetchLogsInHalves(third, from + (to - from) / 4n),
  ])
  if (!start || !last || last.hash !== same?.hash)
    throw new ProviderDisagreementError(`The providers do not agree on block ${to}.`)
  if (start.parentHash !== cursor.hash)
    throw new ProviderDisagreementError(`${first.rpc.name} does not build on block ${cursor.number}.`)
  assertLogOrder(first.rpc.name, logs)
  if (!areSameLogs(logs, again) || !areSameLogs(logs, once)) {
    throw new ProviderDisagreementError(`The providers do not agree on the logs of blocks ${from} to ${to}.`)
  }

  const headers: BlockHeader[] = []
  for (const [index, { blockNumber: number, blockHash: hash, blockTimestamp }] of logs.entries()) {
    const known = headers.at(-1)
    if (known?.number === number && known.hash === hash) continue
    const timestamp = blockTimestamp === again[index]?.blockTimestamp ? blockTimestamp : null
    headers.push(timestamp === null ? await requireHeader(first, number) : { number, hash, timestamp })
    const expected = number === from ? start.hash : number === to ? last.hash : (headers.at(-1)?.hash ?? hash)
    if (hash !== expected)
      throw new ProviderDisagreementError(`${first.rpc.name} has a log of another block ${number}.`)
  }
  if (headers.at(-1)?.number !== to) headers.push(last)
  assertTimestamps(cursor, headers, last.timestamp)
  return { headers, logs }

  async function fetchLogsInHalves({ rpc }: Provider, cut: bigint): Promise<RawLog[]> {
    const parts = [getLogs(rpc, filter, { from, to: cut }), getLogs(rpc, filter, { from: cut + 1n, to })]
    return (await Promise.all(parts)).flat()
  }
}

async function requireHeader({ rpc }: Provider, number: bigint): Promise<BlockHeader> {
  const header = await getHeader(rpc, number)
  if (!header) throw new ProviderDisagreementError(`${rpc.name} has no block ${number}.`)
  return header
}

/** Throws if a timestamp is before the previous one or after the last block. */
function assertTimestamps(cursor: Pick<Cursor, 'timestamp'>, headers: readonly BlockHeader[], end: number): void {
  let now = cursor.timestamp
  for (const { number, timestamp } of headers) {
    if (timestamp < now || timestamp > end)
      throw new ProviderDisagreementError(
        `Block ${number} has timestamp ${timestamp}, which is not between ${now} and ${end}.`,
      )
    now = timestamp
  }
}
