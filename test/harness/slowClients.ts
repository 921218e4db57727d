import net from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type RequestOptions, sendRequest } from '../deploy/sendRequest.ts'

/** Requests whose bodies stay incomplete. */
export interface SlowBodies {
  /** How often each status was the answer so far. */
  statuses: () => Record<string, number>
  /** Connections that are still open. */
  countOpen: () => number
  stop: () => void
}

export interface SlowRequest {
  method: string
  path: string
  headers?: Readonly<Record<string, string>>
  length: number
  /** What is sent of the body. */
  sent: Buffer
  from: string
}

/** Sends requests whose bodies never end. */
export async function sendSlowBodies(base: string, requests: readonly SlowRequest[]): Promise<SlowBodies> {
  const { hostname, port } = new URL(base)
  const statuses: Record<string, number> = {}
  const open = new Set<net.Socket>()
  for (const [index, { method, path, headers, length, sent, from }] of requests.entries()) {
    const head = { host: 'market.example', 'content-type': 'application/json', ...headers, 'content-length': length }
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
    const socket = net.connect({ host: hostname, port: Number(port), localAddress: from })
    open.add(socket)
    socket.on('connect', () => {
      socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
      socket.write(sent)
    })
    socket.on('data', (bytes) => {
      const [, status = '?'] = /^HTTP\/1\.1 (\d{3})/.exec(bytes.toString('latin1')) ?? []
      if (status !== '?') statuses[status] = (statuses[status] ?? 0) + 1
    })
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => {})
    if (index % 100 === 99) await wait(20)
  }
  return {
    statuses: () => ({ ...statuses }),
    countOpen: () => open.size,
    stop: () => open.forEach((socket) => void socket.destroy()),
  }
}

/** What a client of another network sees for a while: its statuses, and how long it waited, in milliseconds. */
export async function visit(
  base: string,
  requests: readonly (RequestOptions & { path: string })[],
  { times = 20, everyMs = 50, until }: { times?: number; everyMs?: number; until?: Promise<unknown> } = {},
): Promise<{ statuses: number[]; p90: number; p99: number }> {
  const statuses = new Set<number>()
  const waits: number[] = []
  let isOver = until === undefined
  until?.then(() => {
    isOver = true
  })
  for (let turn = 0; turn < times || !isOver; turn++) {
    for (const { path, ...options } of requests) {
      const began = performance.now()
      const { status } = await sendRequest(base, path, { from: '127.77.1.1', ...options })
      waits.push(performance.now() - began)
      statuses.add(status)
    }
    await wait(everyMs)
  }
  const sorted = waits.toSorted((a, b) => a - b)
  return {
    statuses: [...statuses].toSorted(),
    p90: findPercentile(sorted, 0.9),
    p99: findPercentile(sorted, 0.99),
  }
}

const findPercentile = (sorted: readonly number[], share: number) =>
  Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0)
