import { createChainReader, createProviders, createRpc, createViemChain, getMarketDeployment } from '@svc/chain'
import { type Devnet, multicall3, startDevnet } from '@svc/devnet'
import { type Market, markets } from '@svc/protocol'
import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRandom } from '../random.ts'
import { fundSimWallets, listSimWallets, mineOnDevnet, type RealReceipt, signCall, toSimPlaces } from './calibration.ts'
import { createOracle } from './oracle.ts'
import { callKinds, kindOf, type SimCall } from './suite/calls.ts'
import { accruedAt } from './suite/staking.ts'
import { createSuite, eventEncoders, type Receipt, type Suite } from './suite/suite.ts'
import { randomTerms } from './terms.ts'
import type { SimWallet } from './wallets.ts'
import { createWorld } from './world.ts'

const seed = 1
/** Continues until every call and event has occurred. */
const [fewest, most] = [300, 2_000]
let devnet: Devnet
let wallets: readonly SimWallet[]
let suite: Suite
const seen = new Map<string, number>()
/** Kinds of calls with the names of their events, in order. */
const paths = new Set<string>()
const figures = { calls: 0, refused: 0, logs: 0 }

beforeAll(async () => {
  devnet = await startDevnet()
  wallets = listSimWallets(devnet.deployments)
  await fundSimWallets(devnet, wallets)
  suite = createSuite({ places: toSimPlaces(devnet.deployments) })
})
afterAll(() => devnet?.stop())

test('the constructors emit the same logs', async () => {
  for (const market of markets) {
    const address = Object.entries(suite.places.markets[market])
      .filter(([name]) => name !== 'pricingPolicy')
      .map(([, each]) => each)
    const params = [{ address, fromBlock: '0x0', toBlock: 'latest' }]
    const real = await devnet.client.request<{ Method: string; Parameters: unknown; ReturnType: RealReceipt['logs'] }>({
      method: 'eth_getLogs',
      params,
    })
    expect(real.map(({ topics, data }) => ({ topics, data }))).toEqual(
      suite.deployment(market).logs.map(({ topics, data }) => ({ topics, data })),
    )
  }
})

describe.each(markets)('a dispute of the %s market', (market) => {
  const hash: Hex = `0x${createRandom(seed, 0, 1).word()}`
  let now = 0
  const one = async (seconds: number, contract: string, name: string, from: Address, args: readonly unknown[]) => {
    now += seconds
    const call = { contract, name, from, args } as SimCall
    await mineBoth(now, name, async (play) => expect(await play({ market, call }), name).toBe(true))
  }

  /** Brings a new task over 100,000 TOK to a dispute with the judge that its terms name, and both sides speak. */
  const openCase = async (chosenWorker: Address | null = null) => {
    const [poster, otherWorker, judge] = wallets.map(({ address }) => address) as [Address, Address, Address]
    const worker = chosenWorker ?? otherWorker
    const params = suite.params[market]
    now = Number((await devnet.client.getBlock()).timestamp)
    for (const party of [poster, worker]) await one(1, 'depositVault', 'topUp', party, [100_000_000n])
    if (suite.states[market].own.get('own')?.paused) {
      await one(1, 'taskRegistry', 'unpauseEntries', suite.places.guardian, [])
    }
    await one(1, 'arbitration', 'register', judge, [200_000n * 10n ** 18n])
    const wishes = { params, now, poster, arbitrator: judge, store: null, isPrivate: false }
    const { terms, text } = randomTerms(createRandom(seed, now, 1), wishes)
    const amounts = terms.amounts.map(() => 100_000n * 10n ** 18n)
    const total = amounts.reduce((sum, amount) => sum + amount, 0n)
    const open = { ...terms, amounts, claimPolicy: 0, claimDeadline: BigInt(now + params.maxClaimDeadline) }
    await one(1, 'taskRegistry', 'post', poster, [open, text, total])
    const id = suite.states[market].own.get('own')?.taskCount ?? 0n
    const { termsHash } = suite.states[market].tasks.get(id) ?? { termsHash: '0x' as const }
    await one(1, 'taskRegistry', 'claim', worker, [id, suite.digests[market].settlement(termsHash, worker)])
    await one(1, 'taskRegistry', 'activate', poster, [id])
    await one(1, 'taskRegistry', 'markDelivered', worker, [id, 0n, hash, { size: 0n, until: 0n, signature: '0x' }])
    await one(1, 'taskRegistry', 'openDispute', poster, [id, 0n, hash, 1_000n])
    for (const from of [worker, judge]) await one(1, 'arbitration', 'propose', from, [id, judge])
    await one(1, 'arbitration', 'submitEvidence', worker, [id, hash, 9_000n])
    return { id, poster, worker, judge, params }
  }

  test('costs a silent judge the same, and a silent court leaves it to the side that did not open', async () => {
    const { id, poster, params } = await openCase()
    await one(params.evidenceWindow + params.rulingWindow + 1, 'arbitration', 'resolveTimedOut', poster, [id])
    await one(params.courtWindow + 1, 'arbitration', 'resolveTimedOut', poster, [id])
    expect(suite.states[market].disputes.get(id)).toMatchObject({ ending: 'TIMED_OUT', workerBps: 9_000 })
  })

  test('pays a worker that cannot be paid directly, so that it withdraws', async () => {
    const { arbitration } = suite.places.markets[market]
    const { id, poster, worker, judge, params } = await openCase(arbitration)
    await one(params.evidenceWindow, 'arbitration', 'resolve', judge, [id, 1n, true, hash])
    await one(params.appealWindow + 1, 'arbitration', 'finalize', worker, [id])
    await one(1, 'arbitration', 'withdraw', arbitration, [poster])
    expect(suite.states[market].disputes.get(id)).toMatchObject({ ending: 'RULED', workerBps: 9_000 })
  })

  test('costs an overturned judge more than its ruling moved', async () => {
    const { id, poster, worker, judge, params } = await openCase()
    await one(params.evidenceWindow, 'arbitration', 'resolve', judge, [id, 1n, false, hash])
    await one(1, 'arbitration', 'escalate', worker, [id])
    await one(1, 'arbitration', 'decide', suite.places.finalCourt, [id, 1n, true, hash])
    expect(suite.states[market].disputes.get(id)).toMatchObject({ ending: 'DECIDED', workerBps: 9_000, poster })
  })

  test('goes to the final court if the judge gives it back too late', async () => {
    const { id, judge, params } = await openCase()
    await one(params.evidenceWindow, 'arbitration', 'stepDown', judge, [id])
    await one(1, 'arbitration', 'decide', suite.places.finalCourt, [id, 1n, false, hash])
    expect(suite.states[market].disputes.get(id)).toMatchObject({ ending: 'DECIDED', workerBps: 1_000 })
  })
})

