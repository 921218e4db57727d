import { ChainReadError, LogRangeError, type Provider, ResponseTooLargeError, RpcTimeoutError } from '@svc/chain'
import {
  appendBatch,
  type Cursor,
  createRowCache,
  type DigestedHeader,
  getHeaderHash,
  getOldestHeader,
  getSchemaName,
  getWriterLockKey,
  haltMarket,
  loadHeaders,
  loadOrCreateCursor,
  marketNumber,
  rollback,
  writeGathered,
} from '@svc/index'
import type { Market } from '@svc/protocol'
import { type ContractName, marketAbis } from '@svc/protocol/fold'
import { MissingEntityError } from '@svc/protocol/internal/fold'
import type { Sql } from 'postgres'
import type { Address } from 'viem'
import { auditBlocks, auditLogs } from './auditLogs.ts'
import { formatNames, MissingEventsError, ProviderDisagreementError } from './errors.ts'
import type { Finality } from './finality.ts'
import { getHeader } from './header.ts'
import { assertChainId, decideNextStep, type FollowedProvider, type Step } from './nextStep.ts'
import { createProviderRing, type OnDoubt } from './providerRing.ts'

/** What a follower reports to `onProgress`. */
export type Progress =
  | { kind: 'standby' }
  | { kind: 'writing'; cursor: Cursor }
  | { kind: 'appended'; cursor: Cursor; events: number }
  | { kind: 'rolledBack'; cursor: Cursor; depth: bigint }
  /** Nothing is left to read; `appended` if a block was just written. */
  | { kind: 'caughtUp'; cursor: Cursor; appended: boolean }
  | { kind: 'halted'; reason: string }
  /** Nothing is written while providers disagree, the database is unavailable, or the index misses earlier events. */
  | { kind: 'stalled'; error: Error }

export interface FollowOptions {
  market: Market
  build: string
  /** Opens a client with one connection and the schema as its search path. Calls `onLost` when the connection closes. */
  connect: (schema: string, onLost: () => void) => Sql
  providers: readonly FollowedProvider[]
  /** Decides what is final, for all markets. */
  finality?: Finality
  chainId: number
  contracts: Readonly<Record<ContractName, Address>>
  startBlock: bigint
  /** The most blocks per step whose headers are all read. Final blocks come `settledFactor` times as many. */
  maxBlocks?: number
  /** Blocks between two audits of what was written. */
  auditEvery?: bigint
  onProgress?: (progress: Progress) => void
  /** Waits if there is nothing new, or after an error. */
  pause: (why: 'idle' | 'fault') => Promise<void>
  signal: AbortSignal
  /** Called when a provider contradicts itself or two others, with the reason, and with null when it is trusted again. */
  onDoubt?: OnDoubt
  /** The functions of a step. Tests replace them with broken ones. */
  parts?: Partial<typeof defaultParts>
}

const contractNames = Object.keys(marketAbis) as ContractName[]

/** Lists the addresses whose logs make the index of a market. */
export const listAddresses = (contracts: Readonly<Record<ContractName, Address>>): Address[] =>
  contractNames.map((name) => contracts[name])

const defaultParts = { nextStep: decideNextStep, append: appendBatch, rollback }

/**
 * Follows one market until the signal aborts or the index is halted. One process writes at a time, on the connection that holds
 * the lock; others stand by. Errors of providers and of the database are retried.
 */
export async function followChain(options: FollowOptions): Promise<void> {
  const { signal, onProgress, pause, connect, build } = options
  while (!signal.aborted) {
    // One connection holds the lock and does all writes. If it breaks and another process takes the lock, the cursor in the
    // database still decides who may write.
    let lost = false
    const sql = connect(getSchemaName(build), () => {
      lost = true
    })
    // A process on standby stops at once; a writer finishes the step it has begun.
    const stopWaiting = () => void sql.end({ timeout: 0 })
    try {
      onProgress?.({ kind: 'standby' })
      signal.addEventListener('abort', stopWaiting)
      await sql`select pg_advisory_lock(hashtextextended(${getWriterLockKey(build, options.market)}, 0))`
      signal.removeEventListener('abort', stopWaiting)
      await writeSteps(sql, options, () => lost || signal.aborted)
      if (!lost) return
    } catch (error) {
      if (signal.aborted) return
      onProgress?.({ kind: 'stalled', error: error as Error })
    } finally {
      signal.removeEventListener('abort', stopWaiting)
      await sql.end({ timeout: 0 }).catch(() => {})
    }
    await pause('fault')
  }
}

