import { hash } from 'node:crypto'
import type { At, BlockRef, Deployments } from '@svc/chain'
import { buildResponseMeta, type ReadOptions } from '@svc/operations'
import type { Market } from '@svc/protocol'
import type { Content, Question, SerializedBody } from '@svc/reads'
import type { Client, FairQueue } from '@svc/serve'
import type { Origin, Reads } from './reads.ts'
import { createSegmentedCache } from './segmentedCache.ts'
import type { Watch } from './watch.ts'

/** An answer ready to be sent. */
export interface Answer extends Origin {
  /** Strings are ASCII only. */
  body: readonly string[] | Uint8Array<ArrayBuffer>
  /** Depends only on the content, not on the block it is true at. */
  etag: string
  blockNumber: bigint
}

/** The body of an answer. */
export const decodeAnswer = ({ body }: Answer): unknown =>
  JSON.parse(body instanceof Uint8Array ? new TextDecoder().decode(body) : body.join(''))

interface Rendered extends Origin {
  /** The body without its closing brace. */
  parts: readonly string[]
  extra: object
  etag: string
  /** The content is valid while this is unchanged. Empty if unknown: the answer is then used once. */
  version: string
  /** The first and last block time, in unix seconds, at which that version has this content. */
  validFrom: number
  validUntil: number
  /** Expiry of an answer that was read directly from the chain. */
  until: number
  /** The answer at one block, cached while that block is served. */
  last: { hash: string; answer: Answer }
  /** Requested more than once. It is then stored as bytes, since a string would be encoded for every response. */
  isHot: boolean
}

export interface AnswersOptions {
  reads: Reads
  watch: Watch
  deployments: Deployments
  /** Where reads of the chain wait for their turn. */
  chainQueue: FairQueue
  /** Maximum number of cached answers, and of their bytes. */
  maxAnswers?: number
  maxBytes?: number
  /** How long an answer from the chain is reused. */
  directLifeMs?: number
  now?: () => number
  /** Called for every answer with whether it was cached. */
  onAnswer?: (from: 'cache' | 'source') => void
}

/** A question, and the path that the client wants. The key contains the path. */
interface AskedQuestion extends Question {
  path?: 'chain'
}

/** Synchronous if the answer is cached. The client is whose turn it takes if the chain must be read. */
export type Answers = (question: Question, client: Client, options?: ReadOptions) => Answer | Promise<Answer>

/**
 * Caches the answers of read routes. Each is rendered once per change of its market, and when the moment passes that its content
 * names; the version of the index tells whether anything changed. Concurrent identical questions share one read.
 */
