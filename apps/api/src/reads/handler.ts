import type { ReadRoute } from '@svc/reads'
import {
  type Facts,
  headersOf,
  open,
  type Parsed,
  parse,
  type QuickAnswer,
  queryOf,
  type Reply,
  respond,
  type Shape,
} from '@svc/serve'
import type { Answer, Answers } from './answers.ts'

const shared = 'public, max-age=0, s-maxage=1, stale-while-revalidate=5, stale-if-error=60'

/** So many questions are remembered, and none that is longer. */
const [maxQuestions, maxChars] = [5_000, 300]

export interface ReadHandler {
  answer: (request: Request, facts: Facts, route: ReadRoute) => Response | Promise<Response>
  /** The same for a request that became no `Request`. Throws what the other throws. */
  quickAt: (route: ReadRoute) => QuickAnswer
}

/** Answers read routes. A question that was asked before in the same words is not parsed again. */
export function createReadHandler(answers: Answers): ReadHandler {
  const parsed = new Map<string, Parsed<Shape>>()
  const written = new WeakMap<Answer, readonly string[]>()

  return {
    answer({ url, headers }, facts, route) {
      const answer = answers(route, questionOf(url.slice(url.indexOf('/', 8)), route))
      const given = headers.get('if-none-match')
      return answer instanceof Promise
        ? answer.then((each) => responseOf(facts, each, given))
        : responseOf(facts, answer, given)
    },
    quickAt: (route) => (url, headers) => {
      const answer = answers(route, questionOf(url, route))
      const given = headers['if-none-match'] ?? null
      return answer instanceof Promise ? answer.then((each) => replyOf(each, given)) : replyOf(answer, given)
    },
  }

  /** What is asked in the words after the host. */
  function questionOf(words: string, route: ReadRoute): Parsed<Shape> {
    const known = parsed.get(words)
    if (known) return known
    const [before = ''] = words.split('#', 1)
    const at = before.indexOf('?')
    const query = parse(route.query, queryOf(new URLSearchParams(at < 0 ? '' : before.slice(at))))
    if (words.length <= maxChars) {
      if (parsed.size >= maxQuestions) parsed.clear()
      parsed.set(words, query)
    }
    return query
  }

  function replyOf(answer: Answer, given: string | null): Reply {
    let headers = written.get(answer)
    if (!headers) {
      headers = Object.entries({ ...common, ...headersFor(answer) }).flat()
      written.set(answer, headers)
    }
    const isKnown = given !== null && matches(given, answer.etag)
    return { status: isKnown ? 304 : 200, headers, body: isKnown ? null : answer.body }
  }
}

function responseOf(facts: Facts, answer: Answer, given: string | null): Response {
  const headers = headersFor(answer)
  if (given !== null && matches(given, answer.etag)) return respond(facts, 304, null, headers)
  return respond(facts, 200, answer.body instanceof Uint8Array ? answer.body : answer.body.join(''), headers)
}

/** What every answer has, but for its own name. */
const { 'x-request-id': _, ...common } = headersOf({ id: '', client: '', limit: null, left: 0 })

const headersFor = ({ etag, blockNumber, path, stale }: Answer) => ({
  ...open,
  'cache-control': shared,
  'content-type': 'application/json',
  etag,
  'x-block-number': String(blockNumber),
  'x-read-path': path,
  ...(stale && { warning: '110 - "Response is Stale"' }),
})

/** Whether the client has this content already. */
function matches(given: string, etag: string): boolean {
  return given === etag || given.split(',', 50).some((each) => each.trim() === etag || each.trim() === '*')
}
