import { createHash } from 'node:crypto'
import type { At, BlockRef, Deployments } from '@svc/chain'
import type { Market } from '@svc/protocol'
import { metaJsonOf } from '@svc/protocol/http'
import type { Parsed, Shape } from '@svc/serve'
import type { Content, ReadRoute } from '../route.ts'
import type { Origin, Reads } from './reads.ts'
import type { Watch } from './watch.ts'

/** An answer ready to be sent. */
export interface Answer extends Origin {
  bytes: Uint8Array<ArrayBuffer>
  /** Changes only with the content: not with the block it is true at. */
  etag: string
  blockNumber: bigint
}

interface Rendered extends Origin {
  text: string
  extra: Readonly<Record<string, unknown>>
  etag: string
  /** While this stays, so does the content; empty: nothing says what it depends on, and it is used once. */
  version: string
  /** For so long an answer straight from the chain is good. */
  until: number
  /** The bytes for one block, kept while that block is served. */
  last: { hash: string; answer: Answer } | null
}

export interface AnswersOptions {
  reads: Reads
  watch: Watch
  places: Deployments
  /** So many answers are kept, and so many bytes of them. */
  maxAnswers?: number
  maxBytes?: number
  /** So long an answer read straight from the chain serves others. */
  directLifeMs?: number
  now?: () => number
  /** Hears of every answer whether it was kept from before. */
  onAnswer?: (from: 'kept' | 'source') => void
}

/** At once where the answer is kept. */
export type Answers = (route: ReadRoute, query: Parsed<Shape>) => Answer | Promise<Answer>

/**
 * Answers of read routes, each rendered once per change of its market however often it is asked for: the index's digest says
 * whether anything has changed. Questions that are asked at the same time are read once.
 */
export function createAnswers(options: AnswersOptions): Answers {
  const {
    reads,
    watch,
    places,
    maxAnswers = 5_000,
    maxBytes = 64_000_000,
    directLifeMs = 1_000,
    now = Date.now,
    onAnswer,
  } = options
  const kept = new Map<string, Rendered>()
  const asked = new Map<string, Promise<Rendered>>()
  const keys = new WeakMap<Parsed<Shape>, string>()
  let bytes = 0

  return (route, query) => {
    const market = route.marketOf(query)
    const { minBlock } = query as Parsed<Shape> & { minBlock?: number }
    const key = keyOf(route, query)
    if (minBlock !== undefined) return reads.reach(market, minBlock).then(() => answer(route, query, key, minBlock))
    return answer(route, query, key)
  }

  /** One key for one question, however it was put; a query that comes again is not written out again. */
  function keyOf({ path }: ReadRoute, query: Parsed<Shape>): string {
    let key = keys.get(query)
    if (key === undefined) {
      const { minBlock: _, ...rest } = query as Parsed<Shape> & { minBlock?: number }
      key = `${path} ${JSON.stringify(rest, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`
      keys.set(query, key)
    }
    return key
  }

  function answer(route: ReadRoute, query: Parsed<Shape>, key: string, minBlock?: number): Answer | Promise<Answer> {
    const market = route.marketOf(query)
    const found = kept.get(key)
    const isKept = found !== undefined && isGood(found, route, market)
    onAnswer?.(isKept ? 'kept' : 'source')
    return isKept ? at(found, market) : renderOnce(route, query, key, minBlock)
  }

  async function renderOnce(
    route: ReadRoute,
    query: Parsed<Shape>,
    key: string,
    minBlock: number | undefined,
  ): Promise<Answer> {
    const market = route.marketOf(query)
    const version = versionOf(route, market)
    const question = `${key} ${version} ${minBlock}`
    let reading = asked.get(question)
    if (!reading) {
      reading = render(route, market, query, version).finally(() => asked.delete(question))
      asked.set(question, reading)
    }
    const rendered = await reading
    keep(key, rendered)
    return at(rendered, market)
  }

  /** What the content of an answer depends on, as the index stands. */
  function versionOf({ timed }: ReadRoute, market: Market): string {
    const indexed = watch.indexed(market)
    return indexed ? (timed ? indexed.hash : indexed.digest) : ''
  }

  function isGood(found: Rendered, route: ReadRoute, market: Market): boolean {
    if (found.path === 'direct') return now() < found.until
    // An index that stands still keeps its version: what it said is only good while it is near the chain.
    if (found.version === '' || !reads.isNear(market)) return false
    return found.stale === (watch.head() === null) && found.version === versionOf(route, market)
  }

  async function render(route: ReadRoute, market: Market, query: Parsed<Shape>, version: string): Promise<Rendered> {
    const found: At<Content> & Origin = await reads.read(market, (reader) => route.read(query, reader, places))
    const { body, meta: extra = {}, block, path, stale } = found
    const text = JSON.stringify(body)
    const etag = `W/"${createHash('sha256').update(text).update(JSON.stringify(extra)).digest('base64url').slice(0, 22)}"`
    // The index may have moved on since it was asked: then nothing says what this content depends on.
    const same = watch.indexed(market)?.hash === block.hash && versionOf(route, market) === version
    const rendered: Rendered = {
      text,
      extra,
      etag,
      path,
      stale,
      version: same ? version : '',
      until: now() + directLifeMs,
      last: null,
    }
    return { ...rendered, last: { hash: block.hash, answer: write(rendered, market, block) } }
  }

  /** The answer at the block that is served now; the content is the same at both. */
  function at(rendered: Rendered, market: Market): Answer {
    const indexed = rendered.path === 'index' && rendered.version !== '' ? watch.indexed(market) : null
    if (rendered.last && (!indexed || indexed.hash === rendered.last.hash)) return rendered.last.answer
    if (!indexed) throw new Error('An answer was kept without its block.')
    rendered.last = { hash: indexed.hash, answer: write(rendered, market, indexed) }
    return rendered.last.answer
  }

  function write({ text, extra, etag, path, stale }: Rendered, market: Market, block: BlockRef): Answer {
    const meta = JSON.stringify({ ...metaJsonOf(market, block, stale), ...extra })
    const bytes = Buffer.from(`${text.slice(0, -1)},"meta":${meta}}`)
    return { bytes, etag, blockNumber: block.number, path, stale }
  }

  function keep(key: string, rendered: Rendered): void {
    const old = kept.get(key)
    if (old === rendered) return
    if (old) bytes -= sizeOf(old)
    kept.delete(key)
    kept.set(key, rendered)
    bytes += sizeOf(rendered)
    for (const [oldest, each] of kept) {
      if (kept.size <= maxAnswers && bytes <= maxBytes) break
      kept.delete(oldest)
      bytes -= sizeOf(each)
    }
  }
}

/** Its text, and the bytes that are kept for the last block. */
const sizeOf = ({ text }: Rendered): number => 2 * text.length
