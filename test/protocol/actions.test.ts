import {
  accounts,
  createScene,
  type Devnet,
  readBalances,
  type Scene,
  sendActivation,
  sendClaim,
  sendCompletion,
  sendPost,
  sendTransaction,
  setUpMarkets,
  startDevnet,
} from '@svc/devnet'
import { depositVaultAbi, escrowVaultAbi } from '@svc/protocol/abis'
import {
  type AnyAction,
  buildCalls,
  type Call,
  computeCost,
  listNextSteps,
  type TaskContext,
} from '@svc/protocol/actions'
import { explainError, extractRevertData } from '@svc/protocol/errors'
import { computeWalletTok, deadlines, findCallToken, getContract } from '@svc/protocol/internal/actions'
import { findNextStep } from '@svc/protocol/internal/steps'
import { disputeRoles, roles } from '@svc/protocol/lifecycle'
import { type Address, erc20Abi, type LocalAccount, parseEventLogs, type TransactionReceipt } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { contractAbis } from '../../packages/protocol/src/actions/actions.arbitrary.ts'
import { buildFullInput, readTermsByTask } from './buildFullInput.ts'
import { type Case, cases, ownActions } from './cases.ts'
import { computeExpectedChanges } from './expectedChanges.ts'
import { readTaskContexts } from './readTaskContext.ts'

let devnet: Devnet
let scene: Scene
let snapshot: `0x${string}`
beforeAll(async () => {
  devnet = await startDevnet()
  await setUpMarkets(devnet.client, devnet.deployments)
  scene = createScene(devnet.client, devnet.deployments, 'standard')
})
afterAll(() => devnet?.stop())
beforeEach(async () => {
  snapshot = await devnet.client.snapshot()
})
afterEach(() => devnet.client.revert({ id: snapshot }))

test('every action has a case', () => {
  expect(Object.keys(cases).sort()).toEqual(ownActions.map(({ name }) => name).sort())
})

describe.each(ownActions.map((action) => [action.name, action] as const))('%s', (name, action) => {
  const prepare = cases[name]
  if (!prepare) throw new Error(`No case for ${name}.`)

  test('leaves the state, the balances, the clock and the event that its row promises', async () => {
    const it = await prepare(scene)
    await (action.operation && it.job ? checkTaskAction(action, it) : checkWalletAction(action, it))
  })

  test('is refused in a wrong state and to a wrong caller, in words', async () => {
    const it = await prepare(scene)
    const refusals = await wrongCalls(action, it)
    for (const { calls, by, error } of refusals) {
      const told = await refusal(by, calls)
      expect(told?.name).toBe(error)
      expect(told?.message).toMatch(/^(?:[A-Z0-9]|v2:).{10,}\.$/)
      expect(told?.wayOut).toMatch(/\.$/)
    }
    // Anyone can approve a spender of their own tokens.
    expect(refusals.length > 0 || name.startsWith('approve-')).toBe(true)
  })
})

async function checkTaskAction(
  action: AnyAction,
  { by, job, input: given }: Case & { job?: NonNullable<Case['job']> },
) {
  if (!job) throw new Error('no task')
  const parties = [job.poster.address, (job.worker ?? accounts.emeka).address] as const
  const [before] = await readTaskContexts(scene, [job.id], [by.address, ...parties])
  const terms = (await readTermsByTask(scene)).get(job.id)
  if (!before || !terms) throw new Error('no task')
  const now = Number((await scene.client.getBlock()).timestamp) + 1
  const step = findNextStep(action, before, by.address, now, given)
  if (!step) throw new Error(`${action.name} is not offered.`)
  const brought = await buildFullInput(scene, { action, context: before, terms, wallet: by.address })
  const input = { ...brought, ...step.derived, ...given }
  const was = await purses(job.id, parties)

  const receipt = await sendAll(
    by,
    buildCalls(action, input, { from: by.address, contracts: scene.contracts, cost: step.cost }),
  )

  expect(proofs(action, receipt).map(({ taskId }) => taskId)).toContain(job.id)
  const [after] = await readTaskContexts(scene, [job.id], [by.address, ...parties])
  const to = typeof step.row.to === 'string' ? step.row.to : step.row.to[before.task.scope]
  expect('task' in (action.operation ?? {}) ? after?.task.state : after?.dispute?.phase).toBe(to)
  if (action.deadline && after) {
    const now = Number((await scene.client.getBlock()).timestamp)
    expect(deadlines[action.deadline].end?.(after)).toBeGreaterThan(now)
  }
  const caller = by.address === parties[0] ? 'poster' : by.address === parties[1] ? 'worker' : null
  const changes = computeExpectedChanges(step.row, before, {
    amounts: terms.amounts,
    held: was.held,
    input,
    reserves: was.reserves,
    exitDeposits: was.exitDeposits,
    caller,
  })
  const is = await purses(job.id, parties)
  expect({ poster: minus(is.poster, was.poster), worker: minus(is.worker, was.worker) }).toEqual(changes)
}

