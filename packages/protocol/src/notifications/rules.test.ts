import { expect, test } from 'vitest'
import { deadlines } from '../actions/deadlines.ts'
import { actionList } from '../actions/index.ts'
import { type ContractName, type EventKind, marketAbis } from '../fold/event.ts'
import { disputes } from '../tasks/disputes.ts'
import { lifecycle } from '../tasks/lifecycle.ts'
import { disputePhases, taskStates } from '../tasks/states.ts'
import { actionRules } from './actionRules.ts'
import { deadlineClocks, phaseClocks, stateClocks } from './clockRules.ts'
import { eventRules } from './eventRules.ts'
import { notificationKinds } from './kinds.ts'

const events = Object.entries(marketAbis).flatMap(([contract, abi]) =>
  abi.flatMap((item) => (item.type === 'event' ? [`${contract as ContractName}.${item.name}`] : [])),
)

/** Every name that needs a rule, and the rules. */
const tables = {
  events: { names: [...new Set(events)], rules: eventRules },
  actions: { names: actionList.map(({ name }) => name), rules: actionRules },
  states: { names: taskStates, rules: stateClocks },
  phases: { names: disputePhases, rules: phaseClocks },
  deadlines: { names: Object.keys(deadlines), rules: deadlineClocks },
}

/** Lists the names without a rule, and the rules of names that do not exist. */
function findGaps({ names, rules }: { names: readonly string[]; rules: object }): string[] {
  const known = Object.keys(rules)
  return [...names.filter((name) => !known.includes(name)), ...known.filter((name) => !names.includes(name))]
}

test('every event, action, state, phase and deadline has a rule or a reason for silence', () => {
  for (const [name, table] of Object.entries(tables)) expect(findGaps(table), name).toEqual([])
  const reasons = Object.values(tables).flatMap(({ rules }) =>
    Object.values(rules).flatMap((rule) => ('silent' in rule ? [rule.silent] : [])),
  )
  for (const reason of reasons) expect(reason).toMatch(/^\S.{10,}\.$/)
})

test.each(Object.entries(tables))(
  'a new name among the %s, and a rule that is lost, are found',
  (_, { names, rules }) => {
    expect(findGaps({ names: [...names, 'planted'], rules })).toEqual(['planted'])
    const [lost = '', ...rest] = Object.entries(rules).map(([name]) => name)
    expect(findGaps({ names, rules: Object.fromEntries(rest.map((name) => [name, {}])) })).toEqual([lost])
  },
)

test('the events of an action have messages', () => {
  for (const [name, rule] of Object.entries(actionRules)) {
    for (const kind of 'events' in rule ? rule.events : []) {
      expect(eventRules[kind satisfies EventKind], `${name}: ${kind}`).toHaveProperty('messages')
    }
  }
})

test('an action is silent only if the events that prove it have no messages', () => {
  const rules: Record<string, object> = eventRules
  const wrong = actionList.filter(({ name, contract, proof }) => {
    const isSilent = 'silent' in (actionRules[name as keyof typeof actionRules] ?? {})
    return isSilent && proof.some((event) => 'messages' in (rules[`${contract}.${event}`] ?? {}))
  })
  expect(wrong.map(({ name }) => name)).toEqual([])
})

test('every operation of the lifecycle and of disputes that others wait for has a message', () => {
  const ofTasks = new Set(lifecycle.map(({ operation }) => operation))
  const ofDisputes = new Set(disputes.map(({ operation }) => operation))
  const silent = actionList.flatMap(({ name, operation = {} }) => {
    const [named] = Object.values(operation)
    const isKnown = named !== undefined && (ofTasks.has(named) || ofDisputes.has(named))
    return isKnown && 'silent' in (actionRules[name as keyof typeof actionRules] ?? {}) ? [name] : []
  })
  // Nobody else is in the task yet.
  expect(silent.sort()).toEqual(['cancel-task', 'post-task'])
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
