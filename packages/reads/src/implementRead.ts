import type { At, Deployments, MarketReader } from '@svc/chain'
import { type Operation, parseInput, type Schema, type Surplus } from '@svc/operations'
import type { Market } from '@svc/protocol'
import type * as z from 'zod'

/** A parsed question about one market, ready to run on a reader. */
export interface Question extends ReadTraits {
  /** Equal for equal questions, regardless of spelling. */
  key: string
  market: Market
  /** About how many calls to a provider it takes if it is answered from the chain. */
  chainCost: number
  run: (reader: MarketReader, deployments: Deployments) => Promise<At<Content>>
}

/** What a cache or a verifier must know about the answer. */
export interface ReadTraits {
  /** Read from the chain, a page may be shorter than a page of the index. */
  partial: boolean
  /** Scans all logs of a market, so the answer is reused for some seconds. */
  costly: boolean
  /** Not in the index, so it is always read from the chain. */
  unindexed: boolean
}

/** The body without the fields of every read, and what the read adds to `meta`. */
export type Content = { meta?: object | undefined } & Validity & ({ body: object } | SerializedBody)

/** How long an answer holds if nothing happens on the chain. */
export interface Validity {
  /** The last block time, in unix seconds, at which the same state gives the same answer. Default: it does not depend on time. */
  validUntil?: number | null
}

/** A body that is already serialized, in ASCII only. */
export interface SerializedBody {
  /** Together an object without its closing brace. Joining them here would copy them once more. */
  parts: readonly string[]
  /** Changes when the text does, so that the text need not be hashed. */
  marks: Uint8Array
}

/** A read that takes its input as JSON. Its types were checked where it was implemented. */
export interface ReadHandler<Name extends string = string> {
  operation: Operation<'read', Schema, Schema, Name>
  /** Parses the input. Throws a `ServiceError` that names the first invalid field. */
  ask: (given: unknown) => Question
}

/** The output without the fields of every read. */
type BodyOf<Output extends Schema> = Omit<z.input<Output>, 'meta'>

/** What a read adds to `meta`: a list says where the next page starts. */
type MetaOf<Output extends Schema> =
  z.input<Output> extends { meta: { nextCursor: infer Cursor } }
    ? { meta: { nextCursor: Cursor } }
    : { meta?: undefined }

type FindMarket<Input extends Schema> =
  z.output<Input> extends { market: Market }
    ? { marketOf?: (input: z.output<Input>) => Market }
    : { marketOf: (input: z.output<Input>) => Market }

/**
 * Binds a read to the code that answers it: `implementRead(operations.getTask)({ … })`. A body that is not the output of
 * the operation is a type error: a field that is missing, misspelt, of another type, or too many.
 */
export const implementRead =
  <Input extends Schema, Output extends Schema, Name extends string>(
    operation: Operation<'read', Input, Output, Name> & { chainCost: number },
  ) =>
  <Body extends BodyOf<Output>>({
    marketOf = readMarket,
    addedCost,
    run,
    partial = false,
    costly = false,
    unindexed = false,
  }: Partial<ReadTraits> &
    FindMarket<Input> & {
      /** What an input adds to the cost of the operation. */
      addedCost?: (input: z.output<Input>) => number
      run: (
        input: z.output<Input>,
        reader: MarketReader,
        deployments: Deployments,
      ) => Promise<At<({ body: Body & Surplus<Body, BodyOf<Output>> } | SerializedBody) & MetaOf<Output> & Validity>>
    }): ReadHandler<Name> => ({
    operation,
    ask(given) {
      const input = parseInput(operation, given)
      return {
        key: `${operation.name} ${JSON.stringify(input, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`,
        market: marketOf(input),
        partial,
        costly,
        unindexed,
        chainCost: operation.chainCost + (addedCost?.(input) ?? 0),
        run: (reader, deployments) => run(input, reader, deployments),
      }
    },
  })

function readMarket(input: unknown): Market {
  return (input as { market: Market }).market
}

/** The body of an answer as JSON, for callers that do not need it as text. */
export const parseBody = (content: Content): object =>
  'parts' in content ? JSON.parse(`${content.parts.join('')}}`) : content.body
