import {
  type At,
  type BlockRef,
  createChainReader,
  createProvingReader,
  type Deployments,
  marketPlaces,
  type Providers,
  unprovenParts,
} from '@svc/chain'
import { metaJson, metaJsonOf } from '@svc/protocol/http'
import { HttpError, type Parsed, parse, queryOf, type Shape } from '@svc/serve'
import { z } from 'zod'
import { type Comparison, compare } from './compare.ts'
import { completeReader } from './completeReader.ts'
import type { Content, ReadRoute } from './read.ts'
import { task } from './rows/market/task.ts'
import { questionOf } from './rows.ts'

/** What an answer is held against. */
export interface VerifyDeps {
  providers: Providers
  deployments: Deployments
}

export interface VerifyOptions {
  /** Believe no provider about a single task: prove it from the block's hash. Other answers are refused. */
  proof?: boolean
}

/** Whether an answer is what the chain says at the block that the answer names. */
export interface Verdict extends Comparison {
  equal: boolean
  /** The block as the chain has it. */
  block: BlockRef
  /** What was compared with the provider's word alone, although a proof was asked for. */
  notProven: readonly string[]
  /** What the answer says and no chain can tell. */
  notFromChain: readonly string[]
}

const named = z.object({ meta: z.object({ block: metaJson.shape.block, stale: z.unknown().optional() }) })

/**
 * Reads again, straight from the chain and at the block that an answer names, what the URL asks for, and compares value by
 * value. Throws `UnverifiableError` for an answer that names no block or a URL that is no read of a market, and a
 * `ChainReadError` where the block is gone or cannot be read.
 */
export async function verifyAnswer(
  url: string | URL,
  body: unknown,
  { providers, deployments }: VerifyDeps,
  { proof = false }: VerifyOptions = {},
): Promise<Verdict> {
  const { row, query } = asked(new URL(url))
  if (proof && row !== task) throw new UnverifiableError('Only the answer for a single task can be proven.')
  const { success, data } = named.safeParse(body)
  if (!success)
    throw new UnverifiableError('The answer names no block in meta.block, so nothing says when it was true.')
  const { block: at, stale } = data.meta
  const places = marketPlaces(deployments)
  const hash = at.hash as BlockRef['hash']
  const pinned = proof
    ? createProvingReader(providers, deployments, hash)
    : createChainReader(providers, places, { at: hash })
  const notProven = proof ? unprovenParts.map((part) => `task.${part}`) : []
  const notFromChain = stale === true ? ['meta.stale'] : []

  const held = async (reader: typeof pinned): Promise<Verdict> => {
    const found = await row.read(query, reader, deployments).catch(refused)
    const block = found instanceof HttpError ? await reader.head() : found.block
    const expected =
      found instanceof HttpError ? found.message : bodyOf(found, metaJsonOf(row.marketOf(query), block, stale === true))
    const comparison = compare(body, expected)
    return { equal: comparison.differences.length === 0, block, ...comparison, notProven, notFromChain }
  }

  // Pages straight from the chain may be shorter than pages of the index: both are true.
  const first = await held(pinned)
  if (first.equal || !row.partial) return first
  return held(completeReader(pinned, places))
}

/** What the chain itself answers at a URL, at its newest block: what an honest service would. */
export async function answerOf(url: string | URL, { providers, deployments }: VerifyDeps): Promise<unknown> {
  const { row, query } = asked(new URL(url))
  const reader = createChainReader(providers, marketPlaces(deployments))
  const found = await row.read(query, reader, deployments).catch((error: unknown) => {
    throw error instanceof HttpError ? new UnverifiableError(error.message) : error
  })
  return bodyOf(found, metaJsonOf(row.marketOf(query), found.block, false))
}

/** The whole body as it is sent. */
function bodyOf(found: At<Content>, meta: object): unknown {
  const content = 'parts' in found ? JSON.parse(`${found.parts.join('')}}`) : found.body
  return { ...content, meta: { ...meta, ...found.meta } }
}

function asked(url: URL): { row: ReadRoute; query: Parsed<Shape> } {
  const question = questionOf(url.pathname)
  if (!question) {
    throw new UnverifiableError(`${url.pathname} is no read of a market: only those can be read again from the chain.`)
  }
  try {
    const { row, given } = question
    const query = parse(row.query, { ...queryOf(url.searchParams), ...given })
    row.marketOf(query)
    return { row, query }
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    throw new UnverifiableError(`The URL asks for nothing that has an answer: ${error.message}`)
  }
}

/** What the chain does not have, it says in words. */
function refused(error: unknown): HttpError {
  if (error instanceof HttpError && error.status === 404) return error
  throw error
}

/** An answer that cannot be held against the chain at all. */
export class UnverifiableError extends Error {
  override name = 'UnverifiableError'
}
