// For every signature that people meet: the three totals of its receipt are what the chain moves, at once and until it ends well.
import { createChainReader, getMarketDeployment, prepareActionJson } from '@svc/chain'
import {
  accounts,
  advanceTime,
  agreeOnJudge,
  countTasks,
  createScene,
  type Devnet,
  type Job,
  type Scene,
  sendActivation,
  sendApprovals,
  sendCall,
  sendCancellation,
  sendClaim,
  sendDecision,
  sendDelivery,
  sendDispute,
  sendEvidence,
  sendExpiry,
  sendFinalization,
  sendPost,
  sendRegistration,
  sendRelease,
  sendRuling,
  sendTokens,
  sendTopUp,
  sendTransaction,
  startDevnet,
} from '@svc/devnet'
import { formatTaskDetail } from '@svc/operations'
import { arbitrationAbi, depositVaultAbi } from '@svc/protocol/abis'
import { type ActionName, actions, encodeActionInput } from '@svc/protocol/actions'
import { keccak256, type LocalAccount, parseUnits, stringToHex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDevnetProviders } from '../harness/devnetProviders.ts'
import { buildRequestInput } from './buildRequestInput.ts'
import { readMarketBalances } from './readMarketBalances.ts'
import { readReceiptTotals, sumLoss } from './sumReceipt.ts'

const tok = (amount: number) => parseUnits(String(amount), 18)
const usd = (amount: number) => parseUnits(String(amount), 6)
const { bruno: poster, emeka: worker, newcomer, jun: judge } = accounts
const pay = 4_000
const hold = 1_000

let devnet: Devnet
let scene: Scene
let snapshot: `0x${string}`
beforeAll(async () => {
  devnet = await startDevnet()
  const { client, deployments } = devnet
  scene = createScene(client, deployments, 'micro')
  for (const person of [poster, worker, newcomer, judge]) {
    await sendTokens(client, deployments, person.address, { tok: tok(100_000), usdc: usd(500) })
    if (person === newcomer) continue
    await sendApprovals(scene, person)
    if (person === judge) await sendRegistration(scene, judge, tok(20_000))
    else await sendTopUp(scene, person, usd(100))
  }
})
afterAll(() => devnet?.stop())
beforeEach(async () => {
  snapshot = await devnet.client.snapshot()
})
afterEach(() => devnet.client.revert({ id: snapshot }))

const post = () =>
  sendPost(scene, { poster, text: 'Draw a map', amounts: [tok(pay)], duration: 43_200, maxRevisions: 1 })
async function start(by = worker): Promise<Job> {
  const job = await post()
  await sendClaim(scene, job, by)
  await sendActivation(scene, job)
  return job
}
async function deliver(): Promise<Job> {
  const job = await start()
  await sendDelivery(scene, job, 'the map')
  return job
}
/** A dispute that the judge may rule on: the poster offers nothing, the worker asks for 80 %. */
async function hear(job: Job): Promise<void> {
  await agreeOnJudge(scene, job, judge)
  await sendEvidence(scene, job, worker, 'it is the harbour', 8_000n)
  await advanceTime(devnet.client, scene.params.evidenceWindow + 60)
}
async function dispute(): Promise<Job> {
  const job = await deliver()
  await sendDispute(scene, job, 'not the harbour')
  await hear(job)
  return job
}
async function rule(): Promise<Job> {
  const job = await dispute()
  await sendRuling(scene, job, false, 'not the harbour')
  return job
}
async function finalize(job: Job): Promise<void> {
  await advanceTime(devnet.client, scene.params.appealWindow + 60)
  await sendFinalization(scene, job)
}
async function finishWork(job: Job): Promise<void> {
  await sendActivation(scene, job)
  await sendDelivery(scene, job, 'the map')
  await sendRelease(scene, job)
}
async function withdrawDeposit(by: LocalAccount, amount: bigint): Promise<void> {
  const vault = { address: scene.contracts.depositVault, abi: depositVaultAbi } as const
  await sendCall(devnet.client, by, { ...vault, functionName: 'withdraw', args: [amount, by.address] })
}
const readLocked = async () => {
  const arbitration = { address: scene.contracts.arbitration, abi: arbitrationAbi } as const
  const found = await devnet.client.readContract({
    ...arbitration,
    functionName: 'arbitratorOf',
    args: [judge.address],
  })
  return found.locked
}

interface Row {
  what: string
  action: ActionName
  by: LocalAccount
  job: () => Promise<Job | null>
  /** Until it ends well. */
  end: (job: Job) => Promise<void>
  now: readonly [tok: number, usdc: number]
  back: readonly [tok: number, usdc: number]
  get: readonly [tok: number, usdc: number]
  /** What else comes when it ends well, which the receipt of this signature does not name. */
  besides?: number
  /** The worker gets it, or it never was in the wallet. */
  where?: 'worker' | 'deposit' | 'bond'
}