/** Writes steps until stopped or until the index is halted. */
async function writeSteps(sql: Sql, options: FollowOptions, stopped: () => boolean): Promise<void> {
  const { providers, contracts, onProgress, pause, chainId, startBlock, finality, maxBlocks = 500 } = options
  const maxSpan = maxBlocks * settledFactor
  const { auditEvery = auditBlocks } = options
  const parts = { ...defaultParts, ...options.parts }
  const market = marketNumber(options.market)
  const addresses = listAddresses(contracts)
  const contractAt = new Map(contractNames.map((name) => [contracts[name].toLowerCase(), name]))
  const cache = createRowCache()
  let span = Math.min(initialSpan, maxBlocks)
  // The next step is read while the current one is written.
  let ahead: Promise<Step> | null = null
  /** Attempts to write the next blocks that failed because an earlier event is missing. */
  let unfoldable = 0
  const ring = createProviderRing(providers, options.onDoubt)
  /** A block that an audit found wrong, and the hashes of those that were and must be proven. */
  let wrong: DigestedHeader | null = null
  const mustProve = new Set<string>()
  /** How many steps each provider has confirmed since the last audit. */
  const confirmed = new Map<string, number>()

  let cursor = await retryProviders(() =>
    loadOrCreateCursor(sql, market, () => readBlockBefore(ring.order(), chainId, startBlock)),
  )
  if (!cursor) return
  if (cursor.halted) return void onProgress?.({ kind: 'halted', reason: cursor.halted })
  onProgress?.({ kind: 'writing', cursor })
  let audited: Pick<Cursor, 'number' | 'events'> = cursor

  const readStep = (at: Pick<Cursor, 'number' | 'hash' | 'timestamp'>): Promise<Step> =>
    parts.nextStep(ring.order(), at, {
      chainId,
      addresses,
      maxBlocks: Math.min(span, maxBlocks),
      maxSettledBlocks: span,
      allTrusted: ring.allTrusted(),
      finality,
      mustProve: ring.isReduced() ? 'all' : mustProve,
      // A statement that waits for the connection of a transaction hangs if that connection is lost.
      oldest: () => cache.writing.then(() => getOldestHeader(sql, market)),
      readHash: (number) => cache.writing.then(() => getHeaderHash(sql, market, number)),
    })

  while (!stopped()) {
    if (wrong) cursor = await rollBackWrong(cursor, wrong)
    const at: Cursor = cursor
    const step = await retryProviders(() => {
      const pending = ahead ?? readStep(at)
      ahead = null
      return pending
    })
    if (!step || stopped()) return
    if (step.kind !== 'append') await writeGathered(sql, market, cache)
    switch (step.kind) {
      case 'wait':
        onProgress?.({ kind: 'caughtUp', cursor, appended: false })
        ring.rotate()
        await pause('idle')
        break
      case 'append':
        ahead = readAhead(at, step)
        try {
          cursor = await parts.append(sql, market, at, { ...step, contractAt, registry: contracts.taskRegistry }, cache)
        } catch (error) {
          if (!(error instanceof MissingEntityError)) throw error
          // Two providers left out the same logs: of these blocks, which another pair may have, or of blocks that are written.
          ahead = null
          // One block at a time from here, so that the attempts stay cheap while a new build is filled.
          span = 1
          const isWritten = ++unfoldable >= maxUnfoldable
          // If they are of blocks that are written, another provider may know it.
          if (unfoldable === auditAfter) await startAudit(at)
          onProgress?.({ kind: 'stalled', error: isWritten ? new MissingEventsError(at, error) : error })
          ring.failed(error)
          await pause('fault')
          break
        }
        unfoldable = 0
        mustProve.clear()
        for (const name of step.agreed) confirmed.set(name, (confirmed.get(name) ?? 0) + 1)
        ring.agreed(providers.filter(({ rpc }) => step.agreed.includes(rpc.name)))
        onProgress?.({ kind: 'appended', cursor, events: step.logs.length })
        // A provider that lags has a new block at every step too, so the index would stay behind with it.
        if (step.gap > maxGap) ring.rotate()
        if (step.more) break
        // Reported here as well: if new blocks arrive faster than steps, there is never a step of kind `wait`.
        onProgress?.({ kind: 'caughtUp', cursor, appended: true })
        if (cursor.number - audited.number >= auditEvery || cursor.events - audited.events >= maxAuditedEvents)
          await startAudit(cursor)
        break
      case 'rollback':
        cursor = await parts.rollback(sql, market, at, step.to, cache, contracts.taskRegistry)
        unfoldable = 0
        onProgress?.({ kind: 'rolledBack', cursor, depth: at.number - step.to })
        break
      case 'halt':
        await haltMarket(sql, market, step.reason)
        return void onProgress?.({ kind: 'halted', reason: step.reason })
    }
  }

  /** Audits the blocks since the last audit beside the next steps, at the provider that has confirmed the fewest. */
  async function startAudit(to: Cursor): Promise<void> {
    const oldest = to.number - maxAudit
    const from = audited.number > oldest ? audited.number : oldest
    const found = await loadHeaders(sql, market, from, to.number)
    // The last two blocks at least, whatever they hold.
    const headers = found.filter(
      ({ events }, index) => index >= found.length - 2 || to.events - events <= maxAuditedEvents,
    )
    const rank = ({ rpc }: Provider) =>
      rpc.health?.rank() === 2 ? Number.POSITIVE_INFINITY : (confirmed.get(rpc.name) ?? 0)
    const [provider] = providers.toSorted((a, b) => rank(a) - rank(b))
    if (!provider) return
    audited = to
    confirmed.clear()
    auditLogs({ provider, providers, addresses, headers }).then(
      (found) => {
        wrong = found
      },
      (error: unknown) => {
        // A provider that does not answer now is asked again at the next audit.
        if (error instanceof ProviderDisagreementError) ring.failed(error)
      },
    )
  }

  /** Rolls back what an audit found wrong, so that it is read again, with a proof. */
  async function rollBackWrong(at: Cursor, { number, hash }: DigestedHeader): Promise<Cursor> {
    wrong = null
    await writeGathered(sql, market, cache)
    if ((await getHeaderHash(sql, market, number)) !== hash) return at
    ahead = null
    mustProve.add(hash)
    const to = number - 1n
    const left = await parts.rollback(sql, market, at, to, cache, contracts.taskRegistry)
    audited = left
    onProgress?.({ kind: 'rolledBack', cursor: left, depth: at.number - to })
    return left
  }

  /** Starts to read the next step before the current one is written; null if there are no more blocks. */
  function readAhead(at: Cursor, { headers, logs, more }: Extract<Step, { kind: 'append' }>): Promise<Step> | null {
    const last = headers.at(-1)
    if (!last) return null
    span = adjustSpan(span, { blocks: Number(last.number - at.number), events: logs.length }, maxSpan)
    if (!more) return null
    const next = readStep(last)
    // Its error is handled where it is awaited. If the write fails first, nobody awaits it.
    next.catch(() => {})
    return next
  }

  /** Retries while providers fail or disagree, each time with another provider first. Returns null when stopped. */
  async function retryProviders<T>(read: () => Promise<T>): Promise<T | null> {
    while (!stopped()) {
      try {
        return await read()
      } catch (error) {
        if (!(error instanceof ProviderDisagreementError) && !(error instanceof ChainReadError)) throw error
        if (isTooLong(error)) span = Math.max(1, Math.floor(span / 2))
        onProgress?.({ kind: 'stalled', error })
        ring.failed(error)
        await pause('fault')
      }
    }
    return null
  }
}

