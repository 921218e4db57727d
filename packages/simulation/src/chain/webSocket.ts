import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** The server's side of a WebSocket: short text messages only, which is all that a node's subscriptions need. */
export interface SimSocket {
  send: (text: string) => void
  destroy: () => void
}

const guid = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const opcodes = { text: 1, close: 8, ping: 9, pong: 10 } as const

/** Answers the handshake of a WebSocket and calls `onText` with each message. */
export function acceptSocket(
  request: IncomingMessage,
  stream: Duplex,
  on: { text: (text: string) => void; close: () => void },
): SimSocket {
  const key = createHash('sha1').update(`${request.headers['sec-websocket-key']}${guid}`).digest('base64')
  stream.write(
    `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${key}\r\n\r\n`,
  )
  let received: Buffer = Buffer.alloc(0)
  stream.on('data', (part: Buffer) => {
    received = Buffer.concat([received, part])
    for (let frame = readFrame(received); frame; frame = readFrame(received)) {
      received = received.subarray(frame.size)
      if (frame.opcode === opcodes.text) on.text(frame.payload.toString('utf8'))
      else if (frame.opcode === opcodes.ping) stream.write(buildFrame(opcodes.pong, frame.payload))
      else if (frame.opcode === opcodes.close) stream.end(buildFrame(opcodes.close, frame.payload))
    }
  })
  stream.on('error', () => stream.destroy())
  stream.on('close', on.close)
  return {
    send: (text) => void stream.write(buildFrame(opcodes.text, Buffer.from(text, 'utf8'))),
    destroy: () => stream.destroy(),
  }
}

/** Reads one masked frame of a client; null until all of it has arrived. */
function readFrame(bytes: Buffer): { opcode: number; payload: Buffer; size: number } | null {
  if (bytes.length < 6) return null
  const short = (bytes[1] ?? 0) & 127
  if (short === 127) throw new RangeError('A message of more than 64 kB.')
  const start = short === 126 ? 4 : 2
  const length = short === 126 ? bytes.readUInt16BE(2) : short
  const size = start + 4 + length
  if (bytes.length < size) return null
  const mask = bytes.subarray(start, start + 4)
  const payload = Buffer.from(bytes.subarray(start + 4, size)).map((byte, index) => byte ^ (mask[index % 4] ?? 0))
  return { opcode: (bytes[0] ?? 0) & 15, payload: Buffer.from(payload), size }
}

function buildFrame(opcode: number, payload: Buffer): Buffer {
  const long = payload.length > 125
  const head = Buffer.alloc(long ? 4 : 2)
  head[0] = 128 | opcode
  head[1] = long ? 126 : payload.length
  if (long) head.writeUInt16BE(payload.length, 2)
  return Buffer.concat([head, payload])
}
