import type { MarketBalances } from '@svc/chain'
import {
  accounts,
  advanceTime,
  createScene,
  type Devnet,
  type Scene,
  sendTransaction,
  setUpMarkets,
  startDevnet,
} from '@svc/devnet'
import type { PreparedJson } from '@svc/operations'
import { parseAmount } from '@svc/protocol'
import { actionCredit } from '@svc/protocol/internal/money'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callTool } from '../../apps/tools/src/callTool.ts'
import { openMarkets } from '../../apps/tools/src/market.ts'
import { actionAnswer } from '../../apps/tools/src/prepare/actionCommand.ts'
import { listActionFields } from '../../apps/tools/src/prepare/listActionFields.ts'
import { errorAnswer } from '../../apps/tools/src/prepare/prepareError.ts'
import type { ToolDeps } from '../../apps/tools/src/tool.ts'
import { createToolDeps } from '../../apps/tools/src/toolDeps.ts'
import { prepare } from '../../apps/tools/src/tools/prepare.ts'
import { buildRequestInput } from '../protocol/buildRequestInput.ts'
import { cases, ownActions } from '../protocol/cases.ts'
import { readMarketBalances } from '../protocol/readMarketBalances.ts'
import { buildArgv, createPrepareRunner, type Preparing } from './preparing.ts'

let devnet: Devnet
let scene: Scene
let preparing: Preparing
let deps: ToolDeps
let snapshot: Hex
beforeAll(async () => {
  devnet = await startDevnet()
  await setUpMarkets(devnet.client, devnet.deployments)
  scene = createScene(devnet.client, devnet.deployments, 'standard')
  // No gateway listens there. prepareGateway.test.ts tests with one.
  preparing = await createPrepareRunner({ ...devnet, gatewayUrl: 'http://127.0.0.1:3' })
  deps = createToolDeps(openMarkets([devnet.rpcUrl], devnet.deployments), 'http://127.0.0.1:3')
})
afterAll(async () => {
  await preparing?.stop()
  await devnet?.stop()
})
beforeEach(async () => {
  snapshot = await devnet.client.snapshot()
})
afterEach(() => devnet.client.revert({ id: snapshot }))

