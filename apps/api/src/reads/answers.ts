import { hash } from 'node:crypto'
import type { At, BlockRef, Deployments } from '@svc/chain'
import type { Market } from '@svc/protocol'
import { metaJsonOf } from '@svc/protocol/http'
import type { Content, ReadRoute, Written } from '@svc/reads'
import type { Parsed, Shape } from '@svc/serve'
import type { Origin, Reads } from './reads.ts'
import { createShelf } from './shelf.ts'
import type { Watch } from './watch.ts'

/** An answer ready to be sent. */
export interface Answer extends Origin {
  /** Texts have no letter beyond ASCII. */
  body: readonly string[] | Uint8Array<ArrayBuffer>
  /** Changes only with the content: not with the block it is true at. */
  etag: string
  blockNumber: bigint
}

interface Rendered extends Origin {
  /** The body without its closing brace. */
  parts: readonly string[]
  extra: Readonly<Record<string, unknown>>
  etag: string
  /** While this stays, so does the content; empty: nothing says what it depends on, and it is used once. */
  version: string
  /** For so long an answer straight from the chain is good. */
  until: number
  /** The answer at one block, kept while that block is served. */
  last: { hash: string; answer: Answer }
  /** Asked for more than once: then bytes are sent quicker than text, which has to be made bytes every time. */
  isWanted: boolean
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
  const kept = createShelf<Rendered>({
    maxCount: maxAnswers,
    maxBytes,
    sizeOf: ({ parts, isWanted }) => (isWanted ? 2 : 1) * lengthOf(parts),
    onWantedAgain(rendered) {
      const { answer } = rendered.last
      rendered.isWanted = true
      if (!(answer.body instanceof Uint8Array)) rendered.last.answer = { ...answer, body: bytesOf(answer.body) }
    },
  })
  const asked = new Map<string, Promise<Rendered>>()
  const keys = new WeakMap<Parsed<Shape>, string>()

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
    kept.put(key, rendered)
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
    const { meta: extra = {}, block, path, stale } = found
    const { parts, marks } = 'parts' in found ? found : writtenOf(found.body)
    const etag = `W/"${hash('sha256', Buffer.concat([marks, Buffer.from(JSON.stringify(extra))]), 'base64url').slice(0, 22)}"`
    // The index may have moved on since it was asked: then nothing says what this content depends on.
    const same = watch.indexed(market)?.hash === block.hash && versionOf(route, market) === version
    // Only what is known to be ASCII can be sent as text.
    const rendered = { parts, extra, etag, path, stale, isWanted: 'body' in found }
    return {
      ...rendered,
      version: same ? version : '',
      until: now() + directLifeMs,
      last: { hash: block.hash, answer: write(rendered, market, block) },
    }
  }

  /** The answer at the block that is served now; the content is the same at both. */
  function at(rendered: Rendered, market: Market): Answer {
    const indexed = rendered.path === 'index' && rendered.version !== '' ? watch.indexed(market) : null
    if (!indexed || indexed.hash === rendered.last.hash) return rendered.last.answer
    rendered.last = { hash: indexed.hash, answer: write(rendered, market, indexed) }
    return rendered.last.answer
  }

  function write(
    { parts, extra, etag, path, stale, isWanted }: Omit<Rendered, 'version' | 'until' | 'last'>,
    market: Market,
    block: BlockRef,
  ): Answer {
    const meta = JSON.stringify({ ...metaJsonOf(market, block, stale), ...extra })
    const body = [...parts, `,"meta":${meta}}`]
    return { body: isWanted ? bytesOf(body) : body, etag, blockNumber: block.number, path, stale }
  }
}

/** A body as text, which is its own mark. */
function writtenOf(body: Readonly<Record<string, unknown>>): Written {
  const text = JSON.stringify(body).slice(0, -1)
  return { parts: [text], marks: Buffer.from(text) }
}

const bytesOf = (parts: readonly string[]) => Buffer.from(parts.join(''))
const lengthOf = (parts: readonly string[]) => parts.reduce((length, part) => length + part.length, 0)
