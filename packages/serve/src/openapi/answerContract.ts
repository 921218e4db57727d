import type { RequestContext } from '../requestContext.ts'
import { open, respond } from '../respond.ts'
import { formatOpenapi } from './buildOpenapi.ts'
import type { OpenapiDocument } from './types.ts'

/** Creates the answer with the contract of a service as YAML. It is built for the first request, so that a start does not wait for it. */
export function createContractAnswer(build: () => OpenapiDocument, cacheControl: string) {
  let text: Promise<string> | undefined
  const headers = { ...open, 'content-type': 'application/yaml', 'cache-control': cacheControl }
  return async (context: RequestContext): Promise<Response> => {
    text ??= formatOpenapi(build())
    return respond(context, 200, await text, headers)
  }
}
