import { accessFee, entryDeposit, type TaskState, taskReserve } from '@svc/protocol'
import { listBlockedActions, listNextSteps, type TaskContext } from '@svc/protocol/actions'
import type { AccountFacts } from '@svc/protocol/internal/tasks'
import { type Address, getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { formatBlocked } from './steps.ts'

const day = 86_400
const now = 1_800_000_000
const address = (digit: string): Address => getAddress(`0x${digit.repeat(40)}`)
const [poster, worker, stranger] = [address('1'), address('2'), address('3')]
const rich: AccountFacts = { deposit: 10n ** 9n, free: 10n ** 9n, tok: 10n ** 24n, credits: 0n }

function createContext(
  state: TaskState,
  more: Partial<TaskContext['task']> = {},
  accounts: Readonly<Record<string, Partial<AccountFacts>>> = {},
): TaskContext {
  return {
    taskId: { market: 'standard', number: 7n },
    dispute: null,
    entriesPaused: false,
    sunsetAt: 0,
    finalCourt: address('4'),
    canTakeCase: () => false,
    account: (wallet) => ({ ...rich, ...accounts[wallet] }),
    task: {
      state,
      scope: 'OPEN',
      claimPolicy: 'ANYONE',
      poster,
      worker: state === 'POSTED' ? null : worker,
      milestoneCount: 1,
      current: 0,
      maxRevisions: 1,
      revisions: 0,
      claimedAt: state === 'POSTED' ? 0 : now - 60,
      claimDeadline: now + 3 * day,
      deadline: now + day,
      reviewEnd: 0,
      reviewWindow: day,
      store: null,
      receipted: false,
      underNotice: false,
      allowedWorker: null,
      fundedAtClaim: true,
      amount: 100n,
      total: 100n,
      funded: 100n,
      posterReserve: taskReserve,
      ...more,
    },
  }
}

describe('an empty list of steps says why', () => {
  test('a claim without a deposit: how much to top up, once, and the fee', () => {
    const context = createContext('POSTED', {}, { [stranger]: { deposit: 0n, free: 0n, tok: 1n } })
    expect(listNextSteps(context, stranger, now)).toEqual([])
    expect(formatBlocked(context, stranger, now).slice(0, 2)).toEqual([
      {
        action: 'claim-task',
        rule: "USD 25 of the worker's deposit are free",
        have: '0.00 USDC',
        need: '25.00 USDC',
        missing: '25.00 USDC',
        waitUntil: null,
        cure: { action: 'top-up', by: 'you', input: { market: 'standard', amountUsdc: String(entryDeposit) } },
      },
      expect.objectContaining({
        action: 'claim-task',
        need: '2,000 TOK',
        missing: '2,000 TOK',
        cure: null,
      }),
    ])
  })

  test('a task that has ended', () => {
    expect(formatBlocked(createContext('COMPLETED'), stranger, now)).toMatchObject([
      { action: 'any', rule: 'the task is COMPLETED, which is final', cure: null },
    ])
  })

  test('a claim after the cut-off: the rule, without a remedy', () => {
    const late = createContext('POSTED', { claimDeadline: now }, { [stranger]: { deposit: 0n } })
    const claim = formatBlocked(late, stranger, now).find(({ action }) => action === 'claim-task')
    expect(claim).toMatchObject({ rule: 'at most the claim cut-off', missing: null, cure: null })
  })
})

test('a worker sees what start-work waits for: the vet window, and the poster who must fund', () => {
  const context = createContext('CLAIMED', { funded: 40n })
  expect(listNextSteps(context, worker, now).length).toBeGreaterThan(0)
  const blocked = formatBlocked(context, worker, now)
  expect(blocked.map(({ action }) => action)).toEqual(['start-work', 'start-work'])
  expect(blocked[0]?.waitUntil).toBeGreaterThan(now)
  expect(blocked[1]?.cure).toEqual({
    action: 'fund-task',
    by: 'poster',
    input: { taskId: 'v2:standard:7', amountTokWei: '60' },
  })
})

test('what is missing is exact: with it the rule holds, with one unit less it does not', () => {
  const poor = { deposit: entryDeposit + taskReserve, free: 3n, tok: accessFee - 1n }
  const createFor = (more: bigint, tok: bigint) =>
    createContext(
      'POSTED',
      {},
      { [stranger]: { ...poor, deposit: poor.deposit + more, free: poor.free + more, tok: poor.tok + tok } },
    )
  const blocked = listBlockedActions(createFor(0n, 0n), stranger, now)
  const missing = (token: string) => {
    const amount = blocked.find((each) => each.amount?.token === token)?.amount
    return amount ? amount.need - amount.have : 0n
  }
  const canClaim = (more: bigint, tok: bigint) =>
    listNextSteps(createFor(more, tok), stranger, now).some(({ action }) => action.name === 'claim-task')
  expect(canClaim(missing('usdc'), missing('tok'))).toBe(true)
  expect(canClaim(missing('usdc') - 1n, missing('tok'))).toBe(false)
  expect(canClaim(missing('usdc'), missing('tok') - 1n)).toBe(false)
})
