import {
  createQueryParser,
  createUnknownParameterError,
  describeInputFields,
  type Endpoint,
  type Operation,
  splitEndpoint,
} from '@svc/operations'
import type { Context, Hono } from 'hono'
import type { Caller } from './implementCalls.ts'
import { readRequestBody } from './readRequestBody.ts'
import type { RequestContext } from './requestContext.ts'

export type HttpContext = Context<{ Bindings: RequestContext }>

/** Reads the input of a request as JSON: from the path, and from the query or the body. */
export type ReadInput = () => Promise<Record<string, unknown>>

const maxBody = 64 * 1024

/** Serves every endpoint of a table. A missing handler, or one of another operation, is a type error. */
export function mountHttp<
  Handler extends { operation: Operation },
  Endpoints extends Readonly<Record<string, Endpoint>>,
>(
  app: Hono<{ Bindings: RequestContext }>,
  endpoints: Endpoints,
  handlers: { readonly [Name in keyof Endpoints]: Handler & { operation: { name: Name } } },
  answer: (handler: Handler, c: HttpContext, readInput: ReadInput) => Response | Promise<Response>,
): void {
  for (const name in endpoints) {
    const { method, path } = splitEndpoint(endpoints[name] as Endpoint)
    const handler = handlers[name]
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, field = '']) => field)
    const parseQuery = createQueryParser(handler.operation, inPath)
    const hasMore = Object.keys(describeInputFields(handler.operation)).some((field) => !inPath.includes(field))

    const readRest = (request: Request) => {
      const { searchParams } = new URL(request.url)
      if (method === 'get') return parseQuery(searchParams)
      const [unknown] = searchParams.keys()
      if (unknown !== undefined) throw createUnknownParameterError(unknown, [])
      return hasMore ? readRequestBody(request, handler.operation.maxBody ?? maxBody) : {}
    }
    app.on(method.toUpperCase(), path, (c) =>
      answer(handler, c, async () => ({ ...(await readRest(c.req.raw)), ...c.req.param() })),
    )
  }
}

/** The caller of a request, and the headers that the call sets. */
export function identifyCaller(c: HttpContext): { caller: Caller; headers: Readonly<Record<string, string>> } {
  const headers: Record<string, string> = {}
  const { signal, headers: given } = c.req.raw
  const setHeader = (name: string, value: string) => {
    headers[name] = value
  }
  return { caller: { client: c.env.client, signal, headers: given, setHeader }, headers }
}
