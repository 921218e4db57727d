import fc from 'fast-check'
import { type Hex, maxUint256, toFunctionSignature } from 'viem'
import { expect, test } from 'vitest'
import { runs } from '../../../../test/harness/runs.ts'
import type { Market } from '../base/market.ts'
import { type ActionContract, type AnyAction, actionContracts, encodeActionInput, parseActionInput } from './action.ts'
import { arbitraryInput, contractAbis, places } from './actions.arbitrary.ts'
import { buildCalls, type Call, decodeCalls } from './calls.ts'
import { computeCost, listTransitions } from './cost.ts'
import { actionList } from './index.ts'

const seed = Date.now() & 0x7fffffff
console.log(`actions: ${runs(100)} random inputs each, seed ${seed}`)
const from = '0x00000000000000000000000000000000000000AA'
const marketOf = (input: Record<string, unknown>) =>
  (input.market ?? (input.taskId as { market: Market }).market) as Market

test('the actions are those of the prepare command, and ours', () => {
  expect(actionList.map(({ name }) => name)).toMatchInlineSnapshot(`
    [
      "approve-usdc-vault",
      "approve-tok-router",
      "top-up",
      "emergency-top-up",
      "withdraw-deposit",
      "post-task",
      "create-task",
      "fund-task",
      "allow-worker",
      "claim-task",
      "start-work",
      "submit-proof",
      "request-revision",
      "accept-milestone",
      "release-lapsed",
      "complete-task",
      "cancel-task",
      "leave-task",
      "dismiss-worker",
      "expire-task",
      "mutual-cancel",
      "withdraw-payout",
      "invalidate-nonce",
      "open-dispute",
      "propose-arbitrator",
      "step-down",
      "submit-evidence",
      "resolve-dispute",
      "escalate",
      "decide-dispute",
      "finalize-dispute",
      "resolve-timed-out",
      "register-arbitrator",
      "request-unbond",
      "unbond",
      "withdraw-award",
      "buy-plan",
      "stake",
      "unstake",
      "claim-rewards",
      "buy-tok",
      "sell-tok",
    ]
  `)
})

/** Writes that no wallet makes: other contracts and the owner do, or a token's other ways to pay. */
const notForWallets: Record<string, readonly string[]> = {
  taskRegistry: ['settleDispute'],
  depositVault: ['reserve', 'unreserve', 'penalise'],
  escrowVault: ['fund', 'release', 'refund', 'lockExitDeposit', 'returnExitDeposit', 'spendExitDeposit'],
  paymentGateway: ['chargeAccessFee', 'pull', 'shareExitDeposit'],
  stakingVault: ['spendCredit', 'addReward'],
  arbitration: ['open', 'concede', 'abandon'],
}
const governance =
  /^(?:(?:un)?pauseEntries|sunset|setGuardian|activateStaking|transferOwnership|acceptOwnership|renounceOwnership)$/

test('every write of every contract is an action, or none for wallets', () => {
  for (const [contract, others] of Object.entries(notForWallets)) {
    const writes = contractAbis[contract as ActionContract].flatMap((entry) =>
      entry.type === 'function' && entry.stateMutability === 'nonpayable' ? [toFunctionSignature(entry)] : [],
    )
    const covered = actionList.filter((action) => action.contract === contract).flatMap(listSignatures)
    expect(
      covered.filter((signature) => !writes.includes(signature)),
      contract,
    ).toEqual([])
    const rest = writes
      .filter((signature) => !covered.includes(signature))
      .map((signature) => signature.split('(')[0] ?? '')
    expect(rest.filter((name) => !governance.test(name)).sort(), contract).toEqual([...others].sort())
  }
})

test('a parameter is named like the input it takes, or like a contract', () => {
  for (const { name, input, functions, swap } of actionList) {
    if (swap) continue
    const names = [...functions.join().matchAll(/(\w+)(?=[,)])/g)].map(([word]) => word)
    const strange = names.filter(
      (each) => !(each in input.shape) && !(actionContracts as readonly string[]).includes(each),
    )
    expect(strange, name).toEqual([])
  }
})