test('the real contracts emit the same logs as the simulation, call by call, and revert the same calls', async () => {
  const world = createWorld(suite, { wallets, liveTasks: 4 })
  const opening = world.opening()
  const { timestamp } = await devnet.client.getBlock()
  let now = Number(timestamp)
  for (let index = 0; index < most && (index < fewest || missing().length > 0); index++) {
    const random = createRandom(seed, index)
    world.beginBlock()
    now += 1 + random.below(20)
    if (random.chance(0.2)) now += world.leap(random, now)
    // Late enough for the last credit to be issued.
    if (index === fewest - 100) now += 1_000 * 365 * 24 * 60 * 60
    await mineBoth(now, `block ${index} of seed ${seed}`, async (play) => {
      for (const first of opening.splice(0, 12)) await play(first)
      for (let calls = opening.length === 0 ? 1 + random.below(5) : 0; calls > 0; calls--) {
        const found = Array.from({ length: 6 }, () => world.choose(random, now)).filter((each) => each !== null)
        const count = ({ call }: { call: SimCall }) => seen.get(kindOf(call)) ?? 0
        // Every other time, the rarest call goes first. If it always did, no task would ever be finished.
        const rarest = found.toSorted((a, b) => count(a) - count(b))
        for (const each of random.chance(0.5) ? rarest : found) {
          // Only some of the reverting calls are tried on the chain too.
          if (await play(each, random.chance(0.2))) break
        }
      }
    })
  }
})

test('every kind of call and every event occurred', () => {
  console.log(`${figures.calls} calls, ${figures.refused} refused, ${figures.logs} logs, ${paths.size} kinds of paths`)
  expect(missing()).toEqual([])
})

