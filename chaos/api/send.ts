import { connect } from 'node:net'
import { encodeRequest, type RawRequest } from './request.ts'

/** A parsed response. */
export interface RawAnswer {
  /** Null: the server closed the connection without an answer. */
  status: number | null
  headers: Readonly<Record<string, string>>
  body: string
  ms: number
}

const maxBytes = 4_000_000

/** Sends a request over its own connection and reads the answer to its end; of a stream, only the head. */
export function sendRaw(port: number, request: RawRequest, timeoutMs = 5_000): Promise<RawAnswer> {
  const began = performance.now()
  return new Promise((done, fail) => {
    const chunks: Buffer[] = []
    let size = 0
    const socket = connect(port, '127.0.0.1')
    const finish = () => {
      socket.destroy()
      done({ ...parseAnswer(Buffer.concat(chunks)), ms: performance.now() - began })
    }
    socket.setTimeout(timeoutMs, () => {
      socket.destroy()
      fail(
        new Error(
          `no answer within ${timeoutMs} ms; so far: ${Buffer.concat(chunks).toString('latin1').slice(0, 200)}`,
        ),
      )
    })
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBytes || isWhole(Buffer.concat(chunks), request.method)) finish()
    })
    socket.on('end', finish)
    // A server that stops reading resets the connection. What it sent before still counts.
    socket.on('error', finish)
    socket.on('connect', () => {
      // A body that is shorter than announced ends here, so that the server does not wait for the rest.
      if (request.isMalformed) socket.end(encodeRequest(request))
      else socket.write(encodeRequest(request))
    })
  })
}

/** Whether the answer is complete: by its length, its last chunk, or the head of a stream. */
function isWhole(bytes: Buffer, method: string): boolean {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return false
  const head = bytes.subarray(0, end).toString('latin1')
  const rest = bytes.subarray(end + 4)
  if (/^HTTP\/1\.1 1/.test(head)) return isWhole(rest, method)
  if (method === 'HEAD' || /^HTTP\/1\.1 [23]04/.test(head) || /content-type: text\/event-stream/i.test(head))
    return true
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  return length === undefined ? rest.subarray(-5).toString('latin1') === '0\r\n\r\n' : rest.length >= Number(length)
}

/** Parses the last response in these bytes, and skips interim ones. */
function parseAnswer(bytes: Buffer): Omit<RawAnswer, 'ms'> {
  const end = bytes.indexOf('\r\n\r\n')
  const head = bytes.subarray(0, Math.max(end, 0)).toString('latin1')
  const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]
  if (status === undefined) return { status: null, headers: {}, body: '' }
  const rest = bytes.subarray(end + 4)
  if (status.startsWith('1') && rest.length > 0) return parseAnswer(rest)
  const headers = Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
  )
  const body = headers['transfer-encoding']?.includes('chunked') ? joinChunks(rest) : rest
  return { status: Number(status), headers, body: body.toString('utf8') }
}

function joinChunks(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n', at)
    const size = end < 0 ? 0 : Number.parseInt(bytes.subarray(at, end).toString('latin1'), 16)
    if (!size) break
    parts.push(bytes.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return Buffer.concat(parts)
}
