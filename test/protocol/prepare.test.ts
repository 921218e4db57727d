import {
  getMarketDeployment,
  type MarketBalances,
  type Providers,
  prepareActionJson,
  UnknownTaskError,
} from '@svc/chain'
import { accounts, type Devnet, type Scene, sendTransaction } from '@svc/devnet'
import { preparedJson } from '@svc/operations'
import { type AnyAction, actions } from '@svc/protocol/actions'
import { minJudgeLock } from '@svc/protocol/internal/money'
import { type Address, encodeFunctionData, erc20Abi, type LocalAccount } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildRequestInput } from './buildRequestInput.ts'
import { cases, ownActions } from './cases.ts'
import { startFurnishedScene } from './furnishedScene.ts'
import { readMarketBalances } from './readMarketBalances.ts'

let devnet: Devnet
let scene: Scene
let providers: Providers
let snapshot: `0x${string}`
beforeAll(async () => {
  ;({ devnet, scene, providers } = await startFurnishedScene())
})
afterAll(() => devnet?.stop())
beforeEach(async () => {
  snapshot = await devnet.client.snapshot()
})
afterEach(() => devnet.client.revert({ id: snapshot }))

const prepare = (action: AnyAction, input: Record<string, unknown>, from: Address) =>
  prepareActionJson(providers, getMarketDeployment(devnet.deployments), { action, input, from })

describe.each(ownActions.map((action) => [action.name, action] as const))('%s', (name, action) => {
  test('is prepared without derived inputs, and its simulation is right', async () => {
    const make = cases[name]
    if (!make) throw new Error(`No case for ${name}.`)
    const it = await make(scene)
    const prepared = await prepare(action, await buildRequestInput(scene, action, it), it.by.address)
    expect(preparedJson.parse(prepared)).toEqual(prepared)
    expect(prepared.decoded).toHaveLength(prepared.calls.length)
    expect(prepared.simulation.status).toBe('succeeds')
    if (prepared.simulation.status !== 'succeeds') return

    const before = await readMarketBalances(scene, it.by.address)
    for (const { to, data } of prepared.calls) {
      await sendTransaction(scene.client, it.by, { to: to as Address, data: data as `0x${string}` })
    }
    const after = await readMarketBalances(scene, it.by.address)
    for (const [what, kind] of kinds) {
      const told = prepared.simulation.changes.find((each) => each.what === what)
      const change = after[kind] - before[kind]
      // Time passes between the simulated block and the real one, so credits and rewards differ. Those of a staker grow by themselves.
      if (kind === 'credits' && !told) expect(change).toBeGreaterThanOrEqual(0n)
      else if (kind === 'credits' || name === 'claim-rewards')
        expect(Math.sign(Number(change))).toBe(getSign(told?.change))
      else expect(BigInt(told?.change ?? 0)).toBe(change)
    }
  })

  test('what its simulation takes from somebody, it gives to somebody or burns', async () => {
    const it = await cases[name]?.(scene)
    if (!it) throw new Error(`No case for ${name}.`)
    const { simulation } = await prepare(action, await buildRequestInput(scene, action, it), it.by.address)
    if (simulation.status !== 'succeeds') throw new Error('refused')
    const sum = (...kinds: string[]) =>
      [...simulation.changes, ...simulation.others]
        .filter(({ what }) => kinds.includes(what))
        .reduce((total, { change }) => total + BigInt(change), 0n)
    // What an overturned judge loses is burnt.
    expect(sum('TOK in the wallet', 'TOK')).toBe(name === 'decide-dispute' ? -minJudgeLock : 0n)
    expect(sum('USDC in the wallet', 'deposit', 'USDC')).toBe(0n)
  })
})

test('an action that would revert is prepared with the reason and what to do', async () => {
  const make = cases['accept-milestone']
  const it = await make?.(scene)
  const action = actions['accept-milestone']
  if (!it?.job || !action) throw new Error('no case')
  const { simulation } = await prepare(action, { taskId: `v2:standard:${it.job.id}` }, accounts.keeper.address)
  expect(simulation).toMatchObject({
    status: 'refused',
    error: { name: 'NotPoster', wayOut: expect.stringMatching(/\.$/) },
  })
})

