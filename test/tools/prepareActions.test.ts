import type { Wealth } from '@svc/chain'
import { accounts, createScene, type Devnet, furnish, type Scene, sendData, startDevnet, warp } from '@svc/devnet'
import { actionCredit, parseAmount } from '@svc/protocol'
import { actions } from '@svc/protocol/actions'
import type { PreparedJson } from '@svc/protocol/http'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { actionAnswer } from '../../apps/tools/src/prepare/actionCommand.ts'
import { fieldsOfAction } from '../../apps/tools/src/prepare/fieldsOfAction.ts'
import { errorAnswer } from '../../apps/tools/src/prepare/prepareError.ts'
import { cases } from '../protocol/cases.ts'
import { inputOf } from '../protocol/inputOf.ts'
import { wealthOf } from '../protocol/wealthOf.ts'
import { argvOf, createPreparing, type Preparing } from './preparing.ts'

let devnet: Devnet
let scene: Scene
let preparing: Preparing
let snapshot: Hex
beforeAll(async () => {
  devnet = await startDevnet()
  await furnish(devnet.client, devnet.deployments)
  scene = createScene(devnet.client, devnet.deployments, 'standard')
  // Nothing listens there: a gateway has tests of its own.
  preparing = await createPreparing({ ...devnet, gatewayUrl: 'http://127.0.0.1:3' })
})
afterAll(async () => {
  await preparing?.stop()
  await devnet?.stop()
})
beforeEach(async () => {
  snapshot = await devnet.client.snapshot()
})
afterEach(() => devnet.client.revert({ id: snapshot }))

describe.each(actions.map((action) => [action.name, action] as const))('%s', (name, action) => {
  test('costs what the preview says, does what the simulation says, and explains itself where it cannot', async () => {
    const make = cases[name]
    if (!make) throw new Error(`No case for ${name}.`)
    const it = await make(scene)
    const { settlementDigest: _, ...input } = await inputOf(scene, action, it)
    const argv = [name, ...(await argvOf(fieldsOfAction(action), input, preparing.file)), '--from']

    const { exit, out, json: prepared } = await preparing.run([...argv, it.by.address, '--json'])
    expect(exit, out).toBe(0)
    expect(actionAnswer.safeParse(prepared).success).toBe(true)
    expect(prepared.note).toContain('Start one with')
    const told = changesOf(prepared)
    expectCosts(name, prepared, told)

    // What the gateway is asked for is what was shown, whatever the task answers by then.
    const { args } = prepared.decoded.at(-1) as PreparedJson['decoded'][number]
    const stdin = JSON.stringify(Object.fromEntries(args.map(({ name, value }) => [name, JSON.parse(value)])))
    const pinned = await preparing.run([name, '--input', '-', '--from', it.by.address, '--json'], { stdin })
    expect(pinned.json.calls).toEqual(prepared.calls)

    const before = await wealthOf(scene, it.by.address)
    for (const { to, data } of prepared.calls) await sendData(scene.client, it.by, { to, data })
    const after = await wealthOf(scene, it.by.address)
    for (const kind of kinds) {
      const change = after[kind] - before[kind]
      // What drips goes on between the block it was played on and the one it was sent in.
      if (kind === 'credits' || name === 'claim-rewards') expect(told[kind] > 0n).toBe(change > 0n)
      else expect([kind, told[kind]]).toEqual([kind, change])
    }

    const again = await preparing.run([...argv, it.by.address, '--json'])
    const stranger = await preparing.run([...argv, accounts.keeper.address, '--json'])
    for (const wrong of [again, stranger].filter((each) => each.exit !== 0)) {
      expect(wrong.exit, wrong.out).toBe(4)
      expect(errorAnswer.parse(wrong.json)).toMatchObject({ code: 'WOULD_REVERT', exit: 4 })
      expect(wrong.json.error).toMatch(/^(?:[A-Z0-9]|v2:).{10,}\.$/)
      expect(wrong.json.hint).toMatch(/\.$/)
    }
    // Anyone may allow anything of theirs.
    expect(again.exit === 4 || stranger.exit === 4).toBe(!name.startsWith('approve-'))
  })
})

