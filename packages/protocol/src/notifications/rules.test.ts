import { expect, test } from 'vitest'
import { actionList } from '../actions/index.ts'
import { deadlines } from '../deadlines.ts'
import { disputes } from '../disputes.ts'
import { type ContractName, type EventKind, marketAbis } from '../fold/event.ts'
import { lifecycle } from '../lifecycle.ts'
import { disputePhases, taskStates } from '../states.ts'
import { actionRules } from './actionRules.ts'
import { deadlineClocks, phaseClocks, stateClocks } from './clockRules.ts'
import { eventRules } from './eventRules.ts'
import { notificationKinds } from './kinds.ts'

const events = Object.entries(marketAbis).flatMap(([contract, abi]) =>
  abi.flatMap((item) => (item.type === 'event' ? [`${contract as ContractName}.${item.name}`] : [])),
)

test('every event, action, state, phase and deadline has a rule or a reason for silence', () => {
  expect(Object.keys(eventRules).sort()).toEqual([...new Set(events)].sort())
  expect(Object.keys(actionRules)).toEqual(actionList.map(({ name }) => name))
  expect(Object.keys(stateClocks)).toEqual([...taskStates])
  expect(Object.keys(phaseClocks)).toEqual([...disputePhases])
  expect(Object.keys(deadlineClocks).sort()).toEqual(Object.keys(deadlines).sort())
  const reasons = [eventRules, actionRules, stateClocks, phaseClocks, deadlineClocks].flatMap((table) =>
    Object.values(table).flatMap((rule) => ('silent' in rule ? [rule.silent] : [])),
  )
  for (const reason of reasons) expect(reason).toMatch(/^\S.{10,}\.$/)
})

test('what an action tells is told by an event that tells somebody', () => {
  for (const [name, rule] of Object.entries(actionRules)) {
    for (const kind of 'toldBy' in rule ? rule.toldBy : []) {
      expect(eventRules[kind satisfies EventKind], `${name}: ${kind}`).toHaveProperty('tells')
    }
  }
})

test('every operation of the lifecycle and of disputes that others wait for is told', () => {
  const ofTasks = new Set(lifecycle.map(({ operation }) => operation))
  const ofDisputes = new Set(disputes.map(({ operation }) => operation))
  const silent = actionList.flatMap(({ name, operation = {} }) => {
    const [named] = Object.values(operation)
    const isKnown = named !== undefined && (ofTasks.has(named) || ofDisputes.has(named))
    return isKnown && 'silent' in (actionRules[name as keyof typeof actionRules] ?? {}) ? [name] : []
  })
  // Nobody else is in the task yet, or its delivery was told before.
  expect(silent.sort()).toEqual(['attach-receipt', 'cancel-task', 'post-task'])
})

test('every state that time can end has a clock, and every deadline names one', () => {
  const clocks = [...Object.values(stateClocks), ...Object.values(phaseClocks)].flatMap((rule) =>
    'clocks' in rule ? rule.clocks.map(({ name }) => name) : [],
  )
  for (const rule of Object.values(deadlineClocks)) if ('clock' in rule) expect(clocks).toContain(rule.clock)
  const running = lifecycle.filter(({ operation }) => operation === 'expire' || operation === 'releaseLapsed')
  for (const { from } of running) expect(stateClocks[from], from).toHaveProperty('clocks')
  const timed = disputes.filter(({ operation }) => operation === 'resolveTimedOut' || operation === 'finalize')
  for (const { from } of timed) expect(phaseClocks[from], from).toHaveProperty('clocks')
})

test('kinds are plain words, and none is reserved', () => {
  for (const kind of notificationKinds) expect(kind).toMatch(/^[a-z]+(-[a-z]+)*$/)
  expect(notificationKinds).not.toContain('corrected')
  expect(notificationKinds.length).toBeGreaterThan(40)
})
