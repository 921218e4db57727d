// A process with many listeners, told by its parent what to do. They are sockets, not EventSources: a test machine has no room for those.
import { connect, type Socket } from 'node:net'

export interface ListenerTask {
  host: string
  port: number
  path: string
  /** The address they come from. */
  from: string
  count: number
}

export interface ListenerReport {
  connected: number
  /** Connections since the last report. */
  opened: number
  /** How many listeners have got which sequence of ids: `<count> <hash>`. */
  sequences: Record<string, number>
  /** When each message arrived, in milliseconds since 1970, since the last report. */
  arrivals: Record<string, number[]>
}

/** Adds an id to the hash of a sequence (FNV-1a). */
export function addToHash(hash: number, id: string): number {
  let next = hash
  for (let index = 0; index < id.length; index++) next = Math.imul(next ^ id.charCodeAt(index), 0x01000193)
  return next >>> 0
}
export const emptyHash = 0x811c9dc5

interface Listener {
  lastId: string | null
  text: string
  isOpen: boolean
  count: number
  hash: number
}

if (process.send) {
  const listeners: Listener[] = []
  const sockets = new Set<Socket>()
  let arrivals: Record<string, number[]> = {}
  let [opened, isLeaving] = [0, false]

  const follow = (task: ListenerTask, listener: Listener): void => {
    if (isLeaving) return
    const { host, port, path, from } = task
    const socket = connect({ host, port, localAddress: from })
    sockets.add(socket)
    listener.text = ''
    const resume = listener.lastId === null ? '' : `Last-Event-ID: ${listener.lastId}\r\n`
    // HTTP/1.0, so that the body arrives as it is.
    socket.write(`GET ${path} HTTP/1.0\r\nHost: market\r\nAccept: text/event-stream\r\n${resume}\r\n`)
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      listener.text += chunk
      if (!listener.isOpen) {
        const end = listener.text.indexOf('\r\n\r\n')
        if (end < 0) return
        if (!listener.text.startsWith('HTTP/1.1 200')) return void socket.destroy()
        listener.text = listener.text.slice(end + 4)
        listener.isOpen = true
        opened++
      }
      for (let end = listener.text.indexOf('\n\n'); end >= 0; end = listener.text.indexOf('\n\n')) {
        const [, id] = /^id: (.*)$/m.exec(listener.text.slice(0, end)) ?? []
        listener.text = listener.text.slice(end + 2)
        if (id === undefined) continue
        const times = arrivals[id] ?? []
        arrivals[id] = times
        times.push(performance.timeOrigin + performance.now())
        Object.assign(listener, { lastId: id, count: listener.count + 1, hash: addToHash(listener.hash, id) })
      }
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      listener.isOpen = false
      // As browsers do after a lost connection: within a few seconds, each at another time.
      setTimeout(() => follow(task, listener), 1_000 + Math.random() * 4_000)
    })
  }

  process.on('message', (message: ListenerTask | 'report' | 'leave') => {
    if (message === 'report') {
      const sequences: Record<string, number> = {}
      for (const { count, hash } of listeners) {
        const key = `${count} ${hash}`
        sequences[key] = (sequences[key] ?? 0) + 1
      }
      const connected = listeners.filter(({ isOpen }) => isOpen).length
      process.send?.({ connected, opened, sequences, arrivals } satisfies ListenerReport)
      ;[arrivals, opened] = [{}, 0]
    } else if (message === 'leave') {
      isLeaving = true
      for (const socket of sockets) socket.destroy()
      process.disconnect()
    } else {
      let left = message.count
      const timer = setInterval(() => {
        for (let now = 0; now < 25 && left > 0; now++, left--) {
          const listener: Listener = { lastId: null, text: '', isOpen: false, count: 0, hash: emptyHash }
          listeners.push(listener)
          follow(message, listener)
        }
        if (left === 0) clearInterval(timer)
      }, 50)
    }
  })
}
