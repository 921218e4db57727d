import { createProvider, createRpc, createViemChain, type Deployments } from '@svc/chain'
import {
  accounts,
  advanceTimeTo,
  agreeOnJudge,
  createScene,
  refreshPrice,
  type Scene,
  sendActivation,
  sendAppeal,
  sendApprovals,
  sendCall,
  sendClaim,
  sendDelivery,
  sendDispute,
  sendEvidence,
  sendPost,
  sendRegistration,
  sendRuling,
  sendTimeoutResolution,
  sendTokens,
  sendTopUp,
  waitForReceipt,
} from '@svc/devnet'
import { baseSepolia } from '@svc/protocol'
import { arbitrationAbi, realityCourtAbi, tokTokenAbi } from '@svc/protocol/abis'
import { keccak256, parseEther, stringToHex } from 'viem'
import { expect, test } from 'vitest'
import { checkDeployment } from '../../apps/admin/src/check/checkDeployment.ts'
import { deploySuite } from '../../apps/admin/src/deploy/deploySuite.ts'
import { describePlan } from '../../apps/admin/src/plan/describePlan.ts'
import { planSchema } from '../../apps/admin/src/plan/planFile.ts'
import { computeSuite } from '../../apps/admin/src/plan/plannedSuite.ts'
import { prepareCourtBatch, readCourtDesk } from '../../apps/tools/src/court.ts'
import { openMarkets } from '../../apps/tools/src/market.ts'
import { startForTests } from '../harness/startForTests.ts'
import { putRealityEth, realityAbi } from './localReality.ts'
import { deploySafes } from './localSafe.ts'
import { sendAs } from './plantedDifferences.ts'
import { createState, type Rehearsal, startRehearsal } from './rehearsal.ts'

const rehearsal = startForTests(() => startRehearsal(baseSepolia.id), 'stop')
const { bruno: poster, emeka: worker, farah: answerer, jun: judge } = accounts
const reality = baseSepolia.realityEth

/** Deploys a plan, and gives the parties what a task needs. */
async function deployPlan(
  all: Rehearsal,
  plan: Rehearsal['plan'],
): Promise<{ deployments: Deployments; scene: Scene }> {
  const { provider, signer, client } = all
  await refreshPrice(client, accounts.deployer)
  const state = createState(plan)
  const deployments = await deploySuite({ plan, client: provider, signer, state, save: async () => {}, pollMs: 5 })
  const supply = [accounts.treasury.address, parseEther('1000000')] as const
  await sendAs(all, plan.treasury, deployments.shared.tokToken, tokTokenAbi, 'transfer', supply)
  const scene = createScene(client, deployments, 'standard')
  for (const party of [poster, worker]) {
    await sendTokens(client, deployments, party.address, { tok: parseEther('10000'), usdc: 100_000_000n })
    await sendApprovals(scene, party)
    await sendTopUp(scene, party, 50_000_000n)
  }
  return { deployments, scene }
}

/** Delivers a task of 50 TOK and disputes it. */
async function openDispute(scene: Scene) {
  const job = await sendPost(scene, {
    poster,
    text: 'Translate a page\n\nInto French.',
    amounts: [parseEther('50')],
    duration: 86_400,
  })
  await sendClaim(scene, job, worker)
  await sendActivation(scene, job)
  await sendDelivery(scene, job, 'All of it.')
  await sendDispute(scene, job, 'Half of it is missing.')
  await sendEvidence(scene, job, worker, 'Nothing is missing.', 10_000n)
  const read = () =>
    scene.client.readContract({
      address: scene.contracts.arbitration,
      abi: arbitrationAbi,
      functionName: 'disputeOf',
      args: [job.id],
    })
  return { job, read }
}

/** Opens a dispute that no judge takes and that the final court has. */
async function openCourtCase(scene: Scene) {
  const { job, read } = await openDispute(scene)
  await advanceTimeTo(scene.client, (await read()).consentEnd + 1)
  await sendTimeoutResolution(scene, job)
  return { job, read }
}

