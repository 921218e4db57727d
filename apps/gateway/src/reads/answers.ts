import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { type At, ChainReadError } from '@svc/chain'
import type { Market } from '@svc/protocol'
import { metaJsonOf } from '@svc/protocol/http'
import { awayError } from '@svc/serve'
import type { Head } from './head.ts'

/** The body of a read without what is common to all, and what it adds to `meta`. */
export interface Content {
  body: Readonly<Record<string, unknown>>
  meta?: Readonly<Record<string, unknown>>
}

/** An answer ready to be sent. */
export interface Answer {
  text: string
  etag: string
  blockNumber: bigint
  stale: boolean
}

interface Question {
  /** One for one question, however it was put. */
  key: string
  market: Market
  /** So long an answer is good although the chain moved on; for reads that look through all logs. */
  lifeMs: number
  minBlock: number | undefined
  read: () => Promise<At<Content>>
}

export type Answers = (question: Question) => Promise<Answer>

interface Kept extends At<Content> {
  readAt: number
}

/**
 * Reads of the chain, each made once per block however often it is asked for. When the chain is gone the last good answer is
 * given, and says so.
 */
export function createAnswers(head: Head, { maxAnswers = 500, maxWaitMs = 2_000, now = Date.now } = {}): Answers {
  const kept = new Map<string, Kept>()
  const asked = new Map<string, Promise<Kept>>()

  return async ({ key, market, lifeMs, minBlock, read }) => {
    const found = kept.get(key)
    try {
      if (minBlock !== undefined) await reach(minBlock)
      if (found && (await isGood(found, lifeMs, minBlock))) return write(found, market, false)
      return write(await readOnce(key, read), market, false)
    } catch (error) {
      if (!(error instanceof ChainReadError)) throw error
      if (found) return write(found, market, true)
      throw awayError('CHAIN_UNREACHABLE', 'The chain cannot be read now.')
    }
  }

  async function isGood({ block, readAt }: Kept, lifeMs: number, minBlock = 0): Promise<boolean> {
    if (block.number < BigInt(minBlock)) return false
    return now() - readAt < lifeMs || (await head.now()).hash === block.hash
  }

  function readOnce(key: string, read: () => Promise<At<Content>>): Promise<Kept> {
    let reading = asked.get(key)
    if (!reading) {
      const readAt = now()
      reading = read()
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
      if (now() >= end) throw awayError('BLOCK_NOT_REACHED', `Block ${minBlock} is not served yet.`)
      await wait(100)
    }
  }
}

/** The tag changes with the content alone: not with the block it is true at. */
function write({ body, meta = {}, block }: At<Content>, market: Market, stale: boolean): Answer {
  const content = createHash('sha256').update(JSON.stringify([body, meta, stale]))
  const text = JSON.stringify({ ...body, meta: { ...metaJsonOf(market, block, stale), ...meta } })
  return { text, etag: `W/"${content.digest('base64url').slice(0, 22)}"`, blockNumber: block.number, stale }
}
