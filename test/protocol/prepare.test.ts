import {
  chainOf,
  createProviders,
  createRpc,
  marketPlaces,
  type Providers,
  prepareAction,
  UnknownTaskError,
  type Wealth,
} from '@svc/chain'
import { accounts, createScene, type Devnet, furnish, type Scene, sendData, startDevnet } from '@svc/devnet'
import { depositVaultAbi, stakingVaultAbi } from '@svc/protocol/abis'
import { type AnyAction, actions, writeInput } from '@svc/protocol/actions'
import { preparedJson } from '@svc/protocol/http'
import { type Address, erc20Abi } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bring, readTerms } from './bring.ts'
import { type Case, cases } from './cases.ts'
import { readStandings } from './readStanding.ts'

let devnet: Devnet
let scene: Scene
let providers: Providers
let snapshot: `0x${string}`
beforeAll(async () => {
  devnet = await startDevnet()
  await furnish(devnet.client, devnet.deployments)
  scene = createScene(devnet.client, devnet.deployments, 'standard')
  providers = createProviders([createRpc({ name: 'devnet', url: devnet.rpcUrl })], chainOf(8453))
}, 120_000)
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
    const prepared = await prepare(action, await inputOf(action, it), it.by.address)
    expect(preparedJson.parse(prepared)).toEqual(prepared)
    expect(prepared.decoded).toHaveLength(prepared.calls.length)
    expect(prepared.simulation.status).toBe('succeeds')
    if (prepared.simulation.status !== 'succeeds') return

    const before = await wealthOf(it.by.address)
    for (const { to, data } of prepared.calls) {
      await sendData(scene.client, it.by, { to: to as Address, data: data as `0x${string}` })
    }
    const after = await wealthOf(it.by.address)
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

/** The input as JSON without what the task answers. */
async function inputOf(action: AnyAction, { by, job, input = {} }: Case): Promise<Record<string, unknown>> {
  if (!job || !('taskId' in action.input.shape)) return writeInput(action, input)
  const [standing] = await readStandings(scene, [job.id], [by.address])
  const terms = (await readTerms(scene)).get(job.id)
  if (!standing || !terms) throw new Error('no task')
  const whole = { ...(await bring(scene, { action, standing, terms, wallet: by.address })), ...input }
  const known = Object.keys(action.known?.(standing, by.address) ?? {}).filter((name) => !(name in input))
  return Object.fromEntries(Object.entries(writeInput(action, whole)).filter(([name]) => !known.includes(name)))
}

async function wealthOf(wallet: Address): Promise<Wealth> {
  const { contracts, client } = scene
  const args = [wallet] as const
  const [tok, usdc, deposit, free, credits] = await client.multicall({
    allowFailure: false,
    contracts: [
      { address: contracts.tokToken, abi: erc20Abi, functionName: 'balanceOf', args },
      { address: contracts.usdc, abi: erc20Abi, functionName: 'balanceOf', args },
      { address: contracts.depositVault, abi: depositVaultAbi, functionName: 'balanceOf', args },
      { address: contracts.depositVault, abi: depositVaultAbi, functionName: 'freeOf', args },
      { address: contracts.stakingVault, abi: stakingVaultAbi, functionName: 'creditsOf', args },
    ],
  })
  return { tok, usdc, deposit, free, credits }
}