/** Whether a provider returns too few blocks per call for a step of this length, or takes too long for them. */
const isTooLong = (error: unknown): boolean =>
  error instanceof LogRangeError || error instanceof RpcTimeoutError || error instanceof ResponseTooLargeError

/** Reads the block before the first. The whole index builds on it, so two providers must agree; a single one is asked twice. */
async function readBlockBefore(providers: readonly Provider[], chainId: number, startBlock: bigint) {
  const number = startBlock > 0n ? startBlock - 1n : 0n
  const pair = providers.slice(0, 2)
  const [first, second = first] = pair
  for (const provider of pair) await assertChainId(provider, chainId)
  const header = first && (await getHeader(first.rpc, number))
  const again = second && (await getHeader(second.rpc, number))
  if (!header || header.hash !== again?.hash)
    throw new ProviderDisagreementError(`${formatNames(pair)} have different blocks ${number}.`, pair)
  return header
}

/** The most blocks that one of two providers may be behind the other until another pair is asked. */
const maxGap = 3n

/** The most blocks of an audit, and the most events: their logs come in one answer, while the next blocks wait. */
const [maxAudit, maxAuditedEvents] = [2_000n, 10_000n]

/** Attempts until the blocks that are written are blamed: every pair of three providers has failed several times. */
const maxUnfoldable = 12

/** Attempts until the last written blocks are audited. */
const auditAfter = 4

/** Of blocks without events, a step costs as much as its calls, so it should have many of those that need no headers. */
const settledFactor = 20

/** Events that a step should have: enough to be worth a transaction, few enough to fit in memory several times. */
const targetEvents = 4_000

/** Blocks of the first step, when the event density is not known yet. */
const initialSpan = 32

/** Returns the blocks of the next step: as many as should have `targetEvents`, at most twice the last span. */
function adjustSpan(span: number, step: { blocks: number; events: number }, maxBlocks: number): number {
  const fitting = Math.floor((targetEvents * step.blocks) / Math.max(1, step.events))
  return Math.max(1, Math.min(fitting, 2 * span, maxBlocks))
}
