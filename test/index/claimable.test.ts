import { createSigningContext, type MarketReader } from '@svc/chain'
import {
  accounts,
  advanceTime,
  advanceTimeTo,
  CallRevertedError,
  createScene,
  getChainTime,
  type Job,
  type Scene,
  sendApprovals,
  sendCall,
  sendCancellation,
  sendClaim,
  sendDismissal,
  sendExpiry,
  sendFunding,
  sendPost,
  sendTokens,
  sendTopUp,
} from '@svc/devnet'
import {
  buildClaimPermitTypedData,
  claimPolicies,
  computeSettlementDigest,
  type Market,
  marketParams,
  markets,
  taskStates,
} from '@svc/protocol'
import { depositVaultAbi, taskRegistryAbi } from '@svc/protocol/abis'
import { listTasksAsText } from '@svc/reads'
import { createRandom, type Random } from '@svc/simulation/random'
import { BaseError, ContractFunctionRevertedError, type LocalAccount, parseUnits } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IndexedWorld, startIndexedWorld } from '../harness/indexed.ts'
import { runs } from '../harness/runs.ts'

const seed = Date.now() % 2 ** 31
const posters = [accounts.ada, accounts.bruno]
const workers = [accounts.emeka, accounts.farah]
/** Never claims, so that its deposit, slots and fee always suffice. */
const claimant = accounts.newcomer
const usd = (amount: number) => parseUnits(String(amount), 6)
const total = parseUnits('400', 18)
const day = 86_400

let world: IndexedWorld
/** Tasks that have not ended, by market. */
const live: Record<Market, Job[]> = { standard: [], micro: [] }
const figures = { worlds: 0, claims: 0, claimable: 0, refused: {} as Record<string, number> }

beforeAll(async () => {
  world = await startIndexedWorld({
    fill: async (client, deployments) => {
      for (const { address } of [...posters, ...workers, claimant])
        await sendTokens(client, deployments, address, { tok: parseUnits('9000000', 18), usdc: usd(900_000) })
      for (const scene of markets.map((market) => createScene(client, deployments, market))) {
        for (const wallet of [...posters, ...workers, claimant]) {
          await sendApprovals(scene, wallet)
          await sendTopUp(scene, wallet, usd(50))
        }
      }
      return []
    },
  })
})
afterAll(() => world?.stop())

// More worlds than usual may take longer.
const timeout = runs(300_000, 300_000)

test('every listed open task can be claimed and every task that can be claimed is listed, over index and chain', {
  timeout,
}, async () => {
  console.log(`seed ${seed}`)
  const { devnet } = world
  const random = createRandom(seed)
  const scenes = markets.map((market) => createScene(devnet.client, devnet.deployments, market))
  // Each world comes from the one before. The first ones show every reason for which claims are refused.
  const [, first] = scenes as [Scene, Scene]
  for (const [name, task] of opening) {
    await takeStep(first, random, name, live[first.market][task])
    await checkLists(first, random)
  }
  for (let count = runs(10); count > 0; count--) {
    const scene = random.pick(scenes)
    for (let steps = 1 + random.below(2); steps > 0; steps--) await takeStep(scene, random, random.pick(likely))
    if (random.chance(0.3)) await advanceTimeTo(devnet.client, await pickMoment(scene, random))
    await checkLists(scene, random)
    await endTasks(scene)
    if (await isPaused(scene)) await takeStep(scene, random, 'pause')
  }
  console.log(JSON.stringify(figures))
  expect(figures.claimable).toBeGreaterThan(0)
  for (const error of ['EnforcedPause', 'WrongState']) expect(Object.keys(figures.refused)).toContain(error)
})

