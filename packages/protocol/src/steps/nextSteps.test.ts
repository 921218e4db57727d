import { type Address, getAddress } from 'viem'
import { expect, test } from 'vitest'
import { actions } from '../actions/index.ts'
import { taskReserve } from '../money/amounts.ts'
import { liveStates, type TaskState, terminalStates } from '../tasks/states.ts'
import type { TaskContext } from '../tasks/taskContext.ts'
import { findNextStep, listDueSteps, listNextSteps } from './nextSteps.ts'

const [day, start] = [86_400, 1_800_000_000]
const rich = { deposit: 10n ** 9n, free: 10n ** 9n, tok: 10n ** 24n, credits: 0n }

/** An undisputed task that began at `start`; every deadline is over after a month. */
function createContext(state: TaskState, change: Partial<TaskContext['task']> = {}): TaskContext {
  return {
    taskId: { market: 'micro', number: 7n },
    dispute: null,
    entriesPaused: false,
    sunsetAt: 0,
    finalCourt: getAddress(`0x${'3'.repeat(40)}`),
    canTakeCase: () => true,
    account: () => rich,
    task: {
      state,
      scope: 'OPEN',
      claimPolicy: 'ANYONE',
      poster: getAddress(`0x${'1'.repeat(40)}`),
      worker: state === 'POSTED' ? null : getAddress(`0x${'2'.repeat(40)}`),
      milestoneCount: 2,
      current: 1,
      maxRevisions: 1,
      revisions: 0,
      claimedAt: state === 'POSTED' ? 0 : start,
      fundedAtClaim: true,
      claimDeadline: start + 3 * day,
      deadline: start + 4 * day,
      reviewEnd: 0,
      reviewWindow: day,
      store: null,
      receipted: false,
      underNotice: false,
      allowedWorker: null,
      amount: 50n,
      total: 100n,
      funded: 100n,
      posterReserve: taskReserve,
      ...change,
    },
  }
}

const later = start + 30 * day
const undisputed = liveStates.filter((state) => state !== 'DISPUTED')

test('every undisputed task that still runs can be moved on by anyone once its deadlines are over', () => {
  for (const state of undisputed) expect(listDueSteps(createContext(state), later)).toHaveLength(1)
  for (const state of terminalStates) expect(listDueSteps(createContext(state), later)).toEqual([])
})

test('nothing is due that needs a signature, a hash or a role', () => {
  // A mutual cancellation may be sent by anyone, with two signatures; a claim by anyone but the poster.
  for (const state of undisputed) expect(listDueSteps(createContext(state), start)).toEqual([])
})

test('a step is due from the second in `since` on, not before', () => {
  for (const context of [...undisputed.map((state) => createContext(state)), delivered(), unreceipted()]) {
    const [step] = listDueSteps(context, later)
    const since = step?.since ?? 0
    expect(since).toBeGreaterThan(start)
    expect(listDueSteps(context, since)).toHaveLength(1)
    expect(listDueSteps(context, since - 1)).toEqual([])
  }
})

test('a step comes with its whole input', () => {
  const [step] = listDueSteps(delivered(), later)
  expect(step?.action.name).toBe('release-lapsed')
  expect(step?.derived).toEqual({ taskId: { market: 'micro', number: 7n }, milestone: 1n })
})

test('silence does not pay without the receipt of a named store; a month later the task expires', () => {
  expect(listDueSteps(unreceipted(), later).map(({ action }) => action.name)).toEqual(['expire-task'])
})

test('under notice only the worker may end the task before its deadline, at no cost', () => {
  const context = createContext('ACTIVE', { underNotice: true })
  expect(listDueSteps(context, start)).toEqual([])
  const names = (wallet: string | null) =>
    listNextSteps(context, getAddress(wallet ?? ''), start).map(({ action }) => action.name)
  expect(names(context.task.worker)).toEqual(['submit-proof', 'expire-task', 'mutual-cancel'])
  const step = listNextSteps(context, getAddress(context.task.worker ?? ''), start).find(
    ({ action }) => action.name === 'expire-task',
  )
  expect(step?.cost).toMatchObject({ lostTokWei: 0n, penaltyUsdc: 0n })
})

test('a wallet that the poster allowed needs no permit', () => {
  const [allowed, stranger] = [getAddress(`0x${'5'.repeat(40)}`), getAddress(`0x${'6'.repeat(40)}`)]
  const context = createContext('POSTED', { claimPolicy: 'PERMIT', allowedWorker: allowed })
  const required = (wallet: Address) => findNextStep(actions['claim-task'], context, wallet, start)?.required
  expect(required(allowed)).toEqual(['settlementDigest'])
  expect(required(stranger)).toEqual(['settlementDigest', 'permit'])
})

const unreceipted = () =>
  createContext('ACTIVE', { reviewEnd: start + 5 * day, store: getAddress(`0x${'4'.repeat(40)}`) })
const delivered = () => createContext('ACTIVE', { reviewEnd: start + 5 * day })
