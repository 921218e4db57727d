import { getLogs, type Provider, type RawLog } from '@svc/chain'
import type { BlockHeader, Cursor } from '@svc/index'
import type { Address } from 'viem'
import { areSameLogs, assertLogOrder, refuteLogs } from './checkLogs.ts'
import { formatNames, ProviderDisagreementError } from './errors.ts'
import { getHeader } from './header.ts'
import { maxCalls } from './readVerifiedLogs.ts'

/**
 * Reads blocks that two providers report as final, without most of their headers. Both must have the same first and last block,
 * the first block must be the child of the cursor's, and both must have the same logs. Without headers no bloom reveals a missing
 * log, so they are read with other ranges: a list truncated at some length then differs between them. A third provider, if there is
 * one, is read too. If lists differ, the receipts of the first block that differs decide, or else the majority. Returns the blocks
 * that have logs, and the last one.
 */
export async function readSettledBlocks(
  [first, second, third]: readonly [Provider, Provider, ...Provider[]],
  addresses: readonly Address[],
  cursor: Pick<Cursor, 'number' | 'hash' | 'timestamp'>,
  to: bigint,
): Promise<{ headers: BlockHeader[]; logs: RawLog[] }> {
  const from = cursor.number + 1n
  const quarter = from + (to - from) / 4n
  const filter = { address: addresses }
  const [start, sameStart, last, same, logs, again, once] = await Promise.all([
    getHeader(first.rpc, from),
    getHeader(second.rpc, from),
    getHeader(first.rpc, to),
    getHeader(second.rpc, to),
    getLogs(first.rpc, filter, { from, to, maxCalls }),
    fetchLogsInParts(second, (from + to) / 2n),
    // A third provider that fails, or is known to be silent, does not hold up two that agree.
    third && third.rpc.health?.rank() !== 2 ? fetchLogsInParts(third, quarter).catch(() => null) : null,
  ])
  const pair = [first, second]
  if (!start || start.hash !== sameStart?.hash)
    throw new ProviderDisagreementError(`${formatNames(pair)} have different blocks ${from}.`, pair)
  if (!last || last.hash !== same?.hash)
    throw new ProviderDisagreementError(`${formatNames(pair)} have different blocks ${to}.`, pair)
  if (start.parentHash !== cursor.hash)
    throw new ProviderDisagreementError(`${first.rpc.name} does not build on block ${cursor.number}.`, pair)
  assertLogOrder(first, logs)
  await assertSameLogs()

  const headers: BlockHeader[] = []
  for (const [index, { blockNumber: number, blockHash: hash, blockTimestamp }] of logs.entries()) {
    const known = headers.at(-1)
    if (known?.number === number && known.hash === hash) continue
    const timestamp = blockTimestamp === again[index]?.blockTimestamp ? blockTimestamp : null
    headers.push(timestamp === null ? await requireHeader(first, number) : { number, hash, timestamp })
    const expected = number === from ? start.hash : number === to ? last.hash : (headers.at(-1)?.hash ?? hash)
    if (hash !== expected)
      throw new ProviderDisagreementError(`${first.rpc.name} has a log of another block ${number}.`, [first])
  }
  if (headers.at(-1)?.number !== to) headers.push(last)
  assertTimestamps(cursor, headers, last.timestamp, pair)
  return { headers, logs }

  /** Throws unless all lists are the same. Names the provider that a proof refutes, or that differs from two others. */
  async function assertSameLogs(): Promise<void> {
    const claims = [
      { provider: first, logs },
      { provider: second, logs: again },
      ...(third && once ? [{ provider: third, logs: once }] : []),
    ]
    const all = claims.map(({ provider }) => provider)
    const other = claims.find((claim) => !areSameLogs(claim.logs, logs))
    if (!other) return
    const different = findDifferentBlock([logs, other.logs])
    const [header, agreed] = await Promise.all([first, second].map(({ rpc }) => getHeader(rpc, different)))
    if (header && header.hash === agreed?.hash) await refuteLogs({ claims, providers: all, addresses }, header)
    const odd = claims.find((claim) => {
      const [one, two] = claims.filter((each) => each !== claim)
      return one && two && areSameLogs(one.logs, two.logs)
    })?.provider
    const range = `the logs of blocks ${from} to ${to}`
    throw new ProviderDisagreementError(
      odd
        ? `${odd.rpc.name} does not agree with two others on ${range}.`
        : `${formatNames(all)} do not agree on ${range}.`,
      odd ? [odd] : all,
    )
  }

  function fetchLogsInParts({ rpc }: Provider, cut: bigint): Promise<RawLog[]> {
    const parts = [
      { from, to: cut },
      { from: cut + 1n, to },
    ]
    return Promise.all(parts.map((part) => getLogs(rpc, filter, { ...part, maxCalls }))).then((lists) => lists.flat())
  }
}

/** Returns the first block whose logs are not the same in two lists. */
function findDifferentBlock([ours, theirs]: readonly [readonly RawLog[], readonly RawLog[]]): bigint {
  const at = ours.findIndex((log, index) => {
    const other = theirs[index]
    return !other || !areSameLogs([log], [other])
  })
  const [log, other] = [ours[at], theirs[at < 0 ? ours.length : at]]
  const numbers = [log, other].flatMap((each) => (each ? [each.blockNumber] : []))
  return numbers.reduce((first, number) => min(first, number), numbers[0] ?? 0n)
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)

async function requireHeader(provider: Provider, number: bigint): Promise<BlockHeader> {
  const header = await getHeader(provider.rpc, number)
  if (!header) throw new ProviderDisagreementError(`${provider.rpc.name} has no block ${number}.`, [provider])
  return header
}

/** Throws if a timestamp is before the previous one or after the last block. */
function assertTimestamps(
  cursor: Pick<Cursor, 'timestamp'>,
  headers: readonly BlockHeader[],
  end: number,
  providers: readonly Provider[],
): void {
  let now = cursor.timestamp
  for (const { number, timestamp } of headers) {
    if (timestamp < now || timestamp > end)
      throw new ProviderDisagreementError(
        `Block ${number} has timestamp ${timestamp}, which is not between ${now} and ${end}.`,
        providers,
      )
    now = timestamp
  }
}
