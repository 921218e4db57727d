import { getLogs, type Provider, type RawLog } from '@svc/chain'
import { type DigestedHeader, extendDigest } from '@svc/index'
import type { Address } from 'viem'
import { createRefutedError, findProvenLogs } from './checkLogs.ts'
import { getHeader } from './header.ts'

/** Blocks between two audits: about a minute. */
export const auditBlocks = 256n

export interface AuditOptions {
  /** The provider that is asked: the one that confirmed the fewest of these blocks. */
  provider: Provider
  /** All providers, for a proof. */
  providers: readonly Provider[]
  addresses: readonly Address[]
  /** Consecutive blocks in the index. The first one is not audited: the digest of the others begins with its digest. */
  headers: readonly DigestedHeader[]
}

/**
 * Reads the logs of many written blocks again with one wide call, and compares them by the digest of the index. Near the head, logs
 * are read block by block from two providers, and where most bloom filters are full nothing shows that both left out the same
 * ones. If the digests differ, the receipts of the first block that differs decide. Returns that block if the index is wrong, and
 * null if it is right or nobody can prove that it is not. Throws `FalseDataError` if the provider is wrong.
 */
export async function auditLogs(options: AuditOptions): Promise<DigestedHeader | null> {
  const { provider, providers, addresses, headers } = options
  const [before, ...audited] = headers
  const [first, last] = [audited[0], audited.at(-1)]
  if (!before || !first || !last) return null
  const logs = await getLogs(provider.rpc, { address: addresses }, { from: first.number, to: last.number })
  const byBlock = Map.groupBy(logs, ({ blockNumber }) => blockNumber)
  let { digest } = before
  for (const block of audited) {
    const start = digest
    digest = digestLogs(start, byBlock.get(block.number) ?? [])
    if (digest === block.digest) continue
    const header = await getHeader(provider.rpc, block.number)
    // It may be on another branch for a moment.
    if (header?.hash !== block.hash) return null
    const proven = await findProvenLogs([provider, ...providers], addresses, header)
    if (!proven) return null
    if (digestLogs(start, proven) !== block.digest) return block
    throw createRefutedError([provider], block)
  }
  return null
}

const digestLogs = (start: DigestedHeader['digest'], logs: readonly RawLog[]) =>
  logs.reduce((digest, log) => extendDigest(digest, log), start)
