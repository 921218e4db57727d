import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { ServiceError, unavailable } from '@svc/operations'
import type { Client } from './clientNetworks.ts'
import { createClientSlots } from './clientSlots.ts'
import type { ArrivingBody } from './requestContext.ts'

/** A request whose body may still arrive. Tests pass fewer fields than node has. */
export interface ArrivingRequest extends Readable {
  complete: boolean
  headers: IncomingHttpHeaders
  socket: { bytesRead: number }
}

interface ArrivingBodiesOptions {
  /** Bodies that arrive at once: of all clients, and of one. A /24 has 16 times as many as a client. */
  total: number
  perClient?: number | undefined
  /** Answers a request whose body is cut off, and closes its connection. */
  refuse: (incoming: ArrivingRequest, error: ServiceError) => void
  now?: () => number
}

/** A body may pause for this long. Then it must arrive at this rate on average, in bytes per second. */
const [graceMs, usualRate] = [5_000, 1_024]

/**
 * Watches bodies until they are here. They cost a connection and nothing else, so they are not in flight yet: each takes a place of
 * its client, and one that is too slow is cut off. One timer for all.
 */
export function createArrivingBodies({ total, perClient = 32, refuse, now = Date.now }: ArrivingBodiesOptions) {
  const slots = createClientSlots({ total, perClient })
  const watched = new Map<ArrivingRequest, { since: number; before: number; minRate: number }>()
  let timer: NodeJS.Timeout | undefined

  const cutOffSlow = () => {
    for (const [incoming, { since, before, minRate }] of watched) {
      const ms = now() - since
      if (ms >= graceMs && incoming.socket.bytesRead - before < (ms / 1_000) * minRate) refuse(incoming, tooSlow)
    }
  }
  const watch = (incoming: ArrivingRequest, minRate: number) => {
    watched.set(incoming, { since: now(), before: incoming.socket.bytesRead, minRate })
    timer ??= setInterval(cutOffSlow, 1_000).unref()
  }
  const unwatch = (incoming: ArrivingRequest) => {
    watched.delete(incoming)
    if (watched.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    /**
     * Takes a place for the body of a request and calls `onArrived` once all of it was read. Returns an error if the client or its
     * network has too many.
     */
    take(client: Client, incoming: ArrivingRequest, onArrived: () => void): ArrivingBody | ServiceError {
      const free = slots.take(client, () => refuse(incoming, tooMany))
      if (typeof free !== 'function') return free === 'client' ? tooMany : full
      const end = () => {
        free()
        unwatch(incoming)
      }
      watch(incoming, usualRate)
      incoming.once('close', end)
      incoming.once('end', () => {
        end()
        onArrived()
      })
      return {
        waitFor: (bytes) => waitForBytes(incoming, bytes),
        pause: () => unwatch(incoming),
        resume: (minRate) => {
          if (!incoming.readableEnded && !incoming.destroyed) watch(incoming, minRate)
        },
      }
    },
    count: slots.count,
  }
}

/** Whether the headers announce a body. */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** Whether a request has a body that is not here yet. */
export const isArriving = ({ complete, headers }: Pick<ArrivingRequest, 'complete' | 'headers'>): boolean =>
  !complete && hasBody(headers)

/** Node reads 64 KiB ahead, so half of it always arrives. */
const maxAhead = 32 * 1_024

function waitForBytes(incoming: ArrivingRequest, bytes: number): Promise<void> {
  const enough = Math.min(bytes, maxAhead)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const look = () => {
    if (incoming.readableLength >= enough || incoming.complete) resolve()
  }
  const stop = () => reject(new ServiceError('INVALID_REQUEST', 'The body is incomplete.'))
  incoming.on('readable', look).once('close', stop)
  look()
  return promise.finally(() => incoming.off('readable', look).off('close', stop))
}

const tooSlow = new ServiceError('REQUEST_TIMED_OUT', 'The body arrives too slowly.')
const tooMany = new ServiceError('RATE_LIMITED', 'Your network sends too many bodies at once.', { retryAfter: 5 })
const full = unavailable('BUSY', 'Too many requests are still arriving.')