export function createAnswerCache(options: AnswersOptions): Answers {
  const {
    reads,
    watch,
    deployments,
    chainQueue,
    maxAnswers = 5_000,
    maxBytes = 64_000_000,
    directLifeMs = 1_000,
    now = Date.now,
    onAnswer,
  } = options
  const cache = createSegmentedCache<Rendered>({
    maxCount: maxAnswers,
    maxBytes,
    measureSize: ({ parts, isHot }) => (isHot ? 2 : 1) * measureLength(parts),
    onPromote(rendered) {
      const { answer } = rendered.last
      rendered.isHot = true
      if (!(answer.body instanceof Uint8Array)) rendered.last.answer = { ...answer, body: encodeBody(answer.body) }
    },
  })
  const pending = new Map<string, Promise<Rendered>>()

  return (question, client, { minBlock, path = question.unindexed ? 'chain' : undefined } = {}) => {
    const asked = path ? { ...question, key: `${question.key} ${path}`, path } : question
    if (minBlock === undefined) return answer(asked, client, 0)
    return reads.reach(question.market, { minBlock, path }, () => answer(asked, client, minBlock))
  }

  function answer(question: AskedQuestion, client: Client, minBlock: number): Answer | Promise<Answer> {
    const found = cache.get(question.key)
    const cached = found && isGood(found, question) ? at(found, question.market) : null
    const isCached = cached !== null && cached.blockNumber >= BigInt(minBlock)
    onAnswer?.(isCached ? 'cache' : 'source')
    return isCached ? cached : renderInTurn(question, client, minBlock)
  }

  /** Waits for the client's turn if the chain must be read. A read that already runs is shared by everyone at once. */
  async function renderInTurn(question: AskedQuestion, client: Client, minBlock: number): Promise<Answer> {
    const version = computeVersion(question)
    const key = `${question.key} ${version} ${minBlock}`
    const run = () => renderOnce(key, question, version)
    const isChain = question.path === 'chain' || !reads.isNear(question.market)
    const rendered = await (isChain && !pending.has(key)
      ? chainQueue({ client, cost: question.chainCost, run })
      : run())
    cache.put(question.key, rendered)
    return at(rendered, question.market)
  }

  function renderOnce(key: string, question: AskedQuestion, version: string): Promise<Rendered> {
    const started = pending.get(key)
    if (started) return started
    const reading = render(question, version).finally(() => pending.delete(key))
    pending.set(key, reading)
    return reading
  }

  /** The version that the content of an answer depends on, by the current state of the index. */
  function computeVersion({ market }: Question): string {
    const at = watch.indexed(market)
    if (!at) return ''
    return at.entriesEnded ? `${at.version} ended` : at.version
  }

  function isGood(found: Rendered, question: Question): boolean {
    if (found.path === 'chain') return now() < found.until
    // A stalled index has an unchanged version, so its answers are valid only while it is close to the chain.
    if (found.version === '' || !reads.isNear(question.market)) return false
    if (found.stale !== (watch.head() === null) || found.version !== computeVersion(question)) return false
    // A reorganisation can also take the index back to an earlier time.
    const { timestamp } = watch.indexed(question.market) ?? { timestamp: 0 }
    return found.validFrom <= timestamp && timestamp <= found.validUntil
  }

  async function render(question: AskedQuestion, version: string): Promise<Rendered> {
    const { market, path: forced } = question
    const found: At<Content> & Origin = await reads.read(market, (reader) => question.run(reader, deployments), forced)
    const { meta: extra = {}, block, path, stale, validUntil } = found
    const { parts, marks } = 'parts' in found ? found : serialize(found.body)
    const etag = `W/"${hash('sha256', Buffer.concat([marks, Buffer.from(JSON.stringify(extra))]), 'base64url').slice(0, 22)}"`
    // If the index has advanced since the read started, the version of this content is unknown.
    const same = watch.indexed(market)?.hash === block.hash && computeVersion(question) === version
    // Only text that is known to be ASCII can be sent as a string.
    const rendered = { parts, extra, etag, path, stale, isHot: 'body' in found }
    return {
      ...rendered,
      version: same ? version : '',
      validFrom: block.timestamp,
      validUntil: validUntil ?? Number.POSITIVE_INFINITY,
      until: now() + directLifeMs,
      last: { hash: block.hash, answer: write(rendered, market, block) },
    }
  }

  /** The answer at the block that is served now; the content is the same at both blocks. */
  function at(rendered: Rendered, market: Market): Answer {
    const indexed = rendered.path === 'index' && rendered.version !== '' ? watch.indexed(market) : null
    if (!indexed || indexed.hash === rendered.last.hash) return rendered.last.answer
    rendered.last = { hash: indexed.hash, answer: write(rendered, market, indexed) }
    return rendered.last.answer
  }

  function write(
    { parts, extra, etag, path, stale, isHot }: Pick<Rendered, 'parts' | 'extra' | 'etag' | 'isHot' | keyof Origin>,
    market: Market,
    block: BlockRef,
  ): Answer {
    const meta = JSON.stringify({ ...buildResponseMeta(market, block, { path, stale }), ...extra })
    const body = [...parts, `,"meta":${meta}}`]
    return { body: isHot ? encodeBody(body) : body, etag, blockNumber: block.number, path, stale }
  }
}

/** Serializes a body. The text is also the input of the ETag. */
function serialize(body: object): SerializedBody {
  const text = JSON.stringify(body).slice(0, -1)
  return { parts: [text], marks: Buffer.from(text) }
}

const encodeBody = (parts: readonly string[]) => Buffer.from(parts.join(''))
const measureLength = (parts: readonly string[]) => parts.reduce((length, part) => length + part.length, 0)
