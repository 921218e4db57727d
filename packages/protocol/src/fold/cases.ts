import type { EventKind, MarketEvent, MarketEvents } from './event.ts'

/** What each kind of event does to an entity; kinds without a case leave it as it is. */
export type Cases<entity> = { readonly [kind in EventKind]?: (entity: entity, event: MarketEvents[kind]) => entity }

/** The entity after an event: the same object where the event has no case. */
export function applyCases<entity>(cases: Cases<entity>, entity: entity, event: MarketEvent): entity {
  const change = cases[event.kind] as ((entity: entity, event: MarketEvent) => entity) | undefined
  return change ? change(entity, event) : entity
}

/** A fact that `completeEvent` adds to an event. Refuses an event that was not completed. */
export function factOf<name extends keyof NonNullable<MarketEvent['facts']>>(event: MarketEvent, name: name) {
  const fact = event.facts?.[name]
  if (fact === undefined) throw new IncompleteEventError(event, name)
  return fact as NonNullable<NonNullable<MarketEvent['facts']>[name]>
}

/** The name at an index of a list in the order of a contract's enum. Refuses an index that no contract can have written. */
export function nameAt<name extends string>(names: readonly name[], index: number): name {
  const found = names[index]
  if (found === undefined) throw new UnknownIndexError(names, index)
  return found
}

/** An event was folded without what it does not say itself. */
export class IncompleteEventError extends Error {
  override name = 'IncompleteEventError'

  constructor({ kind, block, logIndex }: MarketEvent, fact: string) {
    super(
      `${kind} in block ${block.number}, log ${logIndex} comes without ${fact}: run it through completeEvent first.`,
    )
  }
}

/** An event came for a task or a dispute that no event has begun. */
export class MissingEntityError extends Error {
  override name = 'MissingEntityError'

  constructor(entity: 'task' | 'dispute', { kind, args, block, logIndex }: MarketEvent) {
    const number = 'taskId' in args ? args.taskId : 'unknown'
    super(
      `${kind} in block ${block.number}, log ${logIndex} changes the ${entity} of number ${number}, which no event before it began: fold the market's events from its first block, in order.`,
    )
  }
}

/** A number that stands for nothing in an enum. */
class UnknownIndexError extends Error {
  override name = 'UnknownIndexError'

  constructor(names: readonly string[], index: number) {
    super(`${index} is none of the ${names.length} values from ${names[0]} on: the log comes from other contracts.`)
  }
}
