import { ChainReadError, type Provider } from '@svc/chain'
import {
  append,
  type Cursor,
  halt,
  hashAt,
  marketNumber,
  oldestHeader,
  type RowCache,
  rollback,
  schemaOf,
  startAt,
  writerLockOf,
} from '@svc/index'
import type { Market } from '@svc/protocol'
import { type ContractName, marketAbis } from '@svc/protocol/fold'
import type { Sql } from 'postgres'
import type { Address } from 'viem'
import { DoubtError } from './doubt.ts'
import { getHeader } from './header.ts'
import { nextStep, type Step } from './nextStep.ts'
import { firstSpan, nextSpan } from './span.ts'

/** What a follower tells whoever watches it. */
export type Progress =
  | { kind: 'standby' }
  | { kind: 'writing'; cursor: Cursor }
  | { kind: 'appended'; cursor: Cursor; events: number }
  | { kind: 'rolledBack'; cursor: Cursor; depth: bigint }
  | { kind: 'caughtUp'; cursor: Cursor }
  | { kind: 'halted'; reason: string }
  /** Nothing is written while providers contradict each other, or the database is away. */
  | { kind: 'stalled'; error: Error }

export interface FollowOptions {
  market: Market
  build: string
  /** Makes a client of one connection, whose search path is the schema; told when that connection is lost. */
  connect: (schema: string, onLost: () => void) => Sql
  providers: readonly Provider[]
  chainId: number
  contracts: Readonly<Record<ContractName, Address>>
  startBlock: bigint
  /** At most so many blocks a step. */
  maxBlocks?: number
  onProgress?: (progress: Progress) => void
  /** How long to wait when there is nothing new, or after a fault. */
  pause: (why: 'idle' | 'fault') => Promise<void>
  signal: AbortSignal
  /** What a step is made of; tests hand in broken parts to see them noticed. */
  parts?: Partial<typeof soundParts>
}

const soundParts = { nextStep, append, rollback }

/**
 * Follows one market until told to stop, or until the chain contradicts what is kept for good. One process writes at a
 * time, on the connection that holds the lock; others wait for it. Faults of providers and of the database are waited out.
 */
export async function follow(options: FollowOptions): Promise<void> {
  const { signal, onProgress, pause, connect, build } = options
  while (!signal.aborted) {
    // One connection, which holds the lock and does all the writing. Should it break and another take its place, the
    // cursor in the database still decides who may write.
    let lost = false
    const sql = connect(schemaOf(build), () => {
      lost = true
    })
    // Whoever only waits leaves at once when told to; whoever writes ends the step that it has begun.
    const leave = () => void sql.end({ timeout: 0 })
    try {
      onProgress?.({ kind: 'standby' })
      signal.addEventListener('abort', leave)
      await sql`select pg_advisory_lock(hashtextextended(${writerLockOf(build, options.market)}, 0))`
      signal.removeEventListener('abort', leave)
      await write(sql, options, () => lost || signal.aborted)
      if (!lost) return
    } catch (error) {
      if (signal.aborted) return
      onProgress?.({ kind: 'stalled', error: error as Error })
    } finally {
      signal.removeEventListener('abort', leave)
      await sql.end({ timeout: 0 }).catch(() => {})
    }
    await pause('fault')
  }
}

/** Steps until told to stop, or until the index is halted. */
async function write(sql: Sql, options: FollowOptions, stopped: () => boolean): Promise<void> {
  const { providers, contracts, onProgress, pause, chainId, startBlock, maxBlocks = 500 } = options
  const parts = { ...soundParts, ...options.parts }
  const market = marketNumber(options.market)
  const names = Object.keys(marketAbis) as ContractName[]
  const addresses = names.map((name) => contracts[name])
  const contractAt = new Map(names.map((name) => [contracts[name].toLowerCase(), name]))
  const cache: RowCache = new Map()
  let [turn, span] = [0, Math.min(firstSpan, maxBlocks)]
  // The next step is read while the one before it is written.
  let ahead: Promise<Step> | null = null
  // The ring from whose turn it is: the first is asked, the second must agree.
  const ring = () => [...providers.slice(turn % providers.length), ...providers.slice(0, turn % providers.length)]

  let cursor = await patiently(() => startAt(sql, market, () => blockBefore(ring(), startBlock)))
  if (!cursor) return
  if (cursor.halted) return void onProgress?.({ kind: 'halted', reason: cursor.halted })
  onProgress?.({ kind: 'writing', cursor })

  const ask = (at: Pick<Cursor, 'number' | 'hash' | 'timestamp'>): Promise<Step> =>
    parts.nextStep(ring(), at, {
      chainId,
      addresses,
      maxBlocks: span,
      oldest: () => oldestHeader(sql, market),
      hashAt: (number) => hashAt(sql, market, number),
    })

  while (!stopped()) {
    const at: Cursor = cursor
    const step = await patiently(() => {
      const asked = ahead ?? ask(at)
      ahead = null
      return asked
    })
    if (!step || stopped()) return
    switch (step.kind) {
      case 'wait':
        onProgress?.({ kind: 'caughtUp', cursor })
        // A provider that lags says so too: the next one may be further.
        turn++
        await pause('idle')
        break
      case 'append':
        ahead = readAhead(at, step)
        cursor = await parts.append(sql, market, at, { ...step, contractAt, registry: contracts.taskRegistry }, cache)
        onProgress?.({ kind: 'appended', cursor, events: step.logs.length })
        // There were no more: a chain that is quicker than its provider never lets us wait.
        if (!step.more) onProgress?.({ kind: 'caughtUp', cursor })
        break
      case 'rollback':
        cursor = await parts.rollback(sql, market, at, step.to, cache, contracts.taskRegistry)
        onProgress?.({ kind: 'rolledBack', cursor, depth: at.number - step.to })
        break
      case 'halt':
        await halt(sql, market, step.reason)
        return void onProgress?.({ kind: 'halted', reason: step.reason })
    }
  }

  /** Reads what comes after a step that is still to be written; null where nothing does. */
  function readAhead(at: Cursor, { headers, logs, more }: Extract<Step, { kind: 'append' }>): Promise<Step> | null {
    const last = headers.at(-1)
    if (!last) return null
    span = nextSpan(span, { blocks: Number(last.number - at.number), events: logs.length }, maxBlocks)
    if (!more) return null
    const asked = ask(last)
    // Whoever awaits it hears of its failure; nobody does when the writing fails first.
    asked.catch(() => {})
    return asked
  }

  /** Asks again, another provider first, for as long as only providers are at fault; null when told to stop. */
  async function patiently<T>(ask: () => Promise<T>): Promise<T | null> {
    while (!stopped()) {
      try {
        return await ask()
      } catch (error) {
        if (!(error instanceof DoubtError) && !(error instanceof ChainReadError)) throw error
        onProgress?.({ kind: 'stalled', error })
        turn++
        await pause('fault')
      }
    }
    return null
  }
}

/** The block that everything else is built on, so two must have the same; one alone is asked twice. */
async function blockBefore(providers: readonly Provider[], startBlock: bigint) {
  const number = startBlock > 0n ? startBlock - 1n : 0n
  const [first, second = first] = providers
  const header = first && (await getHeader(first.rpc, number))
  const again = second && (await getHeader(second.rpc, number))
  if (!header || header.hash !== again?.hash) throw new DoubtError(`Not everybody has the same block ${number}.`)
  return header
}
