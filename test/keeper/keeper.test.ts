import { createHeadSource, createProviders, createRpc, createViemChain, getMarketDeployment } from '@svc/chain'
import {
  accounts,
  advanceTime,
  type Job,
  type Person,
  sendActivation,
  sendClaim,
  sendDelivery,
  sendExpiry,
  sendPost,
} from '@svc/devnet'
import type { Market } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { parseGwei, parseUnits } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createGasBudget, type GasBudget, mapPurposes } from '../../apps/keeper/src/gasBudget.ts'
import { type KeeperEvent, type KeeperOptions, runKeeper } from '../../apps/keeper/src/keeper.ts'
import { createApiListing } from '../../apps/keeper/src/marketWatch.ts'
import { type StuckWorld, startStuckWorld } from './stuckWorld.ts'

const market: Market = 'micro'
/** Generous, because the machine may be busy. */
const patience = { timeout: 120_000 }
let world: StuckWorld
beforeAll(async () => {
  world = await startStuckWorld(0)
})
afterAll(() => world?.devnet.stop())

const running: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(running.splice(0).map((stop) => stop()))
  await world.devnet.client.setAutomine(true)
})

test('the gas budget is respected, and what is left over is done with the next budget', async () => {
  const { client } = world.devnet
  await postOverdue(1)
  const probe = startKeeper({})
  const first = await probe.until(({ kind }) => kind === 'settled')
  await probe.stop()
  const cost = first.kind === 'settled' ? first.costWei : 0n

  const jobs = await postOverdue(6)
  const before = await client.getBalance({ address: accounts.keeper.address })
  // Refunds alone may use four tenths: enough for two or three of six, also at the lower fee of later blocks.
  const hourWei = 10n * cost
  const poor = startKeeper({ hourWei })
  await poor.until((event) => event.kind === 'held' && event.why === 'budget')
  await poor.idle()
  await poor.stop()
  const spent = before - (await client.getBalance({ address: accounts.keeper.address }))
  expect(spent).toBeLessThanOrEqual((4n * hourWei) / 10n)
  const left = await countOpen(jobs)
  expect(left).toBeGreaterThan(0)
  expect(left).toBeLessThan(6)

  // A restart does not begin a new budget.
  const again = startKeeper({ hourWei: (spent * 11n) / 10n })
  await again.until((event) => event.kind === 'held' && event.why === 'budget')
  await again.stop()
  expect(await countOpen(jobs)).toBe(left)

  const rich = startKeeper({})
  await rich.untilSettled(left)
  expect(await countOpen(jobs)).toBe(0)
})

test('empty tasks that were due first use up neither the gas for a payout nor the queue', async () => {
  const { client } = world.devnet
  const scene = world.scenes[market]
  const empty = await postOverdue(10, 0n)
  const keeper = startKeeper({ budget: createCallBudget(10n), maxInFlight: 1, maxQueued: 3, scanMs: 50 })
  await keeper.until((event) => event.kind === 'held' && event.why === 'budget')

  const job = await sendPost(scene, makeOffer())
  await sendClaim(scene, job, accounts.emeka)
  await sendActivation(scene, job)
  await sendDelivery(scene, job, 'All of it.')
  await advanceTime(client, Number(job.terms.reviewWindow) + 1)
  const payout = await keeper.until(
    (event) => (event.kind === 'sent' || event.kind === 'held') && event.call.action === 'release-lapsed',
  )
  expect(payout.kind).toBe('sent')
  expect(await countOpen(empty)).toBe(6)

  await keeper.stop()
  const rich = startKeeper({})
  await expect.poll(() => countOpen(empty), patience).toBe(0)
  await rich.idle()
})

test('a call that somebody else made costs nothing', async () => {
  const [job] = await postOverdue(1)
  if (!job) throw new Error('No task was posted.')
  const keeper = startKeeper({ jitterMs: 400 })
  await keeper.until((event) => event.kind === 'polled' && (event.status.markets[market]?.due ?? 0) > 0)
  await sendExpiry(world.scenes[market], job, accounts.olga)
  await keeper.until((event) => event.kind === 'obsolete')
  expect(keeper.events.filter(({ kind }) => kind === 'sent')).toEqual([])
})

test('a transaction that no block includes is replaced with a higher fee, and paid once', async () => {
  const { client } = world.devnet
  const jobs = await postOverdue(2)
  await client.setAutomine(false)
  const keeper = startKeeper({ replaceMs: 100 })
  await keeper.until((event) => event.kind === 'replaced')
  await expect.poll(() => client.mine({ blocks: 1 }).then(() => countOpen(jobs)), patience).toBe(0)
  await keeper.untilSettled(2)
  expect(
    keeper.events
      .filter(({ kind }) => kind === 'replaced')
      .every((each) => !('isCancelled' in each && each.isCancelled)),
  ).toBe(true)
})

