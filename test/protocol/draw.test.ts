import { marketPlaces, type Providers, prepareAction } from '@svc/chain'
import { accounts, type Devnet, type Job, peopleWhoAre, registerArbitrator, type Scene, send, warp } from '@svc/devnet'
import { arbitrationAbi } from '@svc/protocol/abis'
import { type AnyAction, actions, nextSteps } from '@svc/protocol/actions'
import { encodeFunctionData, parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { cases } from './cases.ts'
import { startFurnishedScene } from './furnished.ts'
import { readStandings } from './readStanding.ts'

const seatPanel = actions.find(({ name }) => name === 'seat-panel') as AnyAction
const { keeper, ivo } = accounts
let devnet: Devnet
let scene: Scene
let providers: Providers
let job: Job
let snapshot: `0x${string}`
beforeAll(async () => {
  ;({ devnet, scene, providers } = await startFurnishedScene())
  job = (await cases['seat-panel']?.(scene))?.job as Job
})
afterAll(() => devnet?.stop())
beforeEach(async () => {
  snapshot = await devnet.client.snapshot()
})
afterEach(() => devnet.client.revert({ id: snapshot }))

const arbitration = () => ({ address: scene.contracts.arbitration, abi: arbitrationAbi }) as const
const call = () => send(scene.client, keeper, { ...arbitration(), functionName: 'seat', args: [job.id] })
const everybodyLeaves = async () => {
  for (const person of peopleWhoAre('arbitrator')) {
    await send(scene.client, accounts[person], { ...arbitration(), functionName: 'requestUnbond', args: [] })
  }
}

/** What is said of seating a panel now, and what the next block really does with it. Nothing is kept. */
async function look() {
  const [standing] = await readStandings(scene, [job.id], [keeper.address])
  if (!standing) throw new Error('The task was not read.')
  const { timestamp } = await scene.client.getBlock()
  const step = nextSteps(standing, keeper.address, Number(timestamp) + 1).find(({ action }) => action === seatPanel)
  const { simulation } = await prepareAction(providers, marketPlaces(devnet.deployments), {
    action: seatPanel,
    input: { taskId: `v2:standard:${job.id}` },
    from: keeper.address,
  })
  const id = await scene.client.snapshot()
  const data = encodeFunctionData({ abi: arbitrationAbi, functionName: 'seat', args: [job.id] })
  const sent = { account: keeper, to: scene.contracts.arbitration, data, gas: 5_000_000n }
  const { status } = await scene.client.waitForTransactionReceipt({ hash: await scene.client.sendTransaction(sent) })
  const { phase } = await scene.client.readContract({ ...arbitration(), functionName: 'disputeOf', args: [job.id] })
  await scene.client.revert({ id })
  const told = simulation.status === 'refused' ? simulation.error.name : simulation.status
  return {
    leadsTo: step?.row.to ?? null,
    told,
    does: status === 'success' ? ['NONE', 'OPEN', 'EVIDENCE'][phase] : null,
  }
}

const refused = (told: string) => ({ leadsTo: null, told, does: null })
const calls = { leadsTo: 'OPEN', told: 'succeeds', does: 'OPEN' }
const seats = { leadsTo: 'EVIDENCE', told: 'succeeds', does: 'EVIDENCE' }

test('a draw can be read in the very next block after its own, and the preview says so', async () => {
  expect(await look()).toEqual(calls)
  await call()
  for (let block = 0; block < 4; block++) {
    expect(await look()).toEqual(refused('DrawPending'))
    await scene.client.mine({ blocks: 1 })
  }
  expect(await look()).toEqual(seats)
})

test('a draw of people who may not sit any more is offered to nobody, nor once somebody bonds too late for it', async () => {
  await call()
  await everybodyLeaves()
  await scene.client.mine({ blocks: 5 })
  expect(await look()).toEqual(refused('NobodyToSeat'))
  await registerArbitrator(scene, ivo, parseUnits('20000', 18))
  expect(await look()).toEqual(refused('NobodyToSeat'))
})

test('a draw is read as long as the chain remembers its block, which is longer than the last 256', async () => {
  await call()
  await scene.client.mine({ blocks: 300 })
  expect(await look()).toEqual(seats)
})

test('the preview judges a deadline at the next second, not at the one that is over', async () => {
  const { seatEnd } = await scene.client.readContract({ ...arbitration(), functionName: 'disputeOf', args: [job.id] })
  const { timestamp } = await scene.client.getBlock()
  await warp(scene.client, Number(seatEnd) - Number(timestamp))
  await scene.client.setBlockTimestampInterval({ interval: 1 })
  expect(await look()).toEqual(refused('SeatWindowClosed'))
})
