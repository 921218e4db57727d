import {
  getMarketDeployment,
  type MarketBalances,
  type Providers,
  prepareActionJson,
  UnknownTaskError,
} from '@svc/chain'
import { accounts, type Devnet, type Scene, sendTransaction } from '@svc/devnet'
import { preparedJson } from '@svc/operations'
import { type AnyAction, actionList, actions } from '@svc/protocol/actions'
import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildRequestInput } from './buildRequestInput.ts'
import { cases } from './cases.ts'
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

describe.each(actionList.map((action) => [action.name, action] as const))('%s', (name, action) => {
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
      // Time passes between the simulated block and the real one, so credits and rewards differ.
      if (kind === 'credits' || name === 'claim-rewards') expect(Math.sign(Number(change))).toBe(getSign(told?.change))
      else expect(BigInt(told?.change ?? 0)).toBe(change)
    }
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

const kinds = [
  ['TOK in the wallet', 'tok'],
  ['USDC in the wallet', 'usdc'],
  ['deposit', 'deposit'],
  ['deposit not reserved', 'free'],
  ['Action Credits', 'credits'],
] as const satisfies readonly (readonly [string, keyof MarketBalances])[]

const getSign = (text = '0') => Math.sign(Number(text))
