import {
  type At,
  type BlockRef,
  createChainReader,
  createProvingReader,
  type Deployments,
  getMarketDeployment,
  type Providers,
  unprovenParts,
} from '@svc/chain'
import { buildResponseMeta, createQueryParser, metaJson, readPaths, ServiceError } from '@svc/operations'
import { SvcError } from '@svc/protocol'
import type { SvcErrorOptions } from '@svc/protocol/internal/base'
import * as z from 'zod'
import { type Comparison, compare } from './compare.ts'
import { completeReader } from './completeReader.ts'
import { type Content, parseBody, type Question, type ReadHandler } from './implementRead.ts'
import { findRead, reads } from './reads.ts'

/** What an answer is verified against. */
export interface VerifyDeps {
  providers: Providers
  deployments: Deployments
}

export interface VerifyOptions {
  /** Trust no provider about a single task: prove it from the block hash. Other answers are rejected. */
  proof?: boolean
}

/** Whether an answer matches the chain at the block that it names. */
export interface Verdict extends Comparison {
  equal: boolean
  /** The block on the chain. */
  block: BlockRef
  /** Fields that were checked only against the provider, although a proof was requested. */
  notProven: readonly string[]
  /** Fields of the answer that are not on the chain. */
  notFromChain: readonly string[]
}

const named = z.object({
  meta: z.object({
    block: metaJson.shape.block,
    stale: z.unknown().optional(),
    // Any other word is a difference.
    path: z.enum(readPaths).catch('chain'),
  }),
})

/**
 * Repeats the read of a URL directly on the chain, at the block that the answer names, and compares every value. Throws
 * `UnverifiableError` if the answer names no block or the URL is not a read of a market, and `ChainReadError` if the block is
 * gone or cannot be read.
 */
export async function verifyAnswer(
  url: string | URL,
  body: unknown,
  { providers, deployments }: VerifyDeps,
  { proof = false }: VerifyOptions = {},
): Promise<Verdict> {
  const { handler, question } = parseUrl(new URL(url))
  if (proof && handler !== reads.getTask)
    throw new UnverifiableError('Only the answer for a single task can be proven.')
  const { success, data } = named.safeParse(body)
  if (!success)
    throw new UnverifiableError('The answer names no block in meta.block, so nothing says when it was true.')
  const { block: at, stale, path } = data.meta
  const places = getMarketDeployment(deployments)
  const hash = at.hash as BlockRef['hash']
  const pinned = proof
    ? createProvingReader(providers, deployments, hash)
    : createChainReader(providers, places, { at: hash })
  // The bundles are derived from the timeline.
  const notProven = proof ? [...unprovenParts, 'bundles'].map((part) => `task.${part}`) : []
  // `meta.path` only says how the service read the chain, so there is nothing to verify about it.
  const notFromChain = stale === true ? ['meta.stale'] : []

  const held = async (reader: typeof pinned): Promise<Verdict> => {
    const found = await question.run(reader, deployments).catch(expectNotFound)
    const block = found instanceof ServiceError ? await reader.head() : found.block
    const expected =
      found instanceof ServiceError
        ? found.message
        : writeBody(found, buildResponseMeta(question.market, block, { path, stale: stale === true }))
    const comparison = compare(body, expected)
    return { equal: comparison.differences.length === 0, block, ...comparison, notProven, notFromChain }
  }

  // Pages from the chain may be shorter than pages of the index. Both are correct.
  const first = await held(pinned)
  if (first.equal || !question.partial) return first
  return held(completeReader(pinned, places))
}

/** Reads what a URL asks for from the chain, at its newest block: the answer of an honest service. */
export async function readAnswer(url: string | URL, { providers, deployments }: VerifyDeps): Promise<unknown> {
  const { question } = parseUrl(new URL(url))
  const reader = createChainReader(providers, getMarketDeployment(deployments))
  const found = await question.run(reader, deployments).catch((error: unknown) => {
    throw error instanceof ServiceError ? new UnverifiableError(error.message) : error
  })
  return writeBody(found, buildResponseMeta(question.market, found.block))
}

/** The whole body as it is sent. */
const writeBody = (found: At<Content>, meta: object): unknown => ({
  ...parseBody(found),
  meta: { ...meta, ...found.meta },
})

function parseUrl(url: URL): { handler: ReadHandler; question: Question } {
  const found = findRead(url.pathname)
  if (!found) {
    throw new UnverifiableError(
      `${url.pathname} is not a read of a market: only those can be read again from the chain.`,
    )
  }
  const { handler, given } = found
  try {
    const query = createQueryParser(handler.operation, Object.keys(given))(url.searchParams)
    return { handler, question: handler.ask({ ...query, ...given }) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new UnverifiableError(`The URL cannot be answered: ${error.message}`)
  }
}

/** Returns only a "not found" error, which is an answer too. */
function expectNotFound(error: unknown): ServiceError {
  if (error instanceof ServiceError && error.status === 404) return error
  if (error instanceof ServiceError && error.code === 'INDEX_REQUIRED')
    throw new UnverifiableError('A search cannot be repeated on the chain. Verify the tasks that it found one by one.')
  throw error
}

/** The answer cannot be compared with the chain at all. */
export class UnverifiableError extends SvcError {
  override name = 'UnverifiableError'

  constructor(message: string, options?: SvcErrorOptions) {
    super('UNVERIFIABLE', message, options)
  }
}