const none = [0, 0] as const
const nothing = async () => {}
const rows: readonly Row[] = [
  {
    what: 'claim, first time',
    action: 'claim-task',
    by: newcomer,
    job: post,
    end: async (job) => {
      job.worker = newcomer
      await finishWork(job)
      await withdrawDeposit(newcomer, usd(25))
    },
    now: [2_000, 25],
    back: [hold, 25],
    get: [pay, 0],
  },
  {
    what: 'claim, with a deposit',
    action: 'claim-task',
    by: worker,
    job: post,
    end: async (job) => {
      job.worker = worker
      await finishWork(job)
    },
    now: [2_000, 0],
    back: [hold, 0],
    get: [pay, 0],
  },
  {
    what: 'post and lock',
    action: 'post-task',
    by: poster,
    job: async () => null,
    end: (job) => sendCancellation(scene, job),
    now: [pay + 2_000, 0],
    back: [pay + hold, 0],
    get: none,
  },
  {
    what: 'deliver',
    action: 'submit-proof',
    by: worker,
    job: start,
    end: (job) => sendRelease(scene, job),
    now: none,
    back: [hold, 0],
    get: [pay, 0],
  },
  {
    what: 'approve',
    action: 'accept-milestone',
    by: poster,
    job: deliver,
    end: nothing,
    now: none,
    back: [hold, 0],
    get: [pay, 0],
    besides: hold,
    where: 'worker',
  },
  {
    what: 'request changes',
    action: 'request-revision',
    by: poster,
    job: deliver,
    end: nothing,
    now: none,
    back: none,
    get: none,
  },
  {
    what: 'dispute',
    action: 'open-dispute',
    by: poster,
    job: deliver,
    end: async (job) => {
      await hear(job)
      await sendRuling(scene, job, false, 'not the harbour')
      await finalize(job)
    },
    now: [400, 0],
    back: [400, 0],
    get: [pay, 0],
    besides: hold,
  },
  {
    what: 'rule',
    action: 'resolve-dispute',
    by: judge,
    job: dispute,
    end: finalize,
    now: none,
    back: [5_000, 0],
    get: [0, 5],
    where: 'bond',
  },
  {
    what: 'appeal',
    action: 'escalate',
    by: worker,
    job: rule,
    end: (job) => sendDecision(scene, job, true, 'it is the harbour'),
    now: [0, 8],
    back: [0, 13],
    // 80 % of the milestone without the court's part, and a tenth of the gap out of the poster's stake.
    get: [pay * 0.8 - 25.6 + 320, 0],
    besides: hold,
    where: 'deposit',
  },
  { what: 'leave', action: 'leave-task', by: worker, job: start, end: nothing, now: none, back: none, get: none },
  {
    what: 'end work',
    action: 'dismiss-worker',
    by: poster,
    job: start,
    // Nothing is delivered in the time of the notice.
    end: async (job) => {
      await advanceTime(devnet.client, 86_400)
      await sendExpiry(scene, job)
    },
    now: none,
    back: [pay, 0],
    get: none,
  },
]

test.each(rows)('$what', async ({ action: name, by, job: make, end, where, besides = 0, ...says }) => {
  const deployment = getMarketDeployment(devnet.deployments)
  const providers = createDevnetProviders(devnet)
  const job = await make()
  // The terms of a task that was posted before, but for their nonce.
  const posted = job ?? (await post())
  const detail = job && (await createChainReader(providers, deployment).getTask('micro', job.id)).detail
  const { timestamp } = await devnet.client.getBlock()
  const task = detail && formatTaskDetail(detail, 'micro', deployment.markets.micro, Number(timestamp))
  const action = actions[name]
  const prepared = await prepareActionJson(providers, deployment, {
    action,
    input: job ? await buildRequestInput(scene, action, { by, job }) : buildPost(posted),
    from: by.address,
    payFrom: 'tok',
  })
  const totals = readReceiptTotals(prepared, deployment.markets, task ?? null)
  const amounts = ([inTok, inUsdc]: readonly [number, number]) => ({ tok: tok(inTok), usdc: usd(inUsdc) })
  expect(totals).toMatchObject({ now: amounts(says.now), back: amounts(says.back), get: amounts(says.get) })

  const read = (who: LocalAccount) => readMarketBalances(scene, who.address)
  const [was, workerWas] = [await read(by), await read(worker)]
  for (const { to, data } of prepared.calls) await sendTransaction(devnet.client, by, { to, data })
  const [is, lockedIs] = [await read(by), await readLocked()]
  // The reserve of an appeal is still in the deposit, and not free any more.
  expect(where === 'deposit' ? { tok: 0n, usdc: was.free - is.free } : sumLoss(was, is)).toEqual(totals.now)

  await end(job ?? { ...posted, id: BigInt(await countTasks(scene)) })
  const last = await read(by)
  const gained = { tok: last.tok - is.tok, usdc: last.usdc - is.usdc }
  switch (where) {
    case 'worker':
      expect({ tok: is.tok - was.tok, usdc: 0n }).toEqual(totals.back)
      expect((await read(worker)).tok - workerWas.tok).toBe(totals.get.tok + tok(besides))
      break
    case 'bond':
      expect(lockedIs - (await readLocked())).toBe(totals.back.tok)
      expect(last.usdc + last.deposit - is.usdc - is.deposit).toBe(totals.get.usdc)
      break
    case 'deposit':
      expect(gained.tok).toBe(totals.get.tok + tok(besides))
      // Thirteen come, and the eight of the appeal go.
      expect(last.deposit - is.deposit).toBe(totals.back.usdc - totals.now.usdc)
      break
    default:
      expect(gained).toEqual({
        tok: totals.back.tok + totals.get.tok + tok(besides),
        usdc: totals.back.usdc + totals.get.usdc,
      })
  }
})

function buildPost({ terms }: Job) {
  const text = 'Draw a map'
  const own = { ...terms, nonce: 4_711n, criteriaHash: keccak256(stringToHex(text)) }
  return encodeActionInput(actions['post-task'], { market: 'micro', terms: own, text, fundAmountTokWei: tok(pay) })
}
