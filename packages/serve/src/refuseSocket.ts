import { type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, statusOf } from '@svc/operations'

/** A socket with the internal field that node's own `clientError` handler reads. */
export type AnsweringSocket = Socket & { _httpMessage?: ServerResponse | null }

export const errorBody = (code: ErrorCode, error: string) => ({ error, code })

/** Answers on a connection whose request is not complete, and closes it. */
export function refuseSocket(socket: AnsweringSocket, code: ErrorCode, message: string): void {
  if (!socket.writable || socket._httpMessage?.headersSent) {
    socket.destroy()
    return
  }
  const body = JSON.stringify(errorBody(code, message))
  const status = statusOf(code)
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