describe.each(ownActions.map((action) => [action.name, action] as const))('%s', (name, action) => {
  test('costs what the preview shows, does what the simulation shows, and explains failures', async () => {
    const make = cases[name]
    if (!make) throw new Error(`No case for ${name}.`)
    const it = await make(scene)
    const { settlementDigest: _, ...input } = await buildRequestInput(scene, action, it)
    const argv = [name, ...(await buildArgv(listActionFields(action), input, preparing.file)), '--from']

    const { exit, out, json: prepared } = await preparing.run([...argv, it.by.address, '--json'])
    expect(exit, out).toBe(0)
    expect(actionAnswer.safeParse(prepared).success).toBe(true)
    expect(prepared.note).toContain('Start one with')
    const told = sumChanges(prepared)
    expectCosts(prepared, told, { ...it.gains, ...besides[name] })

    // The MCP tool prepares the same bytes. Nothing else is trusted to sign.
    const tool = await callTool(
      prepare,
      { action: name, input, address: it.by.address, calls: true },
      deps,
      (error) => {
        throw error
      },
    )
    expect(tool.structuredContent, JSON.stringify(tool.content)).toMatchObject({
      ready: true,
      sendCalls: { chainId: prepared.chainId, from: it.by.address, calls: prepared.calls },
    })

    // The gateway gets exactly the input that was shown, even if derived values change later.
    const { args } = prepared.decoded.at(-1) as PreparedJson['decoded'][number]
    const stdin = JSON.stringify(Object.fromEntries(args.map(({ name, value }) => [name, JSON.parse(value)])))
    const pinned = await preparing.run([name, '--input', '-', '--from', it.by.address, '--json'], { stdin })
    expect(pinned.json.calls).toEqual(prepared.calls)

    const before = await readMarketBalances(scene, it.by.address)
    for (const { to, data } of prepared.calls) await sendTransaction(scene.client, it.by, { to, data })
    const after = await readMarketBalances(scene, it.by.address)
    for (const kind of kinds) {
      const change = after[kind] - before[kind]
      // Credits and rewards accrue between the simulated block and the real one.
      if (kind === 'credits') expectAboutEqual(change, told[kind])
      else if (name === 'claim-rewards') expect(told[kind] > 0n).toBe(change > 0n)
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
    // Anyone can approve a spender of their own tokens.
    expect(again.exit === 4 || stranger.exit === 4).toBe(!name.startsWith('approve-'))
  })
})

test('the text shows the calls, the costs, the deadline and the simulation, and the raw calls without a gateway', async () => {
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
    /You sign\n {2}1\. .*Claims an open task/s,
    /It costs\n {2}Access fee: 1,000 TOK/,
    /It starts a deadline\n {2}The task must be fully funded and started/,
    /Simulated\n {2}TOK in the wallet: -2,000 TOK\n {2}deposit not reserved: -13.00 USDC/,
    /Exit deposits of the task: \+1,000 TOK\n.* {2}Treasury 0x\w{4}…\w{4}: \+600 TOK/s,
    /Terms you agree to.*\n.*1\. 300 TOK within 2 d\n {2}2\. 700 TOK within 2 d/s,
    /> Draw a map/,
    /"calls":\[\{"to":"0x/,
    /Start one with/,
  ]) {
    expect(out).toMatch(words)
  }
})

test('inputs that the wallet, the task or the price provides are optional', async () => {
  const bruno = ['--from', accounts.bruno.address, '--dry-run', '--json']
  const { json: out } = await preparing.run(['withdraw-deposit', '--amount', '1USDC', ...bruno])
  expect(out.decoded.at(-1).args).toContainEqual({ name: 'to', value: JSON.stringify(accounts.bruno.address) })
  const it = await cases['fund-task']?.(scene)
  const { json: fund } = await preparing.run(['fund-task', '--task-id', `v2:standard:${it?.job?.id}`, ...bruno])
  expect(fund.costs).toEqual([{ what: 'From your wallet', amount: '1,000 TOK' }])
  await cases['buy-plan']?.(scene)
  const { json: plan } = await preparing.run(['buy-plan', '--tier', 'basic', '--pay-with', 'usdc', ...bruno])
  expect(plan.costs).toEqual([{ what: 'From your wallet', amount: '9.00 USDC' }])
  await advanceTime(scene.client, 3 * 86_400)
  const stale = await preparing.run(['buy-plan', '--tier', 'basic', '--pay-with', 'tok', ...bruno])
  expect(stale).toMatchObject({ exit: 4, json: { code: 'PRICE_UNKNOWN' } })
})

test('a missing task, an unreachable chain and a wrong chain have their own errors', async () => {
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

const kinds = ['tok', 'usdc', 'deposit', 'free', 'credits'] as const satisfies readonly (keyof MarketBalances)[]
const names = {
  tok: 'TOK in the wallet',
  usdc: 'USDC in the wallet',
  deposit: 'deposit',
  free: 'deposit not reserved',
  credits: 'Action Credits',
} as const

function sumChanges({ simulation }: PreparedJson): MarketBalances {
  if (simulation.status !== 'succeeds') throw new Error('The simulation does not succeed.')
  const entries = kinds.map((kind) => {
    const found = simulation.changes.find(({ what }) => what === names[kind])
    return [kind, BigInt(found?.change ?? 0)] as const
  })
  return Object.fromEntries(entries) as unknown as MarketBalances
}

const tok = (amount: number) => BigInt(amount) * 10n ** 18n
const usd = (amount: number) => BigInt(amount) * 1_000_000n

/** What actions move besides their costs, in `cases.ts`: payments to the caller, and exit deposits and reserves that are returned. */
const besides: Readonly<Record<string, Partial<MarketBalances>>> = {
  'top-up': { deposit: usd(45), free: usd(45) },
  'withdraw-deposit': { usdc: usd(3), deposit: -usd(3), free: -usd(3) },
  'complete-task': { tok: tok(1_000), free: usd(13) },
  'cancel-task': { tok: tok(1_000 + 1_000), free: usd(13) },
  'leave-task': { free: usd(13) },
  'mutual-cancel': { tok: tok(500 + 1_000), free: usd(13) },
  'decide-dispute': { tok: tok(3), deposit: usd(8), free: usd(8) },
}

/** Credits accrue with every second of a stake. In a test that is far less than one, and one is the least that is spent. */
function expectAboutEqual(credits: bigint, expected: bigint): void {
  expect(credits - expected).toBeGreaterThanOrEqual(0n)
  expect(credits - expected).toBeLessThan(actionCredit / 2n)
}

/** Expects the balances to change by the costs. */
function expectCosts({ action, costs }: PreparedJson, told: MarketBalances, more: Partial<MarketBalances>): void {
  const sum = (part: RegExp, symbol: 'TOK' | 'USDC') =>
    costs
      .filter(({ what, amount }) => part.test(what) && amount.endsWith(symbol))
      .reduce((all, { amount }) => all + parseAmount(amount, symbol === 'TOK' ? 'tok' : 'usdc'), 0n)
  const paid = {
    tok: sum(/Access fee|from your wallet/i, 'TOK'),
    usdc: sum(/from your wallet/i, 'USDC'),
    deposit: sum(/Penalty/, 'USDC'),
    free: sum(/Reserved/, 'USDC'),
    credits: costs.some(({ amount }) => amount === '1 Action Credit') ? actionCredit : 0n,
  }
  for (const kind of kinds) {
    // The amount of rewards depends on the next block.
    if (action === 'claim-rewards' && kind === 'tok') expect(told.tok > 0n).toBe(true)
    else if (kind === 'credits') expectAboutEqual(told.credits, -paid.credits)
    else expect([kind, told[kind]]).toEqual([kind, (more[kind] ?? 0n) - paid[kind]])
  }
}