test('people see what they sign, what it costs, which clock starts and what happens, and the calls where no gateway is', async () => {
  const it = await cases['claim-task']?.(scene)
  const { exit, out, err } = await preparing.run([
    'claim-task',
    '--task-id',
    `v2:standard:${it?.job?.id}`,
    '--from',
    accounts.emeka.address,
  ])
  expect([exit, err]).toEqual([0, ''])
  for (const words of [
    /You sign\n {2}1\. .*Claim a posted task/s,
    /It costs\n {2}Access fee: 1,000 TOK/,
    /It starts a clock\n {2}The poster must fund/,
    /Simulated\n {2}TOK in the wallet: -1,000 TOK\n {2}deposit not reserved: -8.00 USDC/,
    /The terms you agree to.*\n.*1\. 300 TOK within 2 d\n {2}2\. 700 TOK within 2 d/s,
    /> Draw a map/,
    /"calls":\[\{"to":"0x/,
    /Start one with/,
  ]) {
    expect(out).toMatch(words)
  }
})

test('what the wallet, the task and the price answer may be left out', async () => {
  const bruno = ['--from', accounts.bruno.address, '--dry-run', '--json']
  const { json: out } = await preparing.run(['withdraw-deposit', '--amount', '1USDC', ...bruno])
  expect(out.decoded.at(-1).args).toContainEqual({ name: 'to', value: JSON.stringify(accounts.bruno.address) })
  const it = await cases['fund-task']?.(scene)
  const { json: fund } = await preparing.run(['fund-task', '--task-id', `v2:standard:${it?.job?.id}`, ...bruno])
  expect(fund.costs).toEqual([{ what: 'From your wallet', amount: '1,000 TOK' }])
  await cases['buy-plan']?.(scene)
  const { json: plan } = await preparing.run(['buy-plan', '--tier', 'basic', '--pay-with', 'usdc', ...bruno])
  expect(plan.costs).toEqual([{ what: 'From your wallet', amount: '9.00 USDC' }])
  await warp(scene.client, 3 * 86_400)
  const stale = await preparing.run(['buy-plan', '--tier', 'basic', '--pay-with', 'tok', ...bruno])
  expect(stale).toMatchObject({ exit: 4, json: { code: 'PRICE_UNKNOWN' } })
})

test('a task that is not there, a silent chain and a chain that is another are told apart', async () => {
  const argv = ['cancel-task', '--task-id', 'v2:standard:999999', '--from', accounts.bruno.address, '--json']
  expect(await preparing.run(argv)).toMatchObject({ exit: 4, json: { code: 'TASK_NOT_FOUND' } })
  expect(await preparing.run(argv, { env: { CHAIN_RPC_URL: 'http://127.0.0.1:3' } })).toMatchObject({
    exit: 3,
    json: { code: 'CHAIN_UNREACHABLE' },
  })
  const SVC_DEPLOYMENTS = await preparing.file(JSON.stringify({ ...devnet.deployments, chainId: 10 }))
  expect(await preparing.run(argv, { env: { SVC_DEPLOYMENTS } })).toMatchObject({
    exit: 3,
    json: { code: 'WRONG_CHAIN' },
  })
})

const kinds = ['tok', 'usdc', 'deposit', 'free', 'credits'] as const satisfies readonly (keyof Wealth)[]
const names = {
  tok: 'TOK in the wallet',
  usdc: 'USDC in the wallet',
  deposit: 'deposit',
  free: 'deposit not reserved',
  credits: 'Action Credits',
} as const

function changesOf({ simulation }: PreparedJson): Wealth {
  if (simulation.status !== 'succeeds') throw new Error('The simulation does not succeed.')
  const entries = kinds.map((kind) => {
    const found = simulation.changes.find(({ what }) => what === names[kind])
    return [kind, BigInt(found?.change ?? 0)] as const
  })
  return Object.fromEntries(entries) as unknown as Wealth
}

const tok = (amount: number) => BigInt(amount) * 10n ** 18n
const usd = (amount: number) => BigInt(amount) * 1_000_000n

/** What actions move besides what they cost, in the cases of `cases.ts`: payments to the caller, and reserves that are let go or filled up again. */
const besides: Readonly<Record<string, Partial<Wealth>>> = {
  'top-up': { deposit: usd(45), free: usd(45) },
  'withdraw-deposit': { usdc: usd(3), deposit: -usd(3), free: -usd(3) },
  'complete-task': { free: usd(8) },
  'cancel-task': { tok: tok(1_000), free: usd(8) },
  'leave-task': { free: usd(8 - 5) },
  'dismiss-worker': { free: -usd(5) },
  'mutual-cancel': { tok: tok(500), free: usd(8) },
  'withdraw-payout': { tok: tok(300) },
  'withdraw-award': { tok: tok(500) },
  unbond: { tok: tok(70_000) },
  unstake: { tok: tok(40) },
}

/** Balances lose every line of the costs, to the last unit, and nothing else. */
function expectCosts(name: string, { costs }: PreparedJson, told: Wealth): void {
  const sum = (part: RegExp, symbol: 'TOK' | 'USDC') =>
    costs
      .filter(({ what, amount }) => part.test(what) && amount.endsWith(symbol))
      .reduce((all, { amount }) => all + parseAmount(amount, symbol === 'TOK' ? 'tok' : 'usdc'), 0n)
  const paid = {
    tok: sum(/Access fee|From your wallet/, 'TOK'),
    usdc: sum(/From your wallet/, 'USDC'),
    deposit: sum(/Penalty/, 'USDC'),
    free: sum(/Reserved/, 'USDC'),
    credits: costs.some(({ amount }) => amount === '1 Action Credit') ? actionCredit : 0n,
  }
  for (const kind of kinds) {
    // Rewards drip: how much, the next block decides.
    if (name === 'claim-rewards' && kind === 'tok') expect(told.tok > 0n).toBe(true)
    else expect([kind, told[kind]]).toEqual([kind, (besides[name]?.[kind] ?? 0n) - paid[kind]])
  }
}
