import {
  createProviders,
  createRpc,
  createViemChain,
  getMarketDeployment,
  type Providers,
  prepareActionJson,
  type RawLog,
} from '@svc/chain'
import { accounts, createScene, type Devnet, type Scene, sendTransaction } from '@svc/devnet'
import type { Address, Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildProof } from '../../apps/gateway/src/requests/proof.ts'
import { createStoredRequest } from '../../apps/gateway/src/requests/request.ts'
import { startFundedDevnet } from '../harness/gateway.ts'
import { buildRequestInput } from '../protocol/buildRequestInput.ts'
import { cases, ownActions } from '../protocol/cases.ts'

let devnet: Devnet
let scene: Scene
let providers: Providers
let snapshot: Hex
beforeAll(async () => {
  devnet = await startFundedDevnet()
  scene = createScene(devnet.client, devnet.deployments, 'standard')
  providers = createProviders([createRpc({ name: 'anvil', url: devnet.rpcUrl })], createViemChain(8453))
})
afterAll(() => devnet?.stop())
beforeEach(async () => {
  snapshot = await devnet.client.snapshot()
})
afterEach(() => devnet.client.revert({ id: snapshot }))

test.each(ownActions.map((action) => [action.name, action] as const))(
  '%s leaves the event that proves it',
  async (name, action) => {
    const it = await cases[name]?.(scene)
    if (!it) throw new Error(`No case for ${name}.`)
    const places = getMarketDeployment(devnet.deployments)
    const input = await buildRequestInput(scene, action, it)
    const prepared = await prepareActionJson(providers, places, { action, input, from: it.by.address })
    const request = createStoredRequest(prepared, null, Date.now())
    const proof = buildProof(request, places.markets)
    // The same calls by another wallet, if the event names the caller.
    const others = buildProof(
      { ...request, prepared: { ...prepared, from: accounts.deployer.address } },
      places.markets,
    )
    const logs: RawLog[] = []
    for (const { to, data } of prepared.calls) {
      const receipt = await sendTransaction(scene.client, it.by, { to: to as Address, data: data as Hex })
      logs.push(...(receipt.logs as unknown as RawLog[]))
    }
    const found = logs.map((log) => proof?.match(log)).filter((each) => each)
    expect(found.length).toBeGreaterThan(0)
    // The gateway's filter includes the log, and covers no more than this task or wallet.
    const proving = logs.filter((log) => proof?.match(log))
    for (const { topics } of proving) {
      expect(proof?.topics).toContainEqual(topics.map((topic) => expect.toBeOneOf([topic, null])))
    }
    for (const [, ...indexed] of proof?.topics ?? []) expect(indexed.some((topic) => topic !== null)).toBe(true)
    const isNamed = found.some((each) => each?.byCaller)
    expect(logs.map((log) => others?.match(log)).some((each) => each)).toBe(!isNamed)
  },
)
