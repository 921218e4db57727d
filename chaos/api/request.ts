import type { Random } from '@svc/simulation/random'

/** A request, byte for byte as it is sent. */
export interface RawRequest {
  method: string
  target: string
  /** Names and values in order; values are latin1 bytes. */
  headers: readonly (readonly [name: string, value: string])[]
  body: Buffer | null
  /** What was changed in it. */
  label: string
  /** Not valid HTTP any more: the server may close the connection without an answer. */
  isMalformed?: boolean
}

/** One way to corrupt a request. */
export type Mutator = (request: RawRequest, random: Random) => RawRequest

/** Encodes a request. Adds the length of the body unless a header gives it already. */
export function encodeRequest({ method, target, headers, body }: RawRequest): Buffer {
  const given = new Set(headers.map(([name]) => name.toLowerCase()))
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(given.has('host') || given.has('no-host') ? [] : ['Host: 127.0.0.1']),
    ...headers.filter(([name]) => name !== 'no-host').map(([name, value]) => `${name}: ${value}`),
    ...(given.has('connection') ? [] : ['Connection: close']),
    ...(body === null || given.has('content-length') || given.has('transfer-encoding')
      ? []
      : [`Content-Length: ${body.length}`]),
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return body === null ? head : Buffer.concat([head, body])
}

/** Replaces headers by name. */
export const replaceHeaders = (request: RawRequest, headers: RawRequest['headers']): RawRequest => ({
  ...request,
  headers: [
    ...request.headers.filter(([name]) => !headers.some(([other]) => other.toLowerCase() === name.toLowerCase())),
    ...headers,
  ],
})
