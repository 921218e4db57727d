import { type Facts, open, parse, queryOf, respond } from '@svc/serve'
import type { Ctx } from './call.ts'
import type { Answer, Answers } from './reads/answers.ts'
import type { ReadDeps, ReadRoute } from './route.ts'

/** So long an answer that looks through all logs serves. */
const wideLifeMs = 10_000

/** Answers read routes: each at one block, which it names. */
export function createReadHandler(answers: Answers, deps: ReadDeps) {
  return async (c: Ctx, route: ReadRoute): Promise<Response> => {
    const query = parse(route.query, { ...queryOf(new URL(c.req.url).searchParams), ...c.req.param() })
    const { minBlock, ...rest } = query as typeof query & { minBlock?: number }
    const answer = await answers({
      key: `${route.path} ${JSON.stringify(rest, (_, value) => (typeof value === 'bigint' ? `${value}` : value))}`,
      market: route.marketOf(query),
      lifeMs: route.wide ? wideLifeMs : 0,
      minBlock,
      read: () => route.read(query, deps),
    })
    return send(c.env, answer, c.req.header('if-none-match'))
  }
}

function send(facts: Facts, { text, etag, blockNumber, stale }: Answer, given: string | undefined): Response {
  const headers = {
    ...open,
    ...facts.limit?.headers(facts.left),
    'cache-control': 'no-store',
    'content-type': 'application/json',
    etag,
    'x-block-number': String(blockNumber),
    'x-read-path': 'direct',
    ...(stale && { warning: '110 - "Response is Stale"' }),
  }
  return given === etag ? respond(facts, 304, null, headers) : respond(facts, 200, text, headers)
}
