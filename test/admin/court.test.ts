import { type CourtStep, createProvider, createRpc, createViemChain, type Deployments } from '@svc/chain'
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
import { baseSepolia, type TaskId } from '@svc/protocol'
import { arbitrationAbi, realityCourtAbi, tokTokenAbi } from '@svc/protocol/abis'
import type { CourtCase } from '@svc/protocol/internal/steps'
import { keccak256, type LocalAccount, parseEther, stringToHex } from 'viem'
import { expect, test } from 'vitest'
import { checkDeployment } from '../../apps/admin/src/check/checkDeployment.ts'
import { deploySuite } from '../../apps/admin/src/deploy/deploySuite.ts'
import { describePlan } from '../../apps/admin/src/plan/describePlan.ts'
import { planSchema } from '../../apps/admin/src/plan/planFile.ts'
import { computeSuite } from '../../apps/admin/src/plan/plannedSuite.ts'
import { judgeSigns } from '../../apps/admin/src/watch/judgeSigns.ts'
import { createSignReader } from '../../apps/admin/src/watch/readSigns.ts'
import { prepareCourtBatch, prepareCourtStep, readCourtDesk } from '../../apps/tools/src/court.ts'
import { type Markets, openMarkets } from '../../apps/tools/src/market.ts'
import { startForTests } from '../harness/startForTests.ts'
import { putRealityEth, realityAbi } from './localReality.ts'
import { deploySafes } from './localSafe.ts'
import { sendAs } from './plantedDifferences.ts'
import { createState, isFull, type Rehearsal, startRehearsal } from './rehearsal.ts'

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

/** Delivers a task and disputes it. */
async function openDispute(scene: Scene, tok = '50') {
  const job = await sendPost(scene, {
    poster,
    text: 'Translate a page\n\nInto French.',
    amounts: [parseEther(tok)],
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
  const id: TaskId = { market: 'standard', number: job.id }
  const markets = openMarkets([rpcUrl], deployments)
  /** What `svc-prepare court-…` prepares, sent by its wallet. */
  const take = async (account: LocalAccount, step: CourtStep) => {
    const { to, data, value } = await prepareCourtStep(markets, id, account.address, step)
    const call = { account, to, data, value: BigInt(value), gas: 1_000_000n }
    await waitForReceipt(client, await client.sendTransaction(call))
  }
  const uri = 'https://worker.example/work.zip'
  const evidence = { kind: 'publish', evidenceHash: keccak256(stringToHex(uri)), uri } as const
  await expect(take(accounts.keeper, evidence)).rejects.toThrow('only its poster or worker')
  await expect(take(accounts.keeper, { kind: 'ask', bountyWei: 0n })).rejects.toThrow('it can be asked from')
  await take(worker, evidence)
  const { arbitration } = scene.contracts
  const court = { address: deployments.shared.finalCourt, abi: realityCourtAbi } as const
  const { askFrom } = await client.readContract({ ...court, functionName: 'caseOf', args: [arbitration, job.id] })
  await advanceTimeTo(client, Number(askFrom))
  await take(accounts.keeper, { kind: 'ask', bountyWei: 1n })
  await expect(take(answerer, { kind: 'carry' })).rejects.toThrow('nobody has answered')
  await expect(take(answerer, { kind: 'answer', forWorker: true, bondWei: 1n })).rejects.toThrow('at least 0.02 ETH')
  await take(answerer, { kind: 'answer', forWorker: false, bondWei: null })
  // The next bond is twice the last.
  await take(worker, { kind: 'answer', forWorker: true, bondWei: null })
  const early = await take(answerer, { kind: 'carry' }).catch(({ message }: Error) => message)
  expect(early).toMatch(/the answer is final from/)
  const { questionId } = await client.readContract({ ...court, functionName: 'caseOf', args: [arbitration, job.id] })
  const final = await client.readContract({
    address: reality,
    abi: realityAbi,
    functionName: 'getFinalizeTS',
    args: [questionId],
  })
  await advanceTimeTo(client, final)
  await take(accounts.keeper, { kind: 'carry' })
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
  await missCases(scene, deployments, markets)
})

/** Cases of other sums and windows before a court that decides none: each is listed in its place, and told of in time. */
async function missCases(scene: Scene, deployments: Deployments, markets: Markets): Promise<void> {
  const { client } = scene
  for (const party of [poster, worker]) {
    await sendTokens(client, deployments, party.address, { tok: parseEther('120000'), usdc: 2_000_000_000n })
    await sendTopUp(scene, party, 1_500_000_000n)
  }
  const jobs = []
  const count = isFull ? 50 : 10
  for (let at = 0; at < count; at++) jobs.push((await openDispute(scene, String(10 + 10 * ((at * 7) % 50)))).job)
  const { consentEnd } = await client.readContract({
    address: scene.contracts.arbitration,
    abi: arbitrationAbi,
    functionName: 'disputeOf',
    args: [jobs.at(-1)?.id ?? 0n],
  })
  const provider = createProvider(createRpc({ name: 'anvil', url: rehearsal.rpcUrl }), createViemChain(baseSepolia.id))
  const readSigns = createSignReader(deployments)
  const expected = {
    guardian: rehearsal.plan.guardian,
    timelock: deployments.shared.timelock,
    minJudges: 0,
    overdueSeconds: 10 ** 9,
    courtGap: parseEther('100'),
  }
  const [ends, told, woken] = [new Map<string, number>(), new Map<string, number>(), new Set<string>()]
  let [time, orders] = [Number(consentEnd) + 1, 0]
  const look = async () => {
    const { cases, block } = await readCourtDesk(markets, 'standard')
    const isUrgent = ({ courtEnd }: CourtCase) => courtEnd - block.timestamp <= 86_400
    // Urgent ones first; in each part the largest sum first.
    for (const [one, two] of cases.slice(1).map((each, index) => [cases[index], each] as const)) {
      if (!one || !two) continue
      expect(isUrgent(one) || !isUrgent(two)).toBe(true)
      if (isUrgent(one) === isUrgent(two)) expect(one.gap).toBeGreaterThanOrEqual(two.gap)
      orders++
    }
    for (const { number, round, courtEnd } of cases) ends.set(`standard ${number} ${round}`, courtEnd)
    const alarms = judgeSigns(await readSigns(provider, block.number), expected).filter(({ name }) => name === 'court')
    for (const { subject, level } of alarms) {
      if (!told.has(subject)) told.set(subject, block.timestamp)
      if (level === 'page') woken.add(subject)
    }
    return cases.length
  }
  for (const [at, job] of jobs.entries()) {
    await advanceTimeTo(client, time)
    await sendTimeoutResolution(scene, job)
    time += (150 / count) * 3_600
    if (at % 5 === 4) await look()
  }
  while ((await look()) > 0) {
    time += 6 * 3_600
    await advanceTimeTo(client, time)
  }
  expect([ends.size, told.size]).toEqual([count, count])
  for (const [subject, end] of ends) {
    const left = end - (told.get(subject) ?? 0)
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(86_400)
  }
  const large = jobs.filter(({ terms }) => (terms.amounts[0] ?? 0n) >= expected.courtGap)
  expect([...woken].sort()).toEqual(large.map(({ id }) => `standard ${id} 1`).sort())
  expect(orders).toBeGreaterThan(5 * count)
}