/** Compares both lists with what the contract says to a claim of every live task at the same block. */
async function checkLists(scene: Scene, random: Random): Promise<void> {
  const { devnet, indexed, direct, reachedHead } = world
  const { market } = scene
  await reachedHead()
  const { hash, timestamp } = await devnet.client.getBlock()
  const errors = await Promise.all(live[market].map((job) => simulateClaim(scene, job, Number(timestamp))))
  const expected = live[market].flatMap(({ id }, index) => (errors[index] === null ? [id] : [])).reverse()
  for (const reader of [indexed, direct]) {
    const open = await reader.listOpen(market, { limit: 100 })
    expect(open.block.hash).toBe(hash)
    expect(open.tasks.map(({ number }) => number)).toEqual(expected)
    for (const { state, claimableUntil } of open.tasks) {
      expect(state).toBe('POSTED')
      expect(claimableUntil).toBeGreaterThanOrEqual(Number(timestamp))
    }
  }
  const readTexts = async (reader: MarketReader) =>
    Promise.all(
      (['open', 'recent'] as const).map(async (of) => {
        const { validUntil: _, ...page } = await listTasksAsText(
          reader,
          market,
          { of },
          { limit: 100 },
          scene.contracts.taskRegistry,
        )
        return page
      }),
    )
  expect(await readTexts(indexed)).toEqual(await readTexts(direct))
  const job = expected.length > 0 ? live[market].find(({ id }) => id === random.pick(expected)) : undefined
  if (job) {
    const { claimableUntil } = (await indexed.getTask(market, job.id)).detail?.task ?? { claimableUntil: 0 }
    expect(await simulateClaim(scene, job, claimableUntil)).toBeNull()
    expect(await simulateClaim(scene, job, claimableUntil + 1)).toBe('ClaimClosed')
  }
  figures.worlds++
  figures.claims += errors.length
  figures.claimable += expected.length
  for (const error of errors) if (error) figures.refused[error] = (figures.refused[error] ?? 0) + 1
}

/** Simulates a claim at a time, with a permit where the terms ask for one. Returns the name of the error; null if it goes through. */
async function simulateClaim(
  { client, contracts, deployments, market }: Scene,
  { id, terms, poster }: Job,
  time: number,
): Promise<string | null> {
  const context = createSigningContext(deployments, market)
  const digest = computeSettlementDigest(context, terms, claimant.address)
  const fresh = { nonce: id + 10n ** 9n, expiry: 2n ** 40n - 1n }
  const call = {
    address: contracts.taskRegistry,
    // The registry passes on errors of the vault.
    abi: [...taskRegistryAbi, ...depositVaultAbi],
    account: claimant.address,
    blockOverrides: { time: BigInt(time) },
  } as const
  try {
    if (terms.claimPolicy === claimPolicies.indexOf('PERMIT')) {
      const message = { taskId: id, settlementDigest: digest, worker: claimant.address, ...fresh }
      const permit = { ...fresh, data: await poster.signTypedData(buildClaimPermitTypedData(context, message)) }
      await client.simulateContract({ ...call, functionName: 'claimWithPermit', args: [id, digest, permit] })
    } else await client.simulateContract({ ...call, functionName: 'claim', args: [id, digest] })
    return null
  } catch (error) {
    const reverted = error instanceof BaseError && error.walk((each) => each instanceof ContractFunctionRevertedError)
    if (!(reverted instanceof ContractFunctionRevertedError) || !reverted.data) throw error
    return reverted.data.errorName
  }
}

async function pickMoment({ client, market }: Scene, random: Random): Promise<number> {
  const now = await getChainTime(client)
  const cutoff = marketParams[market].claimCutoff
  const ends = live[market].map(({ terms }) => Number(terms.claimDeadline) - cutoff).filter((end) => end > now + 1)
  return ends.length > 0 && random.chance(0.8) ? random.pick(ends) + random.pick([-1, 0, 1]) : now + random.below(7_200)
}

const stepNames = ['post', 'claim', 'lapse', 'dismiss', 'fund', 'withdraw', 'topUp', 'pause', 'wait'] as const
/** Steps by how often they are taken. */
const likely = [
  ...stepNames,
  'post',
  'post',
  'post',
  'post',
  'withdraw',
  'withdraw',
  'dismiss',
  'lapse',
  'fund',
] as const

