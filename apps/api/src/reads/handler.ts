import { type Facts, open, type Parsed, parse, queryOf, respond, type Shape } from '@svc/serve'
import type { ReadRoute } from '../route.ts'
import type { Answer, Answers } from './answers.ts'

const shared = 'public, max-age=0, s-maxage=1, stale-while-revalidate=5, stale-if-error=60'

/** So many questions are remembered, and none that is longer. */
const [maxQuestions, maxChars] = [5_000, 300]

/** Answers read routes. A question that was asked before in the same words is not parsed again. */
export function createReadHandler(answers: Answers) {
  const parsed = new Map<string, Parsed<Shape>>()

  return (request: Request, facts: Facts, route: ReadRoute): Response | Promise<Response> => {
    const answer = answers(route, questionOf(request.url, route))
    const given = request.headers.get('if-none-match')
    return answer instanceof Promise ? answer.then((each) => send(facts, each, given)) : send(facts, answer, given)
  }

  function questionOf(url: string, route: ReadRoute): Parsed<Shape> {
    const words = url.slice(url.indexOf('/', 8))
    const known = parsed.get(words)
    if (known) return known
    const query = parse(route.query, queryOf(new URL(url).searchParams))
    if (words.length <= maxChars) {
      if (parsed.size >= maxQuestions) parsed.clear()
      parsed.set(words, query)
    }
    return query
  }
}

function send(facts: Facts, { bytes, etag, blockNumber, path, stale }: Answer, given: string | null): Response {
  const headers = {
    ...open,
    'cache-control': shared,
    'content-type': 'application/json',
    etag,
    'x-block-number': String(blockNumber),
    'x-read-path': path,
    ...(stale && { warning: '110 - "Response is Stale"' }),
  }
  return given !== null && matches(given, etag)
    ? respond(facts, 304, null, headers)
    : respond(facts, 200, bytes, headers)
}

/** Whether the client has this content already. */
function matches(given: string, etag: string): boolean {
  return given.split(',', 50).some((each) => each.trim() === etag || each.trim() === '*')
}
