import type { Address } from 'viem'

/** The most events that one page with a filter looks through. */
export const maxFilteredEvents = 500

/** Which events are wanted. All given conditions hold for an event. */
export interface EventFilter {
  /** Number of the task that the event is about. */
  task?: bigint | undefined
  /** Wallet or contract that is an argument of the event. */
  address?: Address | undefined
  /** Name of the event. */
  event?: string | undefined
}

/** The parts of an event that a filter looks at. */
interface FilteredEvent {
  name: string
  task: bigint | null
  args: object
}

export function matchesFilter(event: FilteredEvent, { task, address, event: name }: EventFilter): boolean {
  if (task !== undefined && event.task !== task) return false
  if (name !== undefined && event.name !== name) return false
  return address === undefined || listEventAddresses(event).has(address)
}

/** Lists the addresses among the arguments of an event, also those in lists and structs. */
export function listEventAddresses({ args }: Pick<FilteredEvent, 'args'>): ReadonlySet<string> {
  const found = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value === 'string') {
      if (addressPattern.test(value)) found.add(value)
    } else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) collect(each)
  }
  collect(args)
  return found
}

const addressPattern = /^0x[0-9a-fA-F]{40}$/
