import {
  chainOf,
  createProviders,
  createRpc,
  marketPlaces,
  type Providers,
  prepareAction,
  type RawLog,
} from '@svc/chain'
import { accounts, createScene, type Devnet, type Scene, sendData } from '@svc/devnet'
import { actions } from '@svc/protocol/actions'
import type { Address, Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { proofOf } from '../../apps/gateway/src/requests/proof.ts'
import { newRequest } from '../../apps/gateway/src/requests/request.ts'
import { startFurnished } from '../harness/gateway.ts'
import { cases } from '../protocol/cases.ts'
import { inputOf } from '../protocol/inputOf.ts'

let devnet: Devnet
let scene: Scene
let providers: Providers
let snapshot: Hex
beforeAll(async () => {
  devnet = await startFurnished()
  scene = createScene(devnet.client, devnet.deployments, 'standard')
  providers = createProviders([createRpc({ name: 'anvil', url: devnet.rpcUrl })], chainOf(8453))
})
afterAll(() => devnet?.stop())
beforeEach(async () => {
  snapshot = await devnet.client.snapshot()
})
afterEach(() => devnet.client.revert({ id: snapshot }))

test.each(actions.map((action) => [action.name, action] as const))(
  '%s leaves the event that proves it',
  async (name, action) => {
    const it = await cases[name]?.(scene)
    if (!it) throw new Error(`No case for ${name}.`)
    const places = marketPlaces(devnet.deployments)
    const input = await inputOf(scene, action, it)
    const prepared = await prepareAction(providers, places, { action, input, from: it.by.address })
    const request = newRequest(prepared, null, Date.now())
    const proof = proofOf(request, places.markets)
    // The same calls of another wallet, where the event says who called.
    const others = proofOf({ ...request, prepared: { ...prepared, from: accounts.deployer.address } }, places.markets)
    const logs: RawLog[] = []
    for (const { to, data } of prepared.calls) {
      const receipt = await sendData(scene.client, it.by, { to: to as Address, data: data as Hex })
      logs.push(...(receipt.logs as unknown as RawLog[]))
    }
    const found = logs.map((log) => proof?.match(log)).filter((each) => each)
    expect(found.length).toBeGreaterThan(0)
    // The log is among those that the gateway asks the chain for, and it asks for no more than this task's or wallet's.
    const proving = logs.filter((log) => proof?.match(log))
    for (const { topics } of proving) {
      expect(proof?.topics).toContainEqual(topics.map((topic) => expect.toBeOneOf([topic, null])))
    }
    for (const [, ...indexed] of proof?.topics ?? []) expect(indexed.some((topic) => topic !== null)).toBe(true)
    const isNamed = found.some((each) => each?.byCaller)
    expect(logs.map((log) => others?.match(log)).some((each) => each)).toBe(!isNamed)
  },
)