test('S11: a refusal names the task with its market', async () => {
  const it = await cases['claim-task']?.(scene)
  if (!it?.job) throw new Error('no case')
  const taskId = `v2:standard:${it.job.id}`
  const { simulation } = await prepare(
    actions['claim-task'],
    { taskId, settlementDigest: `0x${'1'.repeat(64)}` },
    it.by.address,
  )
  expect(simulation).toMatchObject({
    error: { name: 'DigestMismatch', message: expect.stringContaining(`task ${taskId} `) },
  })
})

test('accepting a milestone shows the payment, although it is not the money of the poster', async () => {
  const it = await cases['accept-milestone']?.(scene)
  if (!it?.job?.worker) throw new Error('no case')
  const { address } = it.job.worker
  const action = actions['accept-milestone']
  const { simulation } = await prepare(action, await buildRequestInput(scene, action, it), it.by.address)
  const { tok } = await readMarketBalances(scene, address)
  const paid = 300n * 10n ** 18n
  expect(simulation).toMatchObject({
    status: 'succeeds',
    changes: [],
    others: [
      { who: 'escrow of the task', address: scene.contracts.escrowVault, what: 'TOK', words: '-300 TOK' },
      { who: 'worker', address, what: 'TOK', before: String(tok), after: String(tok + paid), words: '+300 TOK' },
    ],
  })
})

test('a wallet that is short of USDC is told so in USDC, with what is missing', async () => {
  const poor = accounts.keeper.address
  await send(accounts.bruno, scene.contracts.usdc, [poor, 3_000_000n])
  const { simulation } = await prepare(actions['top-up'], { market: 'standard', amountUsdc: '25000000' }, poor)
  expect(simulation).toMatchObject({
    error: {
      name: 'ERC20InsufficientBalance',
      message: 'You have 3.00 USDC; this takes 25.00 USDC. 22.00 USDC are missing.',
      wayOut: 'Add at least 22.00 USDC to your wallet.',
    },
  })
})

test('where an action makes several transfers, what is missing is all of it', async () => {
  const it = await cases['claim-task']?.(scene)
  if (!it?.job) throw new Error('no case')
  const { tok, credits } = await readMarketBalances(scene, it.by.address)
  expect(credits).toBe(0n)
  // Enough for neither the fee nor the exit deposit, 1,000 TOK each.
  await send(it.by, scene.contracts.tokToken, [accounts.bruno.address, tok - 100n * 10n ** 18n])
  const input = await buildRequestInput(scene, actions['claim-task'], it)
  const { simulation } = await prepare(actions['claim-task'], input, it.by.address)
  expect(simulation).toMatchObject({
    error: { message: 'You have 100 TOK; this takes 2,000 TOK. 1,900 TOK are missing.' },
  })
})

test('a missing task and an invalid input have their own errors', async () => {
  const action = actions['cancel-task']
  await expect(prepare(action, { taskId: 'v2:standard:999999' }, accounts.keeper.address)).rejects.toThrow(
    UnknownTaskError,
  )
  const topUp = actions['top-up']
  await expect(prepare(topUp, { market: 'standard', amountUsdc: '-1' }, accounts.keeper.address)).rejects.toMatchObject(
    { issues: [{ path: ['amountUsdc'] }] },
  )
})

const send = (by: LocalAccount, to: Address, args: readonly [Address, bigint]) =>
  sendTransaction(scene.client, by, {
    to,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
  })

const kinds = [
  ['TOK in the wallet', 'tok'],
  ['USDC in the wallet', 'usdc'],
  ['deposit', 'deposit'],
  ['deposit not reserved', 'free'],
  ['Action Credits', 'credits'],
] as const satisfies readonly (readonly [string, keyof MarketBalances])[]

const getSign = (text = '0') => Math.sign(Number(text))
