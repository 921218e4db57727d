import { createQueryParser, parseReadOptions, type QueryParser, type ReadOptions } from '@svc/operations'
import type { Question, ReadHandler } from '@svc/reads'
import { open, type RequestContext, respond } from '@svc/serve'
import type { Answer, Answers } from './answers.ts'

const shared = 'public, max-age=0, s-maxage=1, stale-while-revalidate=5, stale-if-error=60'

/** Maximum number of cached URLs, and the maximum length of one. */
const [maxQuestions, maxChars] = [5_000, 300]

/** Answers reads over HTTP. */
export interface ReadResponder {
  respond: (request: Request, context: RequestContext, handler: ReadHandler) => Response | Promise<Response>
}

interface Asked {
  question: Question
  options: ReadOptions
}

/** Answers reads over HTTP. Caches parsed URLs. */
export function createReadResponder(answers: Answers): ReadResponder {
  const parsed = new Map<string, Asked>()
  const parsers = new Map<ReadHandler, QueryParser>()

  return {
    respond({ url, headers }, context, handler) {
      const { question, options } = parseUrl(url.slice(url.indexOf('/', 8)), handler)
      const answer = answers(question, context.client, options)
      const given = headers.get('if-none-match')
      return answer instanceof Promise
        ? answer.then((each) => respondWith(context, each, given))
        : respondWith(context, answer, given)
    },
  }

  /** Parses a URL without its origin. */
  function parseUrl(text: string, handler: ReadHandler): Asked {
    const known = parsed.get(text)
    if (known) return known
    const [before = ''] = text.split('#', 1)
    const at = before.indexOf('?')
    const given = getQueryParser(handler)(new URLSearchParams(at < 0 ? '' : before.slice(at)))
    const asked = { question: handler.ask(given), options: parseReadOptions(given) }
    if (text.length <= maxChars) {
      if (parsed.size >= maxQuestions) parsed.clear()
      parsed.set(text, asked)
    }
    return asked
  }

  function getQueryParser(handler: ReadHandler): QueryParser {
    const parser = parsers.get(handler) ?? createQueryParser(handler.operation)
    parsers.set(handler, parser)
    return parser
  }
}

function respondWith(context: RequestContext, answer: Answer, given: string | null): Response {
  const headers = headersFor(answer)
  if (given !== null && matches(given, answer.etag)) return respond(context, 304, null, headers)
  return respond(context, 200, answer.body instanceof Uint8Array ? answer.body : answer.body.join(''), headers)
}

const headersFor = ({ etag, blockNumber, path, stale }: Answer) => ({
  ...open,
  'cache-control': shared,
  'content-type': 'application/json',
  etag,
  'x-block-number': String(blockNumber),
  'x-read-path': path,
  ...(stale && { warning: '110 - "Response is Stale"' }),
})

/** Whether the client already has this content. */
function matches(given: string, etag: string): boolean {
  return given === etag || given.split(',', 50).some((each) => each.trim() === etag || each.trim() === '*')
}
