import { SvcError } from '../base/svcError.ts'
import type { EventKind, MarketEvent, MarketEvents } from './event.ts'

/** What each kind of event does to an entity. Kinds without a handler leave it unchanged. */
export type EventHandlers<entity> = {
  readonly [kind in EventKind]?: (entity: entity, event: MarketEvents[kind]) => entity
}

/** Applies the handler of an event. Returns the same object if there is none. */
export function handleEvent<entity>(cases: EventHandlers<entity>, entity: entity, event: MarketEvent): entity {
  const change = cases[event.kind] as ((entity: entity, event: MarketEvent) => entity) | undefined
  return change ? change(entity, event) : entity
}

/** Returns a fact that `completeEvent` added to an event. Throws if the event was not completed. */
export function requireFact<name extends keyof NonNullable<MarketEvent['facts']>>(event: MarketEvent, name: name) {
  const fact = event.facts?.[name]
  if (fact === undefined) throw new IncompleteEventError(event, name)
  return fact as NonNullable<NonNullable<MarketEvent['facts']>[name]>
}

/** Returns the name of a contract enum value. Throws for a value that the contract cannot have written. */
export function requireEnumName<name extends string>(names: readonly name[], index: number): name {
  const found = names[index]
  if (found === undefined) throw new UnknownEnumValueError(names, index)
  return found
}

/** Thrown when an event is folded before `completeEvent` added its facts. */
export class IncompleteEventError extends SvcError {
  override name = 'IncompleteEventError'

  constructor({ kind, block, logIndex }: MarketEvent, fact: string) {
    super(
      'INCOMPLETE_EVENT',
      `${kind} in block ${block.number}, log ${logIndex} has no ${fact}. Call completeEvent first.`,
    )
  }
}

/** Thrown for an event of a task or dispute that no earlier event created. */
export class MissingEntityError extends SvcError {
  override name = 'MissingEntityError'

  constructor(entity: 'task' | 'dispute', { kind, args, block, logIndex }: MarketEvent) {
    const number = 'taskId' in args ? args.taskId : 'unknown'
    super(
      'MISSING_ENTITY',
      `${kind} in block ${block.number}, log ${logIndex} changes ${entity} ${number}, but no earlier event created it. Fold the market's events in order, from its first block.`,
    )
  }
}

/** Thrown for a number that is not a value of the enum. */
class UnknownEnumValueError extends SvcError {
  override name = 'UnknownEnumValueError'

  constructor(names: readonly string[], index: number) {
    super(
      'UNKNOWN_ENUM_VALUE',
      `${index} is not a value of the enum ${names.join(', ')}. The log comes from other contracts.`,
    )
  }
}
