import type { Random } from '../sim/random.ts'

/** A request, byte for byte as it goes over the wire. */
export interface RawRequest {
  method: string
  target: string
  /** Names and values in order; values are bytes in latin1. */
  headers: readonly (readonly [name: string, value: string])[]
  body: Buffer | null
  /** What was done to it. */
  label: string
  /** No HTTP any more: the server may hang up without a word. */
  broken?: boolean
}

/** One way to spoil a request. */
export type Spoil = (request: RawRequest, random: Random) => RawRequest

/** The bytes of a request. A body comes with its length, unless a header speaks of it already. */
export function bytesOf({ method, target, headers, body }: RawRequest): Buffer {
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

/** A request with other headers of these names. */
export const withHeaders = (request: RawRequest, headers: RawRequest['headers']): RawRequest => ({
  ...request,
  headers: [
    ...request.headers.filter(([name]) => !headers.some(([other]) => other.toLowerCase() === name.toLowerCase())),
    ...headers,
  ],
})
