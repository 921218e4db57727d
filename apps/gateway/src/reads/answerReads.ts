import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type At, ChainReadError, type Deployments, LogRangeError, type MarketReader } from '@svc/chain'
import { buildResponseMeta, unavailable } from '@svc/operations'
import type { Market } from '@svc/protocol'
import type { Content, Question } from '@svc/reads'
import type { Head } from './head.ts'

/** A response that is ready to send. */
export interface Answer {
  text: string
  etag: string
  blockNumber: bigint
  stale: boolean
}

/** Waits for `minBlock`. Throws 503 if it is not served in time. */
export type AnswerRead = (question: Question, minBlock?: number) => Promise<Answer>

export interface AnswerReadOptions {
  head: Head
  reader: MarketReader
  deployments: Deployments
  maxAnswers?: number
  maxWaitMs?: number
  /** How long the response of an expensive read is reused after a new block. */
  costlyMs?: number
  now?: () => number
}

/** How often a read that waits for a block looks again. */
const pollMs = 250

type CachedAnswer = At<Content> & { readAt: number }

/**
 * Serves reads of the chain, each made at most once per block. If the chain is unreachable, serves the last good response
 * and marks it as stale.
 */
export function createAnswerRead(options: AnswerReadOptions): AnswerRead {
  const { head, reader, deployments, maxAnswers = 500, maxWaitMs = 2_000, costlyMs = 10_000, now = Date.now } = options
  const cached = new Map<string, CachedAnswer>()
  const asked = new Map<string, Promise<CachedAnswer>>()

  return async (question, minBlock = 0) => {
    const end = now() + maxWaitMs
    for (;;) {
      const { answer, stale } = await readCurrent(question, BigInt(minBlock))
      // Compared with the answer itself: another provider may have answered, one that is behind.
      if (answer && answer.block.number >= BigInt(minBlock)) return write(answer, question.market, stale)
      if (now() >= end) throw unavailable('BLOCK_NOT_REACHED', `Block ${minBlock} is not served yet.`)
      await wait(pollMs)
    }
  }

  /** Reads the answer at the newest block; null if that block is before `minBlock`. */
  async function readCurrent(
    question: Question,
    minBlock: bigint,
  ): Promise<{ answer: CachedAnswer | null; stale: boolean }> {
    const found = cached.get(question.key)
    try {
      if (minBlock > 0n && (await head.now()).number < minBlock) return { answer: null, stale: false }
      const isGood = found && (await isCurrent(found, question.costly ? costlyMs : 0, minBlock))
      return { answer: isGood ? found : await readOnce(question), stale: false }
    } catch (error) {
      if (!(error instanceof ChainReadError)) throw error
      if (found) return { answer: found, stale: true }
      throw unavailable(
        'CHAIN_UNREACHABLE',
        error instanceof LogRangeError
          ? 'The RPC providers return too few blocks per call for this read. It needs one that allows wider ranges.'
          : 'The chain cannot be read now.',
      )
    }
  }

  async function isCurrent({ block, readAt }: CachedAnswer, lifeMs: number, minBlock: bigint): Promise<boolean> {
    if (block.number < minBlock) return false
    return now() - readAt < lifeMs || (await head.now()).hash === block.hash
  }

  function readOnce({ key, run }: Question): Promise<CachedAnswer> {
    let reading = asked.get(key)
    if (!reading) {
      const readAt = now()
      reading = run(reader, deployments)
        .then((content) => keep(key, { ...content, readAt }))
        .finally(() => asked.delete(key))
      asked.set(key, reading)
    }
    return reading
  }

  function keep(key: string, answer: CachedAnswer): CachedAnswer {
    cached.delete(key)
    cached.set(key, answer)
    const [oldest] = cached.keys()
    if (cached.size > maxAnswers && oldest !== undefined) cached.delete(oldest)
    return answer
  }
}

/** The ETag depends only on the content, not on its block. */
function write(found: CachedAnswer, market: Market, stale: boolean): Answer {
  const { meta = {}, block } = found
  const parts = 'parts' in found ? found.parts : [JSON.stringify(found.body).slice(0, -1)]
  const hash = createHash('sha256').update(JSON.stringify([meta, stale]))
  for (const part of parts) hash.update(part)
  const text = `${parts.join('')},"meta":${JSON.stringify({ ...buildResponseMeta(market, block, { stale }), ...meta })}}`
  return { text, etag: `W/"${hash.digest('base64url').slice(0, 22)}"`, blockNumber: block.number, stale }
}
