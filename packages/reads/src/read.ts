import type { At, Deployments, MarketReader } from '@svc/chain'
import type { Market } from '@svc/protocol'
import type { ApiErrorCode } from '@svc/protocol/http'
import type { Parsed, Schema, Shape } from '@svc/serve'

/** What every route says of itself: validation, documents and the client are made of it. */
export interface Described {
  path: `/${string}`
  summary: string
  /** What a reader must know beyond the summary. */
  description?: string
  tag: 'market' | 'wallet' | 'actions' | 'posting' | 'service'
  /** Of the body with status 200. */
  answer: Schema
  /** The errors it answers with, by status; those of every route are not repeated. */
  errors?: Readonly<Partial<Record<number, readonly ApiErrorCode[]>>>
}

/** A read of one market: cacheable, stamped with its block, from the index or from the chain. */
export interface ReadRoute<S extends Shape = Shape> extends Described {
  kind: 'read'
  query: S
  /** The answer depends on the time of the block, not on the events alone. */
  timed?: boolean
  /** Read straight from the chain it looks through so much and no more: a page may be short, with a next one all the same. */
  partial?: boolean
  /** Which market the query is about. */
  marketOf: (query: Parsed<S>) => Market
  read: (query: Parsed<S>, reader: MarketReader, places: Deployments) => Promise<At<Content>>
}

/** The body of a read without what is common to all, and what it adds to `meta`. */
export type Content = { meta?: Readonly<Record<string, unknown>> } & (
  | { body: Readonly<Record<string, unknown>> }
  | Written
)

/** A body that is text already, without any letter beyond ASCII. */
export interface Written {
  /** Together an object without its closing brace. Joined they would be copied once more. */
  parts: readonly string[]
  /** Stay as long as the text does, so that it need not be hashed. */
  marks: Uint8Array
}

/** A read route; only helps the types. */
export function defineRead<S extends Shape>(route: Omit<ReadRoute<S>, 'kind'>): ReadRoute {
  return { kind: 'read', ...route } as unknown as ReadRoute
}
