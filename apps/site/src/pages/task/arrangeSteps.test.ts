import type { TaskPhase } from '@svc/protocol'
import { expect, test } from 'vitest'
import { arrangeSteps, type Step } from './arrangeSteps.ts'
import { labelStep } from './labelStep.ts'

const build = (action: string, more: Partial<Step> = {}): Step => ({
  action,
  verb: action,
  title: action,
  explain: '',
  leadsTo: '',
  derived: {},
  required: [],
  costs: [],
  deadline: null,
  until: null,
  ...more,
})
const arrange = (phase: TaskPhase, ...names: string[]) => {
  const { primary, secondary, more, isTurn } = arrangeSteps(
    names.map((name) => build(name)),
    phase,
  )
  return { primary: primary?.action, beside: secondary.map(({ action }) => action), more: more.length, isTurn }
}

test('paying is the button only once something is delivered', () => {
  expect(arrange('WORKING', 'accept-milestone', 'complete-task')).toEqual({
    primary: undefined,
    beside: [],
    more: 2,
    isTurn: false,
  })
  expect(arrange('IN_REVIEW', 'accept-milestone', 'complete-task', 'request-revision', 'open-dispute')).toEqual({
    primary: 'accept-milestone',
    beside: ['request-revision', 'open-dispute'],
    more: 1,
    isTurn: true,
  })
})

test('whoever has given evidence looks for a judge first, and may wait', () => {
  const steps = ['submit-evidence', 'propose-arbitrator'].map((name) => build(name))
  expect(arrangeSteps(steps, 'IN_DISPUTE')).toMatchObject({ primary: { action: 'submit-evidence' }, isTurn: true })
  const spoken = arrangeSteps(steps, 'IN_DISPUTE', true)
  expect(spoken).toMatchObject({ primary: { action: 'propose-arbitrator' }, isTurn: false })
})

test('no step is lost, and none is offered that the server did not list', () => {
  const names = ['submit-evidence', 'propose-arbitrator', 'accept-milestone', 'mutual-cancel', 'something-new']
  const { primary, beside, more } = arrange('IN_DISPUTE', ...names)
  expect(primary).toBe('submit-evidence')
  expect(1 + beside.length + more).toBe(names.length)
  expect(arrange('SETTLED')).toEqual({ primary: undefined, beside: [], more: 0, isTurn: false })
})

const tok = (amount: number) => String(BigInt(amount) * 10n ** 18n)
const task: Parameters<typeof labelStep>[1] = {
  phase: 'OPEN_FOR_CLAIM',
  milestones: [{ amountTokWei: tok(95_000), durationSeconds: 1, state: 'OPEN' }],
  currentMilestone: 0,
  totalAmountTokWei: tok(95_000),
  fundedTokWei: tok(95_000),
  releasedTokWei: '0',
  refundedTokWei: '0',
}
const format = (wei: bigint) => `${(wei / 10n ** 18n).toLocaleString('en')} TOK`

test('a claim names what the worker keeps, and a credit pays the fee', () => {
  const label = (amount: string) =>
    labelStep(build('claim-task', { costs: [{ what: 'Access fee', amount }] }), task, 'visitor', format)
  expect(label('1,000 TOK')).toBe('Claim for 94,000 TOK net')
  expect(label('1 Action Credit')).toBe('Claim for 95,000 TOK net')
})

test('a party agrees to a judge whom the other side proposed, or proposes one', () => {
  const label = (derived: Step['derived'], viewer: 'worker' | 'visitor') =>
    labelStep(build('propose-arbitrator', { derived }), task, viewer, format)
  expect(label({}, 'worker')).toBe('Propose a judge')
  expect(label({ arbitrator: '0xJ' }, 'worker')).toBe('Agree to the judge')
  expect(label({ arbitrator: '0xJ' }, 'visitor')).toBe('Accept the case')
})

test('approval names the amount, and says if it is early or ends a dispute', () => {
  const label = (phase: TaskPhase) => labelStep(build('accept-milestone'), { ...task, phase }, 'poster', format)
  expect(label('IN_REVIEW')).toBe('Approve and pay 95,000 TOK')
  expect(label('WORKING')).toBe('Pay milestone early, 95,000 TOK')
  expect(label('IN_DISPUTE')).toBe('Give in and pay 95,000 TOK')
})