async function checkWalletAction(action: AnyAction, { by, input = {}, gains }: Case) {
  const was = await wallet(by.address)
  const cost = computeCost(action, input, { from: by.address })
  const receipt = await sendAll(by, buildCalls(action, input, { from: by.address, contracts: scene.contracts }))
  const [event, ...others] = proofs(action, receipt)
  if (!event) throw new Error('nothing proves it')
  expect(others).toEqual([])
  const gained = typeof gains === 'function' ? gains(event) : gains
  const is = await wallet(by.address)
  expect({ tok: is.tok - was.tok, usdc: is.usdc - was.usdc }).toEqual({
    tok: (gained?.tok ?? 0n) - computeWalletTok(cost, { credits: 0n }),
    usdc: (gained?.usdc ?? 0n) - cost.usdc,
  })
}

/** Calls that must fail: by an outsider, on a finished task, and by a wallet without funds. */
async function wrongCalls(action: AnyAction, { by, job, input: given = {} }: Case) {
  const contracts = scene.contracts
  if (!action.operation || !job) {
    const error = wrongErrors[action.name]
    if (!error) return []
    if (action.name === 'create-task') {
      const swapped = { ...given, workerAcceptance: given.posterAcceptance }
      return [{ by, calls: buildCalls(action, swapped, { from: by.address, contracts }), error }]
    }
    const calls = buildCalls(action, given, { from: accounts.keeper.address, contracts })
    if (action.name === 'invalidate-nonce') await sendAll(accounts.keeper, calls)
    return [{ by: accounts.keeper, calls, error }]
  }
  const stranger = accounts.keeper
  const [context] = await readTaskContexts(scene, [job.id], [by.address, stranger.address])
  const terms = (await readTermsByTask(scene)).get(job.id)
  if (!context || !terms) throw new Error('no task')
  const ended = await finished()
  const endedTerms = (await readTermsByTask(scene)).get(ended.taskId.number)
  const forStranger = {
    ...(await buildFullInput(scene, { action, context, terms, wallet: stranger.address })),
    ...given,
  }
  const forEnded = {
    ...(await buildFullInput(scene, { action, context: ended, terms: endedTerms ?? terms, wallet: by.address })),
    ...given,
    taskId: ended.taskId,
  }
  const [row] = listNextSteps(context, by.address, Number((await scene.client.getBlock()).timestamp) + 1)
    .filter((step) => step.action === action)
    .map((step) => step.row)
  const all: Readonly<Record<string, string | null>> = { ...roles, ...disputeRoles }
  const strangerError = row && (action.name === 'claim-task' ? 'DepositTooLow' : all[row.by])
  return [
    ...(strangerError
      ? [
          {
            by: stranger,
            calls: buildCalls(action, forStranger, { from: stranger.address, contracts, cost: free }),
            error: strangerError,
          },
        ]
      : []),
    {
      by,
      calls: buildCalls(action, forEnded, { from: by.address, contracts, cost: free }),
      error: 'task' in action.operation ? 'WrongState' : 'WrongPhase',
    },
  ]
}

const free = {
  fee: false,
  tokWei: 0n,
  exitDepositTokWei: 0n,
  stakeTokWei: 0n,
  lostTokWei: 0n,
  usdc: 0n,
  reserveUsdc: 0n,
  penaltyUsdc: 0n,
}

