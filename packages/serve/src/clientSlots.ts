import { type Client, findWidestNetwork, listAllowances } from './clientNetworks.ts'

export interface ClientSlotsOptions {
  /** Slots of all clients together. */
  total: number
  /** Slots of one client. The networks around it have a few times as many. */
  perClient: number
}

export interface ClientSlots {
  /**
   * Takes a slot and returns the function that frees it. Returns `client` if the client or a network around it has all of
   * its slots, and `full` if none is left. `onEvict` is called when the slot has to go to another client; it is free then.
   */
  take: (client: Client, onEvict: () => void) => (() => void) | 'client' | 'full'
  /** How many slots are taken. */
  count: () => number
}

interface Slot {
  network: Client
  evict: () => void
}

/**
 * Shares slots among clients, for what lasts long, such as open streams. When all are taken, the network with the most gives
 * up its newest one for a network that has at least two fewer, so nobody can keep others out by coming first.
 */
export function createClientSlots({ total, perClient }: ClientSlotsOptions): ClientSlots {
  const counts = new Map<Client, number>()
  const slots = new Set<Slot>()
  const countSlots = (network: Client) => counts.get(network) ?? 0

  function change(client: Client, by: 1 | -1): void {
    for (const { network } of listAllowances(client, perClient)) {
      const count = countSlots(network) + by
      if (count > 0) counts.set(network, count)
      else counts.delete(network)
    }
  }

  /** The newest slot of the network with the most slots, if that has more than `count`. */
  function findEvictable(count: number): Slot | undefined {
    let found: Slot | undefined
    let most = count
    for (const slot of slots) {
      const held = countSlots(slot.network)
      if (held > most || (held === most && found?.network === slot.network)) [found, most] = [slot, held]
    }
    return found
  }

  return {
    take(client, onEvict) {
      if (listAllowances(client, perClient).some(({ network, allowed }) => countSlots(network) >= allowed))
        return 'client'
      const network = findWidestNetwork(client)
      // With one fewer, the two networks would only swap places.
      if (slots.size >= total) {
        const evictable = findEvictable(countSlots(network) + 1)
        if (!evictable) return 'full'
        evictable.evict()
      }
      const free = () => {
        if (slots.delete(slot)) change(client, -1)
      }
      const slot: Slot = {
        network,
        evict: () => {
          free()
          onEvict()
        },
      }
      slots.add(slot)
      change(client, 1)
      return free
    },
    count: () => slots.size,
  }
}

/** Runs a limited number of tasks at a time; the others wait in a queue. */
export type Semaphore = <T>(work: () => Promise<T>) => Promise<T>

/** At most `max` tasks run and at most `maxWaiting` wait. Any further task is rejected with the error from `full`. */
export function createSemaphore(max: number, maxWaiting: number, full: () => Error): Semaphore {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < max) running++
    else if (waiting.length >= maxWaiting) throw full()
    else await new Promise<void>((start) => waiting.push(start))
    try {
      return await work()
    } finally {
      // Hand the slot to the next task in the queue, or release it.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