/** Steps, and which task each is about. */
const opening = [
  ['post', 0],
  ['post', 0],
  ['withdraw', 0],
  ['pause', 0],
  ['pause', 0],
  ['claim', 1],
  ['wait', 0],
] as const

/** Takes a step with a random task. One that the contract refuses changes nothing. */
async function takeStep(
  scene: Scene,
  random: Random,
  name: (typeof stepNames)[number],
  given?: Job | undefined,
): Promise<void> {
  const { client, contracts, market, params } = scene
  const tasks = live[market]
  const job = given ?? (tasks.length > 0 ? random.pick(tasks) : null)
  const poster = given?.poster ?? random.pick(posters)
  const registry = { address: contracts.taskRegistry, abi: taskRegistryAbi } as const
  const deposits = { address: contracts.depositVault, abi: depositVaultAbi } as const
  const withdrawFree = async (wallet: LocalAccount) => {
    const free = await client.readContract({ ...deposits, functionName: 'withdrawableOf', args: [wallet.address] })
    if (free > 0n)
      await sendCall(client, wallet, { ...deposits, functionName: 'withdraw', args: [free, wallet.address] })
  }
  const claim = async () => job && sendClaim(scene, job, random.pick(workers))
  const steps: Record<typeof name, () => Promise<unknown>> = {
    async post() {
      const now = await getChainTime(client)
      const claimDeadline =
        now + params.claimCutoff + (tasks.length < 2 ? day : random.pick([60, 3_600, params.maxClaimDeadline / 2]))
      const offer = { poster, text: 'A\n\nB', amounts: [total], duration: params.minDuration, claimDeadline }
      const funded = random.pick([total, 0n, total / 2n])
      const send = () => sendPost(scene, { ...offer, permitOnly: random.chance(0.3) }, funded)
      tasks.push(
        await send().catch(async () => {
          await sendTopUp(scene, poster, usd(33))
          return send()
        }),
      )
    },
    claim,
    async lapse() {
      await claim()
      await advanceTime(client, params.fundingWindow + params.vetWindow + 1)
      if (job) await sendExpiry(scene, job)
    },
    async dismiss() {
      await claim()
      if (job && random.chance(0.6)) await withdrawFree(job.poster)
      if (job) await sendDismissal(scene, job)
    },
    fund: async () => job && sendFunding(scene, job, random.pick([total, total / 2n])),
    withdraw: () => withdrawFree(poster),
    topUp: () => sendTopUp(scene, poster, usd(random.pick([1, 3, 30]))),
    async pause() {
      const functionName = (await isPaused(scene)) ? 'unpauseEntries' : 'pauseEntries'
      await sendCall(client, accounts.guardian, { ...registry, functionName, args: [] })
    },
    wait: async () => advanceTimeTo(client, await pickMoment(scene, random)),
  }
  await unlessRefused(steps[name])
}

/** Cancels the oldest tasks if there are many. A claimed task goes back to POSTED first. */
async function endTasks(scene: Scene): Promise<void> {
  const { client, contracts, market } = scene
  const registry = { address: contracts.taskRegistry, abi: taskRegistryAbi } as const
  for (const job of live[market].slice(0, -4)) {
    const { state } = await client.readContract({ ...registry, functionName: 'taskOf', args: [job.id] })
    if (taskStates[state] === 'CLAIMED') await unlessRefused(() => sendDismissal(scene, job))
    else await sendCancellation(scene, job)
    if (taskStates[state] === 'POSTED') live[market] = live[market].filter((each) => each !== job)
  }
}

const isPaused = ({ client, contracts }: Scene) =>
  client.readContract({ address: contracts.taskRegistry, abi: taskRegistryAbi, functionName: 'paused' })

async function unlessRefused(step: () => Promise<unknown>): Promise<void> {
  await step().catch((error: unknown) => {
    // What is still allowed when its gas is estimated can be over in the block that it gets into, a second later.
    const isTooLate = error instanceof BaseError && error.name === 'TransactionReceiptRevertedError'
    if (!isTooLate && !(error instanceof CallRevertedError)) throw error
  })
}