/** The error for a wallet without funds; for `create-task` without the worker's signature, and for a nonce that is used twice. */
const wrongErrors: Record<string, string> = {
  'top-up': 'ERC20InsufficientBalance',
  'emergency-top-up': 'ERC20InsufficientBalance',
  'withdraw-deposit': 'InsufficientDeposit',
  'post-task': 'PosterMismatch',
  'create-task': 'InvalidSignature',
  'withdraw-payout': 'NothingToWithdraw',
  'invalidate-nonce': 'NonceUsed',
  'register-arbitrator': 'ERC20InsufficientBalance',
  'request-unbond': 'NothingToWithdraw',
  unbond: 'NotUnbonding',
  'withdraw-award': 'NothingToWithdraw',
  'buy-plan': 'ERC20InsufficientBalance',
  stake: 'ERC20InsufficientBalance',
  unstake: 'InsufficientStake',
  'claim-rewards': 'ZeroAmount',
}

async function finished(): Promise<TaskContext> {
  const { bruno, emeka } = accounts
  const job = await sendPost(scene, { poster: bruno, text: 'Done\n\nLong ago.', amounts: [1n], duration: 86_400 })
  await sendClaim(scene, job, emeka)
  await sendActivation(scene, job)
  await sendCompletion(scene, job)
  const [context] = await readTaskContexts(scene, [job.id], [])
  if (!context) throw new Error('no task')
  return context
}

/** Sends the calls one after another and returns the last receipt. */
async function sendAll(by: LocalAccount, calls: readonly Call[]): Promise<TransactionReceipt> {
  const receipts = []
  for (const { to, data } of calls) receipts.push(await sendTransaction(scene.client, by, { to, data }))
  const last = receipts.at(-1)
  if (!last) throw new Error('no calls')
  return last
}

/** Sends the calls and returns the error of the last one. */
async function refusal(by: LocalAccount, calls: readonly Call[]) {
  for (const { to, data } of calls.slice(0, -1)) await sendTransaction(scene.client, by, { to, data })
  const last = calls.at(-1)
  const error = await scene.client.call({ account: by, to: last?.to, data: last?.data }).then(
    () => null,
    (cause: unknown) => cause,
  )
  const data = extractRevertData(error)
  const token = last && findCallToken(last, scene.contracts)
  return data ? explainError(data, { market: scene.market, token, caller: by.address }) : null
}

function proofs(action: AnyAction, { logs }: TransactionReceipt): Record<string, unknown>[] {
  const { contract } = action
  const own = logs.filter(
    ({ address }) => address.toLowerCase() === getContract(scene.contracts, contract).toLowerCase(),
  )
  return parseEventLogs({ abi: contractAbis[contract], logs: own })
    .filter(({ eventName }) => action.proof.includes(eventName))
    .map(({ args }) => args as Record<string, unknown>)
}

async function wallet(address: Address) {
  const { tok } = await readBalances(scene, address)
  const usdc = await scene.client.readContract({
    address: scene.contracts.usdc,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [address],
  })
  return { tok, usdc }
}

async function purses(taskId: bigint, [poster, worker]: readonly [Address, Address]) {
  const deposits = { address: scene.contracts.depositVault, abi: depositVaultAbi } as const
  const readReserve = (agent: Address) =>
    scene.client.readContract({ ...deposits, functionName: 'reserveOf', args: [taskId, agent] })
  const of = async (agent: Address) => ({ ...(await readBalances(scene, agent)), reserve: await readReserve(agent) })
  const escrow = { address: scene.contracts.escrowVault, abi: escrowVaultAbi } as const
  const held = await scene.client.readContract({ ...escrow, functionName: 'heldOf', args: [taskId] })
  const readExitDeposit = (agent: Address) =>
    scene.client.readContract({ ...escrow, functionName: 'exitDepositOf', args: [taskId, agent] })
  const exitDeposits = { poster: await readExitDeposit(poster), worker: await readExitDeposit(worker) }
  const balances = { poster: await of(poster), worker: await of(worker) }
  return {
    ...balances,
    held,
    exitDeposits,
    reserves: { poster: balances.poster.reserve, worker: balances.worker.reserve },
  }
}

type Balances = { tok: bigint; deposit: bigint; reserve: bigint }
const minus = (a: Balances, b: Balances): Balances => ({
  tok: a.tok - b.tok,
  deposit: a.deposit - b.deposit,
  reserve: a.reserve - b.reserve,
})
