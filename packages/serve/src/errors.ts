import type { ErrorCode, ErrorJson } from '@svc/protocol/http'

/** The only error that handlers throw on purpose: what the client is told, and nothing else. */
export class HttpError extends Error {
  override name = 'HttpError'
  readonly status: number
  readonly body: ErrorJson
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    {
      headers = {},
      ...more
    }: Pick<ErrorJson, 'hint' | 'field' | 'reason' | 'quota'> & { headers?: Record<string, string> } = {},
  ) {
    super(message)
    this.status = status
    this.body = { error: message, code, ...more }
    this.headers = headers
  }
}

/** Something that is away and comes back: the client may ask again after so many seconds. */
export function awayError(code: ErrorCode, message: string, seconds = 1): HttpError {
  return new HttpError(503, code, message, { headers: { 'retry-after': String(seconds) } })
}