test('the contracts and the oracle agree about every task, dispute, wallet, arbitrator and Union', async () => {
  const rpc = createRpc({ name: 'anvil', url: devnet.rpcUrl })
  const reader = createChainReader(
    createProviders([rpc], createViemChain(8453, multicall3)),
    getMarketDeployment(devnet.deployments),
  )
  const { timestamp: now } = await reader.head()
  const oracle = createOracle(suite, () => ({ tick: suite.timeline.tick, timestamp: now }))
  const truth = oracle.allAt(0)
  for (const market of markets) {
    const real = await Promise.all(truth[market].tasks.map(({ number }) => reader.getTask(market, number)))
    expect(real.map(({ detail }) => detail?.task)).toEqual(truth[market].tasks)
    expect(real.map(({ detail }) => detail?.dispute ?? null)).toEqual(
      truth[market].tasks.map(({ number }) => oracle.disputeAt(0, market, number)),
    )
    const agents = await Promise.all(truth[market].agents.map(({ address }) => reader.getAgent(market, address)))
    expect(agents.map(({ agent }) => agent)).toEqual(truth[market].agents)
    const { arbitrators } = await reader.listArbitrators(market, 1_000)
    const byAddress = (a: { address: Address }, b: { address: Address }) => (a.address < b.address ? -1 : 1)
    expect(arbitrators.toSorted(byAddress)).toEqual(truth[market].arbitrators.toSorted(byAddress))
    const { union } = await reader.getUnion(market)
    const { own: entry } = oracle.entriesAt(0, market)
    const { totalCreditsIssued, rewardReserve } = accruedAt(entry, now)
    const { stakingActive, totalStaked } = entry
    expect(union).toMatchObject({ stakingActive, totalStaked, totalCreditsIssued, rewardReserve })
  }
})

type Play = (each: { market: Market; call: SimCall }, evenIfRefused?: boolean) => Promise<boolean>

/** Mines the same block in the simulation and on the chain, and compares the logs of every call. */
async function mineBoth(timestamp: number, where: string, fill: (play: Play) => Promise<unknown>): Promise<void> {
  const number = Number(await devnet.client.getBlockNumber()) + 1
  const context = { number, timestamp }
  const played: { market: Market; call: SimCall; outcome: Receipt | string }[] = []
  await fill(async ({ market, call: bare }, evenIfRefused = true) => {
    const call = await signCall(devnet.deployments, market, bare, (of, id) => {
      const task = suite.states[of].tasks.get(id)
      if (!task) throw new Error(`Task ${id} does not exist.`)
      return { ...task, phase: suite.states[of].disputes.get(id)?.phase ?? 'NONE' }
    })
    const outcome = suite.execute(market, call, context)
    const refused = typeof outcome === 'string'
    if (!refused || evenIfRefused) played.push({ market, call, outcome })
    return !refused
  })
  const receipts = await mineOnDevnet(devnet, timestamp, played)
  for (const [at, { market, call, outcome }] of played.entries()) {
    const real = receipts[at]
    const what = `${where}: ${market} ${kindOf(call)} by ${call.from}`
    expect(real && realLogs(real), what).toEqual(typeof outcome === 'string' ? 'refused' : simLogs(outcome))
    countCall(market, call, outcome)
  }
}

/** The escrow vault cannot pay itself alone, and it is no party: nothing of its money ever waits. */
const impossible = ['escrowVault.withdraw', 'escrowVault.Withdrawn']

/** Lists kinds of calls and events that have not been compared yet. */
function missing(): string[] {
  const emitted = new Set([...paths].flatMap((path) => path.split(' ').slice(1)))
  return [
    ...callKinds.filter((kind) => !seen.has(kind)),
    ...[...eventEncoders.keys()].filter((name) => !emitted.has(name)),
  ].filter((name) => !impossible.includes(name))
}

/** The suite's own logs with their positions in the transaction. The tokens' logs only count for positions. */
function realLogs({ status, logs }: RealReceipt) {
  if (status !== '0x1') return 'refused'
  const first = Number(logs[0]?.logIndex ?? 0)
  const own = new Set(
    markets.flatMap((market) => Object.values(suite.places.markets[market]).map((address) => address.toLowerCase())),
  )
  return {
    logCount: logs.length,
    logs: logs
      .filter(({ address }) => own.has(address.toLowerCase()))
      .map(({ address, topics, data, logIndex }) => ({
        address: address.toLowerCase(),
        topics,
        data,
        offset: Number(logIndex) - first,
      })),
  }
}

const names = new Map<string, string>()

/** Counts what was compared. */
function countCall(market: Market, call: SimCall, outcome: Receipt | string): void {
  figures.calls++
  if (typeof outcome === 'string') {
    figures.refused++
    return
  }
  seen.set(kindOf(call), (seen.get(kindOf(call)) ?? 0) + 1)
  figures.logs += outcome.logs.length
  if (names.size === 0) {
    for (const [name, encode] of eventEncoders) names.set(`${encode.selector} ${name.split('.')[0]}`, name)
  }
  const contractAt = new Map(
    Object.entries(suite.places.markets[market]).map(([name, address]) => [address.toLowerCase(), name]),
  )
  const events = outcome.logs.map(({ address, topics }) => names.get(`${topics[0]} ${contractAt.get(address)}`))
  paths.add([kindOf(call), ...events].join(' '))
}

const simLogs = ({ logs, logCount }: Receipt) => ({ logCount, logs })
