import { SvcError } from '@svc/protocol'
import type { Hex } from 'viem'
import { z } from 'zod'
import { type Header, parseHeader } from './header.ts'

/** The newest blocks of one provider, as it pushes them. */
export interface PushedHeads {
  /** The newest block; null while the socket is closed or silent, and the provider must be asked instead. */
  latest: () => Header | null
  /** A recent block by its hash, also if the chain has replaced it. */
  byHash: (hash: Hex) => Header | undefined
}

export interface HeadSocketOptions {
  /** The name of the provider in logs. */
  name: string
  url: string
  /** A socket on another chain is closed: its heads have right hashes, but are not ours. */
  chainId: number
  onHead: () => void
  /** Called when heads begin to arrive, and when they stop, with the reason. */
  onChange?: (live: boolean, why: string | null) => void
  signal: AbortSignal
  /** A socket that pushes nothing for this long is closed and opened again. */
  silentMs?: number
  now?: () => number
  /** From 0 to 1, for jitter. */
  random?: () => number
}

/** Headers that are remembered: enough for the blocks that arrive while a step is read. */
const maxHeaders = 256
/** A header has about 2 kB. Longer messages are not headers. */
const maxMessage = 64 * 1024
const maxReconnectMs = 30_000
const calls = { chainId: 1, subscribe: 2 }

/**
 * Subscribes to the new heads of a provider over WebSocket, and again, ever later, whenever the socket closes, fails or falls
 * silent. It never throws: the follower polls while there are no heads.
 */
export function subscribeToHeads(options: HeadSocketOptions): PushedHeads {
  const { name, url, chainId, onHead, onChange, signal, silentMs = 3_000, now = Date.now } = options
  const { random = Math.random } = options
  const headers = new Map<Hex, Header>()
  let latest: { header: Header; at: number } | null = null
  let [failures, live]: [number, boolean | null] = [0, null]
  const change = (next: boolean, why: string | null) => {
    if (next !== live) onChange?.(next, why)
    live = next
  }

  const connect = () => {
    if (signal.aborted) return
    const socket = new WebSocket(url)
    let silence = setTimeout(close, silentMs, `pushed nothing for ${silentMs} ms`)
    let closed = false
    const abort = () => close('the process stops')
    signal.addEventListener('abort', abort)
    const send = (id: number, method: string, params: readonly string[]) =>
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    socket.onopen = () => send(calls.chainId, 'eth_chainId', [])
    socket.onclose = () => close('closed the socket')
    socket.onerror = () => close('cannot be reached over WebSocket')
    socket.onmessage = ({ data }) => {
      try {
        const message = readMessage(name, data)
        if (closed) return
        if (message.id === calls.chainId) {
          const id = Number(message.result)
          if (id !== chainId) throw new HeadSocketError(`${name} pushes heads of chain ${id}, not of ${chainId}.`)
          send(calls.subscribe, 'eth_subscribe', ['newHeads'])
        }
        if (message.id !== undefined) return
        remember(parseHeader({ name }, message.params?.result))
        clearTimeout(silence)
        silence = setTimeout(close, silentMs, `pushed nothing for ${silentMs} ms`)
        failures = 0
        change(true, null)
        onHead()
      } catch (error) {
        close((error as Error).message)
      }
    }

    function close(why: string): void {
      if (closed) return
      closed = true
      clearTimeout(silence)
      signal.removeEventListener('abort', abort)
      socket.close()
      latest = null
      change(false, why)
      if (signal.aborted) return
      const delay = Math.min(maxReconnectMs, 500 * 2 ** failures++) * (0.5 + random() / 2)
      const again = setTimeout(connect, delay)
      signal.addEventListener('abort', () => clearTimeout(again), { once: true })
    }
  }
  connect()

  function remember(header: Header): void {
    latest = { header, at: now() }
    headers.delete(header.hash)
    headers.set(header.hash, header)
    if (headers.size <= maxHeaders) return
    for (const hash of headers.keys()) {
      headers.delete(hash)
      break
    }
  }

  return {
    // The timer that closes a silent socket may be late, so the time is checked here as well.
    latest: () => (latest && now() - latest.at < silentMs ? latest.header : null),
    byHash: (hash) => headers.get(hash),
  }
}

const socketMessage = z.object({
  /** Of the call that it answers; undefined for a head. */
  id: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.unknown().optional() }).nullish(),
  params: z.object({ result: z.unknown().optional() }).optional(),
})

/** Reads a message. Throws if it is an error, or too long for a head. */
function readMessage(name: string, data: unknown): z.infer<typeof socketMessage> {
  const { data: message } = socketMessage.safeParse(parseShortJson(data))
  if (!message) throw new HeadSocketError(`${name} pushed an invalid message.`)
  if (message.error)
    throw new HeadSocketError(`${name} rejected a call over WebSocket: ${String(message.error.message).slice(0, 200)}.`)
  return message
}

function parseShortJson(data: unknown): unknown {
  if (typeof data !== 'string' || data.length > maxMessage) return undefined
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

/** A provider cannot push heads, or pushes something else. It is polled instead. */
class HeadSocketError extends SvcError {
  override name = 'HeadSocketError'

  constructor(message: string) {
    super('HEAD_SOCKET', message)
  }
}