test('a waiting transaction whose call is no longer due is cancelled', async () => {
  const { client } = world.devnet
  const [job] = await postOverdue(1)
  if (!job) throw new Error('No task was posted.')
  await client.setAutomine(false)
  const keeper = startKeeper({ replaceMs: 300 })
  const sent = await keeper.until((event) => event.kind === 'sent')
  // A block without the keeper's transaction, but with another one that does the same.
  if (sent.kind === 'sent') await client.dropTransaction({ hash: sent.hash })
  await client.setAutomine(true)
  await sendExpiry(world.scenes[market], job, accounts.olga)
  await client.setAutomine(false)
  await keeper.until((event) => event.kind === 'replaced' && event.isCancelled)
  await client.mine({ blocks: 1 })
  const settled = await keeper.until((event) => event.kind === 'settled')
  expect(settled).toMatchObject({ outcome: 'cancelled' })
})

test('a wallet that is used elsewhere too loses no call', async () => {
  const { client } = world.devnet
  const jobs = await postOverdue(3)
  await client.setAutomine(false)
  const keeper = startKeeper({ replaceMs: 100 })
  await keeper.until((event) => event.kind === 'sent')
  /** Takes the nonce of the keeper's first transaction, unless that is mined before. */
  const sendOther = async () => {
    const nonce = await client.getTransactionCount({ address: accounts.keeper.address })
    const fees = { maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: parseGwei('100') }
    const other = { type: 'eip1559', chainId: client.chain.id, to: accounts.ada.address, gas: 21_000n } as const
    const serializedTransaction = await accounts.keeper.signTransaction({ ...other, nonce, ...fees })
    const hash = await client.sendRawTransaction({ serializedTransaction }).catch(() => null)
    await client.mine({ blocks: 1 })
    return hash !== null && client.getTransactionReceipt({ hash }).then(Boolean, () => false)
  }
  await expect.poll(sendOther, patience).toBe(true)
  await expect.poll(() => client.mine({ blocks: 1 }).then(() => countOpen(jobs)), patience).toBe(0)
})

test('two keepers with the same key do every call once', async () => {
  const jobs = await postOverdue(5)
  startKeeper({ jitterMs: 0, replaceMs: 200 })
  startKeeper({ jitterMs: 0, replaceMs: 200 })
  await expect.poll(() => countOpen(jobs), patience).toBe(0)
})

test('a call that a reorganisation removed is made again', async () => {
  const { client } = world.devnet
  const [job] = await postOverdue(1)
  if (!job) throw new Error('No task was posted.')
  await client.mine({ blocks: 2 })
  const keeper = startKeeper({ replaceMs: 200 })
  await keeper.untilSettled(1)
  await client.mine({ blocks: 2 })
  await keeper.idle()
  await client.request<Rollback>({ method: 'anvil_rollback', params: [3] })
  await client.mine({ blocks: 4 })
  expect(await countOpen([job])).toBe(1)
  await expect.poll(() => countOpen([job]), patience).toBe(0)
})

test('it acts only for the wallets and the time that the operator chose', async () => {
  const jobs = await postOverdue(1)
  const others = startKeeper({ wallets: [accounts.devi.address] })
  await others.idle()
  const { timestamp } = await world.devnet.client.getBlock()
  const later = startKeeper({ since: Number(timestamp) + 1 })
  await later.idle()
  expect(await countOpen(jobs)).toBe(1)
  const own = startKeeper({ wallets: [accounts.ada.address] })
  await own.untilSettled(1)
  expect(await countOpen(jobs)).toBe(0)
})

test('an API that does not answer changes nothing', async () => {
  const jobs = await postOverdue(1)
  const keeper = startKeeper({ api: createApiListing('http://127.0.0.1:9') })
  await keeper.untilSettled(1)
  expect(keeper.events).toContainEqual(expect.objectContaining({ kind: 'fault', what: 'list tasks through the API' }))
  expect(await countOpen(jobs)).toBe(0)
})

test('a call is left to the parties for the time of grace, then made', async () => {
  const jobs = await postOverdue(1)
  const graceSeconds = 2 * world.scenes[market].params.maxClaimDeadline
  const keeper = startKeeper({ graceSeconds })
  await keeper.idle()
  expect(await countOpen(jobs)).toBe(1)
  await advanceTime(world.devnet.client, graceSeconds)
  await keeper.untilSettled(1)
  expect(await countOpen(jobs)).toBe(0)
})