/** The functions of an action as the chain knows them: without names, structs spelled out. */
function listSignatures({ functions, withPermit }: AnyAction): string[] {
  const terms = '(address,uint256[],uint64[],uint64,uint8,address,address,bytes32,uint8,uint8,uint64,uint256)'
  return [...functions, ...(withPermit ? [withPermit] : [])].map((signature) =>
    signature
      .replace(/ \w+(?=[,)])/g, '')
      .replaceAll(', ', ',')
      .replaceAll('TaskTerms', terms)
      .replace('TokenPermit', '(uint256,uint8,bytes32,bytes32)')
      .replaceAll('Signature', '(uint256,uint64,bytes)')
      .replace(/\bReceipt\b/, '(uint64,uint64,bytes)'),
  )
}

test.each(actionList.map((action) => [action.name, action] as const))(
  '%s: what is encoded decodes to itself',
  (_, action) => {
    fc.assert(
      fc.property(arbitraryInput(action), (input) => {
        expect(parseActionInput(action, JSON.parse(JSON.stringify(encodeActionInput(action, input))))).toEqual(input)
        const market = marketOf(input)
        const calls = buildCalls(action, input, { from, contracts: places[market] })
        const decoded = decodeCalls(calls, places)
        // Both markets share the tokens and, in this test only, nothing else: the market is found by the address called.
        expect(decoded?.action.name).toBe(action.name)
        expect(decoded?.market).toBe(market)
        expect(decoded?.input).toEqual(input)
      }),
      { numRuns: runs(100), seed },
    )
  },
)

test.each(actionList.map((action) => [action.name, action] as const))(
  '%s: allows exactly what it takes, never more',
  (_, action) => {
    fc.assert(
      fc.property(arbitraryInput(action), fc.boolean(), (input, hasCredit) => {
        const contracts = places[marketOf(input)]
        const cost = computeCost(action, input, { from })
        const balances = {
          tokAllowance: 0n,
          usdcAllowance: { depositVault: 0n, paymentGateway: 0n },
          credits: hasCredit ? 10n ** 18n : 0n,
        }
        const approvals = decodeCalls(buildCalls(action, input, { from, contracts, balances }), places)?.approvals ?? []
        const tok = cost.tokWei + cost.exitDepositTokWei + (cost.fee && !hasCredit ? 1_000n * 10n ** 18n : 0n)
        expect(approvals.filter(({ token }) => token === 'tok')).toEqual(
          tok ? [{ token: 'tok', spender: action.swap ? 'swapRouter' : 'paymentGateway', amount: tok }] : [],
        )
        expect(approvals.filter(({ token }) => token === 'usdc').map(({ amount }) => amount)).toEqual(
          cost.usdc ? [cost.usdc] : [],
        )
        const enough = {
          tokAllowance: maxUint256,
          usdcAllowance: { depositVault: maxUint256, paymentGateway: maxUint256 },
          credits: 0n,
        }
        // An allowance for the router is given for each swap, and taken back after a purchase.
        const expected = action.swap ? { buy: 3, sell: 2 }[action.swap] : 1
        const isFree = action.swap !== undefined && tok + cost.usdc === 0n
        expect(buildCalls(action, input, { from, contracts, balances: enough })).toHaveLength(expected - Number(isFree))
      }),
      { numRuns: runs(20), seed },
    )
  },
)

test('an action names an operation of the tables and events that exist', () => {
  for (const action of actionList) {
    if (action.operation) expect(listTransitions(action).length, action.name).toBeGreaterThan(0)
    const events = contractAbis[action.proofOf ?? action.contract].flatMap((entry) =>
      entry.type === 'event' ? [entry.name] : [],
    )
    expect(
      action.proof.filter((name) => !events.includes(name)),
      action.name,
    ).toEqual([])
  }
})

test('calldata with bytes behind it is not decoded', () => {
  const [action] = actionList.filter(({ name }) => name === 'cancel-task')
  if (!action) throw new Error('no cancel-task')
  const input = { taskId: { market: 'standard', number: 7n } }
  const calls = buildCalls(action, input, { from, contracts: places.standard })
  const padded = calls.map((call): Call => ({ ...call, data: `${call.data}00` as Hex }))
  expect(decodeCalls(calls, places)?.action).toBe(action)
  expect(decodeCalls(padded, places)).toBeNull()
})

test('every action has a button, a heading, a past tense and one sentence', () => {
  for (const { name, verb, title, done, explain } of actionList) {
    for (const text of [verb, title, done]) expect(text, name).toMatch(/^[A-Z][^.]*[^.\s]$/)
    expect(verb.length, name).toBeLessThanOrEqual(25)
    expect(explain, name).toMatch(/^[A-Z].*[^.]\.$/)
  }
  expect(new Set(actionList.map(({ verb }) => verb)).size).toBe(actionList.length)
})
