import { getLogs, type Provider, type RawLog } from '@svc/chain'
import type { BlockHeader, Cursor } from '@svc/index'
import type { Address } from 'viem'
import { DoubtError } from './doubt.ts'
import { getHeader } from './header.ts'
import { checkOrder, sameLogs } from './readLogs.ts'

/**
 * Blocks that two providers hold final, read without most of their headers. Both must have the same last block, which
 * must descend from the cursor's, and the same logs. Without headers no bloom tells of a log that is missing, so a third
 * is asked too, or the first again; each in other cuts, for a list that is cut off at some length is then not the same
 * twice. Answers the blocks that have logs, and the last one.
 */
export async function readSettled(
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
    inTwo(second, (from + to) / 2n),
    inTwo(third, from + (to - from) / 4n),
  ])
  if (!start || !last || last.hash !== same?.hash) throw new DoubtError(`Not everybody has the same block ${to}.`)
  if (start.parentHash !== cursor.hash) throw new DoubtError(`${first.rpc.name} does not build on ${cursor.number}.`)
  checkOrder(first.rpc.name, logs)
  if (!sameLogs(logs, again) || !sameLogs(logs, once)) {
    throw new DoubtError(`Not everybody has the same logs for blocks ${from} to ${to}.`)
  }

  const headers: BlockHeader[] = []
  for (const [index, { blockNumber: number, blockHash: hash, blockTimestamp }] of logs.entries()) {
    const known = headers.at(-1)
    if (known?.number === number && known.hash === hash) continue
    const timestamp = blockTimestamp === again[index]?.blockTimestamp ? blockTimestamp : null
    headers.push(timestamp === null ? await headerOf(first, number) : { number, hash, timestamp })
    const mustBe = number === from ? start.hash : number === to ? last.hash : (headers.at(-1)?.hash ?? hash)
    if (hash !== mustBe) throw new DoubtError(`${first.rpc.name} has a log of another block ${number}.`)
  }
  if (headers.at(-1)?.number !== to) headers.push(last)
  checkTimes(cursor, headers, last.timestamp)
  return { headers, logs }

  async function inTwo({ rpc }: Provider, cut: bigint): Promise<RawLog[]> {
    const parts = [getLogs(rpc, filter, { from, to: cut }), getLogs(rpc, filter, { from: cut + 1n, to })]
    return (await Promise.all(parts)).flat()
  }
}

async function headerOf({ rpc }: Provider, number: bigint): Promise<BlockHeader> {
  const header = await getHeader(rpc, number)
  if (!header) throw new DoubtError(`${rpc.name} has no block ${number}.`)
  return header
}

/** Time does not go back, neither within the blocks nor before or after them. */
function checkTimes(cursor: Pick<Cursor, 'timestamp'>, headers: readonly BlockHeader[], end: number): void {
  let now = cursor.timestamp
  for (const { number, timestamp } of headers) {
    if (timestamp < now || timestamp > end) throw new DoubtError(`Block ${number} is not of its time.`)
    now = timestamp
  }
}
