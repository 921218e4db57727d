import { getLogs, getLogsOf, type Provider, type RawLog } from '@svc/chain'
import type { Address } from 'viem'
import { bloomBits, mayContain } from './bloom.ts'
import { DoubtError } from './doubt.ts'
import type { Header } from './header.ts'

/**
 * The logs of consecutive blocks, believed only when they fit the headers, and when a second provider, where there is one,
 * has the same. A block whose bloom speaks of our contracts but that comes without logs is asked for again by its hash.
 */
export async function readLogs(
  providers: readonly Provider[],
  addresses: readonly Address[],
  headers: readonly Header[],
): Promise<RawLog[]> {
  const [first, second] = providers
  const triples = addresses.map((address) => bloomBits(address))
  const speaking = headers.filter(({ logsBloom }) => mayContain(logsBloom, triples))
  if (!first || speaking.length === 0) return []
  const logs = await ask(first, addresses, headers)
  if (second && !sameLogs(logs, await ask(second, addresses, headers))) {
    throw new DoubtError(`${first.rpc.name} and ${second.rpc.name} have other logs for ${span(headers)}.`)
  }
  const found = new Set(logs.map(({ blockHash }) => blockHash))
  for (const { hash, number } of speaking.filter((header) => !found.has(header.hash))) {
    // A bloom may be wrong about us, so an empty block is possible; two that say so twice are believed.
    const again = await Promise.all(
      [first, ...(second ? [second] : [])].map(({ rpc }) => getLogsOf(rpc, { address: addresses }, hash)),
    )
    if (again.some((more) => more.length > 0)) throw new DoubtError(`Block ${number} came without its logs.`)
  }
  return logs
}

async function ask({ rpc }: Provider, addresses: readonly Address[], headers: readonly Header[]): Promise<RawLog[]> {
  const [from, to] = [headers[0]?.number ?? 0n, headers.at(-1)?.number ?? -1n]
  const logs = await getLogs(rpc, { address: addresses }, { from, to })
  checkOrder(rpc.name, logs)
  for (const { blockNumber, blockHash } of logs) {
    if (blockHash !== headers[Number(blockNumber - from)]?.hash)
      throw new DoubtError(`${rpc.name} has a log of another block ${blockNumber}.`)
  }
  return logs
}

/** Demands logs in the order of the chain, each once. */
export function checkOrder(name: string, logs: readonly RawLog[]): void {
  let last: RawLog | undefined
  for (const log of logs) {
    const later =
      !last ||
      log.blockNumber > last.blockNumber ||
      (log.blockNumber === last.blockNumber && log.logIndex > last.logIndex)
    if (!later) throw new DoubtError(`${name} has the logs of block ${log.blockNumber} out of order.`)
    last = log
  }
}

/** Whether two lists agree in all that makes a log that log. */
export function sameLogs(ours: readonly RawLog[], theirs: readonly RawLog[]): boolean {
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

const span = (headers: readonly Header[]): string => `blocks ${headers[0]?.number} to ${headers.at(-1)?.number}`