test('no transaction offers more than the highest fee', async () => {
  const jobs = await postOverdue(1)
  const keeper = startKeeper({ fees: { maxFeeWei: 1n, tipWei: 1n } })
  expect(await keeper.until((event) => event.kind === 'held')).toMatchObject({ why: 'fee' })
  expect(await countOpen(jobs)).toBe(1)
})

type Rollback = { Method: 'anvil_rollback'; Parameters: [number]; ReturnType: null }

const makeOffer = () => ({
  poster: accounts.ada,
  text: 'Overdue\n\nNobody acts in time.',
  amounts: [parseUnits('10', 18)],
  duration: world.scenes[market].params.minDuration,
})

/** Posts tasks and moves the clock past the end of their claims. */
async function postOverdue(count: number, funded?: bigint): Promise<Job[]> {
  const scene = world.scenes[market]
  const jobs: Job[] = []
  for (let index = 0; index < count; index++) jobs.push(await sendPost(scene, makeOffer(), funded))
  await advanceTime(world.devnet.client, scene.params.maxClaimDeadline)
  return jobs
}

/** Counts the jobs that have not expired yet. */
async function countOpen(jobs: readonly Job[]): Promise<number> {
  const { client, contracts } = world.scenes[market]
  const contract = { address: contracts.taskRegistry, abi: taskRegistryAbi } as const
  const tasks = await Promise.all(
    jobs.map(({ id }) => client.readContract({ ...contract, functionName: 'taskOf', args: [id] })),
  )
  return tasks.filter(({ state }) => state === 1).length
}

/** A budget of so many calls, one at a time: what a call costs differs from block to block. */
function createCallBudget(calls: bigint): GasBudget {
  const budget = createGasBudget({ hourWei: calls, dayWei: calls })
  const none = mapPurposes(() => 0n)
  return {
    ...budget,
    allows: (_, purpose) => budget.allows(1n, purpose, none),
    spend: (_, purpose) => budget.spend(1n, purpose),
    restore: () => {},
  }
}

/** Starts a keeper in this process and records what it reports. */
function startKeeper(more: Partial<KeeperOptions> & { hourWei?: bigint }, person: Person = 'keeper') {
  const { devnet } = world
  const { chainId } = devnet.deployments
  const stop = new AbortController()
  const events: KeeperEvent[] = []
  const waiters = new Set<(event: KeeperEvent) => void>()
  const providers = createProviders([createRpc({ name: 'anvil', url: devnet.rpcUrl })], createViemChain(chainId))
  const done = runKeeper({
    account: accounts[person],
    providers,
    readHead: createHeadSource(providers),
    chainId,
    deployment: getMarketDeployment(devnet.deployments),
    markets: [market],
    wallets: [],
    since: 0,
    graceSeconds: 0,
    budget: createGasBudget({ hourWei: more.hourWei ?? 10n ** 18n, dayWei: 10n ** 18n }),
    fees: { maxFeeWei: parseGwei('3'), tipWei: 1_000_000n },
    maxInFlight: 4,
    pollMs: 20,
    jitterMs: 20,
    replaceMs: 5_000,
    scanMs: 60_000,
    ...more,
    signal: stop.signal,
    onEvent: (event) => {
      events.push(event)
      for (const waiter of waiters) waiter(event)
    },
  })
  const until = (matches: (event: KeeperEvent) => boolean): Promise<KeeperEvent> => {
    const found = events.find(matches)
    if (found) return Promise.resolve(found)
    return next(matches)
  }
  const next = (matches: (event: KeeperEvent) => boolean): Promise<KeeperEvent> =>
    new Promise((resolve) => {
      const waiter = (event: KeeperEvent) => {
        if (!matches(event)) return
        waiters.delete(waiter)
        resolve(event)
      }
      waiters.add(waiter)
    })
  const end = async () => {
    stop.abort()
    await done
  }
  running.push(end)
  return {
    events,
    until,
    /** Resolves when so many calls succeeded. */
    async untilSettled(count: number) {
      const countDone = () => events.filter((event) => event.kind === 'settled' && event.outcome === 'done').length
      while (countDone() < count) await next(({ kind }) => kind === 'settled')
    },
    /** Resolves after two polls with nothing in flight. */
    async idle() {
      for (let polls = 0; polls < 2; polls++)
        await next((event) => event.kind === 'polled' && event.status.isComplete && event.status.inFlight === 0)
    },
    stop: end,
  }
}
