import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type At, ChainReadError, type Deployments, type MarketReader } from '@svc/chain'
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

export type AnswerRead = (question: Question, minBlock: number | undefined) => Promise<Answer>

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

type Kept = At<Content> & { readAt: number }

/**
 * Serves reads of the chain, each made at most once per block. If the chain is unreachable, serves the last good response
 * and marks it as stale.
 */
export function createAnswerRead(options: AnswerReadOptions): AnswerRead {
  const { head, reader, deployments, maxAnswers = 500, maxWaitMs = 2_000, costlyMs = 10_000, now = Date.now } = options
  const kept = new Map<string, Kept>()
  const asked = new Map<string, Promise<Kept>>()

  return async (question, minBlock) => {
    const { market } = question
    const found = kept.get(question.key)
    try {
      if (minBlock !== undefined) await reach(minBlock)
      if (found && (await isGood(found, question.costly ? costlyMs : 0, minBlock))) return write(found, market, false)
      return write(await readOnce(question), market, false)
    } catch (error) {
      if (!(error instanceof ChainReadError)) throw error
      if (found) return write(found, market, true)
      throw unavailable('CHAIN_UNREACHABLE', 'The chain cannot be read now.')
    }
  }

  async function isGood({ block, readAt }: Kept, lifeMs: number, minBlock = 0): Promise<boolean> {
    if (block.number < BigInt(minBlock)) return false
    return now() - readAt < lifeMs || (await head.now()).hash === block.hash
  }

  function readOnce({ key, run }: Question): Promise<Kept> {
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

  function keep(key: string, answer: Kept): Kept {
    kept.delete(key)
    kept.set(key, answer)
    const [oldest] = kept.keys()
    if (kept.size > maxAnswers && oldest !== undefined) kept.delete(oldest)
    return answer
  }

  async function reach(minBlock: number): Promise<void> {
    const end = now() + maxWaitMs
    while (Number((await head.now()).number) < minBlock) {
      if (now() >= end) throw unavailable('BLOCK_NOT_REACHED', `Block ${minBlock} is not served yet.`)
      await wait(100)
    }
  }
}

/** The ETag depends only on the content, not on its block. */
function write(found: Kept, market: Market, stale: boolean): Answer {
  const { meta = {}, block } = found
  const parts = 'parts' in found ? found.parts : [JSON.stringify(found.body).slice(0, -1)]
  const hash = createHash('sha256').update(JSON.stringify([meta, stale]))
  for (const part of parts) hash.update(part)
  const text = `${parts.join('')},"meta":${JSON.stringify({ ...buildResponseMeta(market, block, stale), ...meta })}}`
  return { text, etag: `W/"${hash.digest('base64url').slice(0, 22)}"`, blockNumber: block.number, stale }
}
