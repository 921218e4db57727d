import { expectTypeOf, test } from 'vitest'
import type { DeadlineKind } from '../actions/action.ts'
import type { ActionName } from '../actions/index.ts'
import type { EventKind } from '../fold/event.ts'
import type { DisputePhase, TaskState } from '../tasks/states.ts'
import { actionRules } from './actionRules.ts'
import { deadlineClocks, phaseClocks, stateClocks } from './clockRules.ts'
import { eventRules } from './eventRules.ts'

/** A table with a row for every name. */
const requireRows = <Name extends string>(rows: Readonly<Record<Name, object>>) => rows

// `tsc` checks this file: each `@ts-expect-error` is an error if the line below it compiles.
test('an event, action, state, phase or deadline without a rule does not compile', () => {
  requireRows<EventKind>(eventRules)
  requireRows<ActionName>(actionRules)
  requireRows<TaskState>(stateClocks)
  requireRows<DisputePhase>(phaseClocks)
  requireRows<DeadlineKind>(deadlineClocks)
  // @ts-expect-error a new event
  requireRows<EventKind | 'taskRegistry.TaskPaused'>(eventRules)
  // @ts-expect-error a new action
  requireRows<ActionName | 'pause-task'>(actionRules)
  // @ts-expect-error a new state
  requireRows<TaskState | 'PAUSED'>(stateClocks)
  // @ts-expect-error a new phase of disputes
  requireRows<DisputePhase | 'PAUSED'>(phaseClocks)
  // @ts-expect-error a new deadline
  requireRows<DeadlineKind | 'pause'>(deadlineClocks)
  // The tables themselves have no index signature, which would allow every name.
  expectTypeOf<string>().not.toExtend<keyof typeof eventRules>()
  expectTypeOf<string>().not.toExtend<keyof typeof stateClocks>()
})
