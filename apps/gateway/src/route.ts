import type { At, Deployments, MarketReader, Providers } from '@svc/chain'
import type { Market } from '@svc/protocol'
import type { Parsed, Shape } from '@svc/serve'
import type { Content } from './reads/answers.ts'

/** What reads work with. */
export interface ReadDeps {
  reader: MarketReader
  providers: Providers
  places: Deployments
}

/** A read of one market at one block. */
export interface ReadRoute<S extends Shape = Shape> {
  path: `/${string}`
  /** Of the query and of the path's own parameters. */
  query: S
  marketOf: (query: Parsed<S>) => Market
  /** It looks through all logs of a market, so its answer serves for some seconds. */
  wide?: boolean
  read: (query: Parsed<S>, deps: ReadDeps) => Promise<At<Content>>
}

/** A read route; only helps the types. */
export const defineRead = <S extends Shape>(route: ReadRoute<S>): ReadRoute => route as unknown as ReadRoute