test('a plan with a court that asks Reality.eth is deployed, checked, and decides a case', async () => {
  const { client, planJson, rpcUrl } = rehearsal
  await putRealityEth(client, accounts.deployer, reality)
  const policy = 'https://market.example/court'
  const plan = planSchema.parse({
    ...planJson,
    suite: 'public-court',
    finalCourt: { reality, policy, minBondWei: parseEther('0.02').toString() },
  })
  const text = describePlan(plan, computeSuite(plan))
  expect(text).toMatch(/final court +new, asks Reality\.eth/)
  expect(text).toContain('costs 54.6 ETH in standard and 54.6 ETH in micro')

  const { deployments, scene } = await deployPlan(rehearsal, plan)
  const provider = createProvider(createRpc({ name: 'anvil', url: rpcUrl }), createViemChain(plan.chainId))
  expect(await checkDeployment(plan, deployments, [provider])).toEqual([])
  expect(Object.keys(deployments.codeHashes ?? {})).toContain(deployments.shared.finalCourt)

  const { job, read } = await openCourtCase(scene)
  const { arbitration } = scene.contracts
  const court = { address: deployments.shared.finalCourt, abi: realityCourtAbi } as const
  const link = 'https://worker.example/work.zip'
  await sendCall(client, worker, {
    ...court,
    functionName: 'publish',
    args: [arbitration, job.id, keccak256(stringToHex(link)), link],
  })
  const { askFrom } = await client.readContract({ ...court, functionName: 'caseOf', args: [arbitration, job.id] })
  await advanceTimeTo(client, Number(askFrom))
  await sendCall(client, accounts.keeper, { ...court, functionName: 'ask', args: [arbitration, job.id] })
  const { questionId } = await client.readContract({ ...court, functionName: 'caseOf', args: [arbitration, job.id] })
  const answer = { ...court, functionName: 'answer', args: [arbitration, job.id, true, 0n] } as const
  const value = parseEther('0.02')
  await waitForReceipt(client, await client.writeContract({ ...answer, account: answerer, value, gas: 1_000_000n }))
  const final = await client.readContract({
    address: reality,
    abi: realityAbi,
    functionName: 'getFinalizeTS',
    args: [questionId],
  })
  await advanceTimeTo(client, final)
  await sendCall(client, accounts.keeper, { ...court, functionName: 'carry', args: [arbitration, job.id] })
  expect(await read()).toMatchObject({ workerBps: 10_000, ending: 2 })
})

test('a Safe of two out of three decides an appeal from the batch of the desk', async () => {
  const { client, planJson, rpcUrl, provider } = rehearsal
  const createSafe = await deploySafes(client, accounts.deployer)
  const safe = await createSafe([accounts.ada, accounts.bruno, accounts.chiara], 2)
  const plan = planSchema.parse({ ...planJson, suite: 'safe-court', finalCourt: safe.address })
  const { deployments, scene } = await deployPlan(rehearsal, plan)
  await sendTokens(client, deployments, judge.address, { tok: parseEther('10000'), usdc: 0n })
  await sendApprovals(scene, judge)
  await sendRegistration(scene, judge, parseEther('10000'))

  const { job, read } = await openDispute(scene)
  await agreeOnJudge(scene, job, judge)
  await advanceTimeTo(client, (await read()).evidenceEnd + 1)
  await sendRuling(scene, job, false, 'Half of it is missing.')
  await sendAppeal(scene, job, worker)

  const markets = openMarkets([rpcUrl], deployments)
  const desk = await readCourtDesk(markets, 'standard')
  expect(desk.court).toMatchObject({ kind: 'safe', threshold: 2, version: '1.4.1' })
  const [first] = desk.cases
  expect(first).toMatchObject({ number: job.id, round: 1, appealAgainst: 'poster', gap: parseEther('50') })
  type Decision = Parameters<typeof prepareCourtBatch>[1]['decisions'][number]
  const decision: Decision = {
    taskId: { market: 'standard', number: job.id },
    case: 1,
    offerBps: 0,
    askBps: 10_000,
    forWorker: true,
    reasonHash: keccak256(stringToHex('All of it is there.')),
  }
  const prepare = (changed: Partial<Decision>) =>
    prepareCourtBatch(markets, { market: 'standard', decisions: [{ ...decision, ...changed }] })
  // The numbers are those of the list: a decision about others is refused.
  await expect(prepare({ askBps: 9_000 })).rejects.toThrow('is about 0 and 10000 bps, not about 0 and 9000')
  await expect(prepare({ case: 2 })).rejects.toThrow('is at case 1, not at case 2')
  const batch = await prepare({})
  expect(batch.meta.createdFromSafeAddress).toBe(safe.address)
  // Nobody decides alone.
  const [call] = batch.transactions
  if (!call) throw new Error('The batch is empty.')
  await expect(provider.call({ ...call, value: 0n, account: accounts.ada })).rejects.toThrow()
  await safe.execute(batch.transactions)

  expect(await read()).toMatchObject({ workerBps: 10_000, ending: 2, forWorker: false })
  const { arbitrator } = await markets.reader.listInbox('standard', judge.address, false)
  expect(arbitrator.overturned).toBe(1)
  expect((await readCourtDesk(markets, 'standard')).cases).toEqual([])
})
