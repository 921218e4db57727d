import { marketPlaces, type Providers, prepareAction, UnknownTaskError, type Wealth } from '@svc/chain'
import { accounts, type Devnet, type Scene, sendData } from '@svc/devnet'
import { type AnyAction, actions } from '@svc/protocol/actions'
import { preparedJson } from '@svc/protocol/http'
import type { Address } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { cases } from './cases.ts'
import { startFurnishedScene } from './furnished.ts'
import { inputOf } from './inputOf.ts'
import { wealthOf } from './wealthOf.ts'

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
  prepareAction(providers, marketPlaces(devnet.deployments), { action, input, from })

describe.each(actions.map((action) => [action.name, action] as const))('%s', (name, action) => {
  test('is prepared from what the task does not answer, and what its simulation says comes true', async () => {
    const make = cases[name]
    if (!make) throw new Error(`No case for ${name}.`)
    const it = await make(scene)
    const prepared = await prepare(action, await inputOf(scene, action, it), it.by.address)
    expect(preparedJson.parse(prepared)).toEqual(prepared)
    expect(prepared.decoded).toHaveLength(prepared.calls.length)
    expect(prepared.simulation.status).toBe('succeeds')
    if (prepared.simulation.status !== 'succeeds') return

    const before = await wealthOf(scene, it.by.address)
    for (const { to, data } of prepared.calls) {
      await sendData(scene.client, it.by, { to: to as Address, data: data as `0x${string}` })
    }
    const after = await wealthOf(scene, it.by.address)
    for (const [what, kind] of kinds) {
      const told = prepared.simulation.changes.find((each) => each.what === what)
      const change = after[kind] - before[kind]
      // Time passes between the block it was played on and the one it was sent in: what accrues or drips moves on.
      if (kind === 'credits' || name === 'claim-rewards') expect(Math.sign(Number(change))).toBe(signOf(told?.change))
      else expect(BigInt(told?.change ?? 0)).toBe(change)
    }
  })
})

test('what the chain would refuse is prepared with the reason and the way out', async () => {
  const make = cases['accept-milestone']
  const it = await make?.(scene)
  const action = actions.find(({ name }) => name === 'accept-milestone')
  if (!it?.job || !action) throw new Error('no case')
  const { simulation } = await prepare(action, { taskId: `v2:standard:${it.job.id}` }, accounts.keeper.address)
  expect(simulation).toMatchObject({
    status: 'refused',
    error: { name: 'NotPoster', wayOut: expect.stringMatching(/\.$/) },
  })
})

test('a task that is not there, and an input that cannot be read, are told apart from the chain', async () => {
  const action = actions.find(({ name }) => name === 'cancel-task') as AnyAction
  await expect(prepare(action, { taskId: 'v2:standard:999999' }, accounts.keeper.address)).rejects.toThrow(
    UnknownTaskError,
  )
  const topUp = actions.find(({ name }) => name === 'top-up') as AnyAction
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
] as const satisfies readonly (readonly [string, keyof Wealth])[]

const signOf = (text = '0') => Math.sign(Number(text))
