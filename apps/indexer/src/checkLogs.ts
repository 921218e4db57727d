import { ChainReadError, getBlockLogs, type Provider, proveBlockLogs, type RawLog } from '@svc/chain'
import type { Address } from 'viem'
import { estimateFalseMatch } from './bloom.ts'
import { FalseDataError, formatNames, ProviderDisagreementError } from './errors.ts'
import type { Header } from './header.ts'

/** What a provider returned as the logs of some blocks. */
interface ClaimedLogs {
  provider: Provider
  logs: readonly RawLog[]
}

/** Hashes of blocks that are only written with a proof of their logs, as far as there is one; `all`: every block, and none without. */
export type MustProve = ReadonlySet<string> | 'all'

export interface CheckedLogs {
  /** Two lists of the same blocks. */
  claims: readonly [ClaimedLogs, ClaimedLogs]
  /** All providers, for a proof. */
  providers: readonly Provider[]
  addresses: readonly Address[]
  /** The headers of the blocks whose bloom filters match our contracts. */
  matching: readonly Header[]
  mustProve?: MustProve | undefined
  /** Whether a block that matches and has no logs is asked for again. */
  isAskedAgain: (header: Header) => boolean
}

/** A filter whose match is false more often than this is not worth a proof for every block. */
const strongMatch = 0.05

/** The most blocks that are requested again at the same time. */
const parallelChecks = 32

/**
 * Checks that two lists are the same and complete. If they differ, or if a block has no logs although its bloom filter is nearly
 * certain that it has, the receipts of the block decide: one proof counts more than any number of providers that agree. Blocks
 * that nobody can prove are believed if both providers repeat their answer.
 */
export async function assertCompleteLogs(checked: CheckedLogs): Promise<void> {
  const { claims, addresses, matching, mustProve, isAskedAgain } = checked
  const [ours, theirs] = claims
  const pair = claims.map(({ provider }) => provider)
  if (!areSameLogs(ours.logs, theirs.logs)) {
    const different = matching.find((header) => !areSameLogs(selectBlock(ours, header), selectBlock(theirs, header)))
    if (different) await refuteLogs(checked, different)
    const [first, last] = [matching[0]?.number, matching.at(-1)?.number]
    throw new ProviderDisagreementError(
      `${formatNames(pair)} have different logs for blocks ${first} to ${last}.`,
      pair,
    )
  }
  const found = new Set(ours.logs.map(({ blockHash }) => blockHash))
  const isProven = ({ hash }: Header) => mustProve === 'all' || mustProve?.has(hash)
  const doubtful = matching.filter((header) => isProven(header) || (!found.has(header.hash) && isAskedAgain(header)))
  for (let start = 0; start < doubtful.length; start += parallelChecks)
    await Promise.all(doubtful.slice(start, start + parallelChecks).map(check))

  async function check(header: Header): Promise<void> {
    if (!found.has(header.hash)) await assertNoLogs(pair, addresses, header)
    const isNearlyCertain = estimateFalseMatch(header.logsBloom, addresses.length) < strongMatch
    if (!isProven(header) && !isNearlyCertain) return
    const isKnown = await refuteLogs(checked, header)
    if (mustProve === 'all' && !isKnown)
      throw new ProviderDisagreementError(`${formatNames(pair)} cannot prove the logs of block ${header.number}.`, [])
  }
}

/** A bloom can be a false positive, so the block may really have no logs. That is accepted if both providers repeat it. */
async function assertNoLogs(pair: readonly Provider[], addresses: readonly Address[], { hash, number }: Header) {
  const again = await Promise.all(pair.map(({ rpc }) => getBlockLogs(rpc, { address: addresses }, hash)))
  if (again.some((more) => more.length > 0))
    throw new ProviderDisagreementError(`The logs of block ${number} were missing from the first response.`, pair)
}

/** Throws `FalseDataError` if the receipts of a block refute what a provider returned as its logs. Returns whether there is a proof. */
export async function refuteLogs(
  { claims, providers, addresses }: Pick<CheckedLogs, 'providers' | 'addresses'> & { claims: readonly ClaimedLogs[] },
  header: Header,
): Promise<boolean> {
  const proven = await findProvenLogs(providers, addresses, header)
  if (!proven) return false
  const wrong = claims.filter((claim) => serializeProven(selectBlock(claim, header)) !== serializeProven(proven))
  const refuted = wrong.map(({ provider }) => provider)
  if (refuted.length > 0) throw createRefutedError(refuted, header)
  return true
}

/** Creates the error about providers whose logs of a block are not those that its receipts prove. */
export const createRefutedError = (refuted: readonly Provider[], { number }: Pick<Header, 'number'>) =>
  new FalseDataError(`${formatNames(refuted)} returned other logs of block ${number} than its receipts prove.`, refuted)

/** Returns the logs of a block as its receipts prove them; null if no provider returns receipts that match its header. */
export async function findProvenLogs(
  providers: readonly Provider[],
  addresses: readonly Address[],
  header: Header,
): Promise<RawLog[] | null> {
  for (const { rpc } of providers) {
    try {
      return await proveBlockLogs(rpc, header, addresses)
    } catch (error) {
      if (!(error instanceof ChainReadError)) throw error
    }
  }
  return null
}

/** What receipts prove of logs. */
const serializeProven = (logs: readonly RawLog[]): string =>
  logs.map(({ logIndex, address, topics, data }) => `${logIndex} ${address} ${topics} ${data}`.toLowerCase()).join()

const selectBlock = ({ logs }: ClaimedLogs, { hash }: Header) => logs.filter(({ blockHash }) => blockHash === hash)

/** Throws unless logs are in the order of the chain, each once. */
export function assertLogOrder(provider: Provider, logs: readonly RawLog[]): void {
  let last: RawLog | undefined
  for (const log of logs) {
    const isLater =
      !last ||
      log.blockNumber > last.blockNumber ||
      (log.blockNumber === last.blockNumber && log.logIndex > last.logIndex)
    if (!isLater)
      throw new FalseDataError(`${provider.rpc.name} has the logs of block ${log.blockNumber} out of order.`, [
        provider,
      ])
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
