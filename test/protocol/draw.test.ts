import { getMarketDeployment, type Providers, prepareAction } from '@svc/chain'
import {
  accounts,
  advanceTime,
  type Devnet,
  type Job,
  listPeople,
  type Scene,
  sendCall,
  sendRegistration,
} from '@svc/devnet'
import { disputePhases } from '@svc/protocol'
import { arbitrationAbi } from '@svc/protocol/abis'
import { actions, listNextSteps } from '@svc/protocol/actions'
import { encodeFunctionData, parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { cases } from './cases.ts'
import { startFurnishedScene } from './furnishedScene.ts'
import { readTaskContexts } from './readTaskContext.ts'

const drawJudge = actions['draw-judge']
const { keeper, ivo } = accounts
let devnet: Devnet
let scene: Scene
let providers: Providers
let job: Job
let snapshot: `0x${string}`
beforeAll(async () => {
  ;({ devnet, scene, providers } = await startFurnishedScene())
  job = (await cases['draw-judge']?.(scene))?.job as Job
})
afterAll(() => devnet?.stop())
beforeEach(async () => {
  snapshot = await devnet.client.snapshot()
})
afterEach(() => devnet.client.revert({ id: snapshot }))

const arbitration = () => ({ address: scene.contracts.arbitration, abi: arbitrationAbi }) as const
const call = () => sendCall(scene.client, keeper, { ...arbitration(), functionName: 'seat', args: [job.id] })
const everybodyLeaves = async () => {
  for (const person of listPeople('arbitrator')) {
    await sendCall(scene.client, accounts[person], { ...arbitration(), functionName: 'requestUnbond', args: [] })
  }
}

/** Compares the prediction for drawing a judge with what the next block does. Reverts everything afterwards. */
async function look() {
  const [context] = await readTaskContexts(scene, [job.id], [keeper.address])
  if (!context) throw new Error('The task was not read.')
  const { timestamp } = await scene.client.getBlock()
  const step = listNextSteps(context, keeper.address, Number(timestamp) + 1).find(({ action }) => action === drawJudge)
  const { simulation } = await prepareAction(providers, getMarketDeployment(devnet.deployments), {
    action: 'draw-judge',
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
    does: status === 'success' ? disputePhases[phase] : null,
  }
}

const refused = (told: string) => ({ leadsTo: null, told, does: null })
const calls = { leadsTo: 'OPEN', told: 'succeeds', does: 'OPEN' }
const callsCourt = { leadsTo: 'COURT', told: 'succeeds', does: 'COURT' }
const seats = { leadsTo: 'EVIDENCE', told: 'succeeds', does: 'EVIDENCE' }

test('a draw is known in the next block, and the preview shows it', async () => {
  expect(await look()).toEqual(calls)
  await call()
  for (let block = 0; block < 4; block++) {
    expect(await look()).toEqual(refused('DrawPending'))
    await scene.client.mine({ blocks: 1 })
  }
  expect(await look()).toEqual(seats)
})

test('a draw that finds nobody calls the final court, even after a late bond', async () => {
  await call()
  await everybodyLeaves()
  await scene.client.mine({ blocks: 5 })
  expect(await look()).toEqual(callsCourt)
  await sendRegistration(scene, ivo, parseUnits('20000', 18))
  expect(await look()).toEqual(callsCourt)
})

test('without anyone bonded, the first call calls the final court', async () => {
  await everybodyLeaves()
  expect(await look()).toEqual(callsCourt)
})

test('a draw is known as long as the chain keeps its block hash, which is longer than 256 blocks', async () => {
  await call()
  await scene.client.mine({ blocks: 300 })
  expect(await look()).toEqual(seats)
})

test('the preview checks deadlines at the next second', async () => {
  const { evidenceEnd } = await scene.client.readContract({
    ...arbitration(),
    functionName: 'disputeOf',
    args: [job.id],
  })
  const { timestamp } = await scene.client.getBlock()
  await advanceTime(scene.client, evidenceEnd - Number(timestamp))
  await scene.client.setBlockTimestampInterval({ interval: 1 })
  expect(await look()).toEqual(refused('EvidenceWindowClosed'))
})
