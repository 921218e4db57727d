import { isDeepStrictEqual } from 'node:util'
import { createSigningContext } from '@svc/chain'
import { accounts, advanceTime, createScene, type Devnet, sendApprovals, sendStake, startWorld } from '@svc/devnet'
import { type Market, markets } from '@svc/protocol'
import { createRandom } from '@svc/simulation/random'
import { type Abi, type Address, decodeEventLog, type Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  affectedEntities,
  type EntityKey,
  listAffectedEntities,
  noEntities,
} from '../../packages/protocol/src/fold/affectedEntities.ts'
import { applyAgent } from '../../packages/protocol/src/fold/agent.ts'
import { applyEvent, type Entity, foldEvent } from '../../packages/protocol/src/fold/applyEvent.ts'
import { applyArbitrator } from '../../packages/protocol/src/fold/arbitrator.ts'
import { decodeLog } from '../../packages/protocol/src/fold/decodeLog.ts'
import {
  type EventKind,
  type MarketEvent,
  type MarketEvents,
  marketAbis,
} from '../../packages/protocol/src/fold/event.ts'
import { parseEntity, serializeEntity } from '../../packages/protocol/src/fold/serializeEntity.ts'
import type { FoldedTask } from '../../packages/protocol/src/fold/task.ts'
import type { AgentRecord, ArbitratorRecord } from '../../packages/protocol/src/records/agent.ts'
import { findFoldDifferences, hashFoldedTerms } from './compare.ts'
import { bringMissingReceipt, endEntries, playEpilogue } from './epilogue.ts'
import { decodeEvents, fetchNamedLogs, type NamedLog } from './fetchNamedLogs.ts'
import { playRandomTasks } from './playRandomTasks.ts'
import { type ChainState, readChain } from './readChain.ts'

type Fold = Map<EntityKey, Entity>

/** The whole history of a market, and what its contracts stored at some blocks. */
interface Watched {
  logs: NamedLog[]
  events: MarketEvent[]
  chain: Map<number, ChainState>
}

const seed = Date.now() % 2 ** 31
const chance = createRandom(seed)
let devnet: Devnet
const watched = {} as Record<Market, Watched>

beforeAll(async () => {
  // Built instead of loaded from a saved world, because the states of all blocks are read.
  const world = await startWorld()
  devnet = world.devnet
  const { client, deployments } = devnet
  const scenes = markets.map((market) => createScene(client, deployments, market))
  for (const scene of scenes) await bringMissingReceipt(scene, world.tasks)
  for (const scene of scenes) {
    await playEpilogue(scene, world.tasks)
    const steps = await playRandomTasks(scene, chance, 10)
    console.log(`${scene.market}: ${steps.length} random steps, seed ${seed}`)
  }
  for (const scene of scenes) await endEntries(scene)
  // Longer than the Union issues credits.
  await advanceTime(client, 70 * 365 * 24 * 60 * 60)
  const late = Number(await client.getBlockNumber())
  for (const scene of scenes) {
    await sendApprovals(scene, accounts.ada)
    await sendStake(scene, accounts.ada, 10n ** 18n)
  }
  const head = Number(await client.getBlockNumber())
  for (const scene of scenes) {
    const logs = await fetchNamedLogs(scene)
    const events = decodeEvents(logs)
    const known = listKnown(foldAll(events))
    const chain = new Map<number, ChainState>()
    for (const block of [...new Set([...listBlocks(events), late, head])].sort((a, b) => a - b)) {
      chain.set(block, await readChain(scene, block, known))
    }
    watched[scene.market] = { logs, events, chain }
  }
}, 900_000)
afterAll(() => devnet?.stop())

/** Kinds of events that follow each other on one task. */
const swaps = [
  ['taskRegistry.TaskClaimed', 'taskRegistry.WorkerLeft'],
  ['taskRegistry.MilestoneDelivered', 'taskRegistry.RevisionRequested'],
  ['arbitration.JudgeSeated', 'arbitration.Ruled'],
  ['arbitration.Ruled', 'arbitration.CourtCalled'],
] as const satisfies [EventKind, EventKind][]
const changing = (Object.keys(affectedEntities) as EventKind[]).filter((kind) => affectedEntities[kind] !== noEntities)

describe.each(markets)('the %s market', (market) => {
  test('contains every kind of event that changes state', () => {
    const seen = new Set(watched[market].events.map(({ kind }) => kind))
    expect(changing.filter((kind) => !seen.has(kind))).toEqual([])
  })

  test('folds to what the contracts store, at the end and at blocks in between', () => {
    const { events, chain } = watched[market]
    expect([...problems(market, events)]).toEqual([])
    const compared = [...chain.values()].reduce((sum, { entities }) => sum + entities.size, 0)
    console.log(`${market}: ${events.length} events, ${compared} entities compared at ${chain.size} blocks`)
  })

  test('has the terms of every terms hash', () => {
    const context = createSigningContext(devnet.deployments, market)
    const { events, chain } = watched[market]
    const folded = foldAll(events)
    const hashes = [...chain.values()].at(-1)?.termsHashes ?? new Map<EntityKey, Hex>()
    expect(hashes.size).toBeGreaterThan(30)
    for (const [key, hash] of hashes) expect(hashFoldedTerms(folded.get(key) as FoldedTask, context)).toBe(hash)
  })

  test('can be saved as JSON after any event and continued', () => {
    const { events } = watched[market]
    const whole = foldAll(events)
    for (let i = 0; i < 10; i++) {
      const cut = chance.below(events.length)
      const kept = [...foldAll(events.slice(0, cut))].map(([key, entity]) => [key, serializeEntity(entity)] as const)
      const taken = new Map(kept.map(([key, text]) => [key, parseEntity(text)]))
      expect(foldAll(events.slice(cut), taken), `cut at ${cut}`).toEqual(whole)
    }
  })

  test('rebuilds every entity from its own events alone', () => {
    const { events } = watched[market]
    const folded: Fold = new Map()
    const histories = new Map<EntityKey, MarketEvent[]>()
    for (const event of events) {
      const complete = foldEvent(folded, event)
      for (const key of listAffectedEntities(complete)) histories.set(key, [...(histories.get(key) ?? []), complete])
    }
    const rebuilt = new Map(
      [...histories].map(([key, history]) => [
        key,
        history.reduce<Entity | null>((entity, event) => applyEvent(key, entity, event), null),
      ]),
    )
    expect(rebuilt).toEqual(folded)
  })

  test('changes no wallet by an event that does not touch it', () => {
    const folded: Fold = new Map()
    for (const event of watched[market].events) {
      const before = new Map(folded)
      const complete = foldEvent(folded, event)
      const mine = new Set(listAffectedEntities(complete))
      for (const [key, entity] of before) {
        if (mine.has(key)) continue
        if (key.startsWith('agent:')) expect(applyAgent(entity as AgentRecord, complete)).toBe(entity)
        if (key.startsWith('arbitrator:')) expect(applyArbitrator(entity as ArbitratorRecord, complete)).toBe(entity)
      }
    }
  })

  test.each(changing)('differs from the chain when %s is skipped', (skipped) => {
    const { events } = watched[market]
    const broken = events.filter(({ kind }) => kind !== skipped)
    expect(firstProblem(market, broken)).toBeDefined()
  })

  test.each(swaps)('differs from the chain when %s and %s of a task are swapped', (first, second) => {
    const { events } = watched[market]
    expect(firstProblem(market, swapped(events, lastPair(events, first, second)))).toBeDefined()
  })
})

test('decodes logs like viem, and many times faster', () => {
  const logs = markets.flatMap((market) => watched[market].logs)
  const byViem = ({ contract, log }: NamedLog) =>
    decodeEventLog({ abi: marketAbis[contract] as Abi, topics: log.topics as [Hex], data: log.data })
  const start = performance.now()
  const decoded = logs.map(byViem)
  const theirs = Math.round((logs.length * 1000) / (performance.now() - start))
  const differing = logs.filter(({ contract, log }, at) => {
    const event = decodeLog(contract, log)
    const { eventName, args } = decoded[at] ?? {}
    return !isDeepStrictEqual([event?.name, event?.args], [eventName, args ?? {}])
  })
  expect(differing).toEqual([])
  const ours = rate(logs.length, () => decodeEvents(logs))
  const { events } = watched.standard
  const folded = rate(events.length, () => foldAll(events))
  console.log(
    `${ours} logs decoded per second, viem ${theirs}: ${(ours / theirs).toFixed(1)} times as many; ${folded} folded`,
  )
  expect(ours / theirs).toBeGreaterThan(3)
})

/** Lists the differences at the watched blocks from `first` on, in order. */
function* problems(market: Market, events: readonly MarketEvent[], first = 0): Generator<string> {
  const folded: Fold = new Map()
  let done = 0
  for (const [block, chain] of watched[market].chain) {
    if (block < first) continue
    for (; done < events.length; done++) {
      const event = events[done] as MarketEvent
      if (event.block.number > block) break
      foldEvent(folded, event)
    }
    for (const difference of findFoldDifferences(folded, chain)) yield `block ${block}: ${difference}`
  }
}

/** A broken history causes a difference, or an event that has nothing to change. Until the first change it is the true one. */
function firstProblem(market: Market, events: readonly MarketEvent[]): string | undefined {
  const change = watched[market].events.find((event, at) => event !== events[at])
  try {
    const { value } = problems(market, events, change?.block.number).next()
    return value
  } catch (error) {
    return (error as Error).message
  }
}

/** Finds the last two such events of one task in different blocks. */
function lastPair(events: readonly MarketEvent[], first: EventKind, second: EventKind): [MarketEvent, MarketEvent] {
  const getTaskNumber = (event: MarketEvent) => (event as MarketEvents['taskRegistry.TaskClaimed']).args.taskId
  const before = (later: MarketEvent) =>
    events.findLast(
      (each) =>
        each.kind === first && getTaskNumber(each) === getTaskNumber(later) && each.block.number < later.block.number,
    )
  const later = events.findLast((event) => event.kind === second && before(event))
  const earlier = later && before(later)
  if (!later || !earlier) throw new Error(`No ${first} before ${second} of one task.`)
  return [earlier, later]
}

/** Returns the events with two of them swapped. */
function swapped(events: readonly MarketEvent[], [earlier, later]: [MarketEvent, MarketEvent]): MarketEvent[] {
  return events.map((event) => {
    if (event === earlier) return { ...later, block: earlier.block, logIndex: earlier.logIndex }
    return event === later ? { ...earlier, block: later.block, logIndex: later.logIndex } : event
  })
}

/** Measures how many of `count` items per second are processed. */
function rate(count: number, act: () => unknown): number {
  const start = performance.now()
  let done = 0
  do {
    act()
    done += count
  } while (performance.now() - start < 500)
  return Math.round((done * 1000) / (performance.now() - start))
}

function foldAll(events: readonly MarketEvent[], folded: Fold = new Map()): Fold {
  for (const event of events) foldEvent(folded, event)
  return folded
}

function listKnown(folded: Fold) {
  const wallets = new Set<Address>(Object.values(accounts).map(({ address }) => address))
  const reserves: [bigint, Address][] = []
  for (const key of folded.keys()) {
    const [kind, first = '', second = ''] = key.split(':')
    if (kind === 'agent' || kind === 'arbitrator') wallets.add(first as Address)
    if (kind === 'reserve') reserves.push([BigInt(first), second as Address])
  }
  return { wallets: [...wallets], reserves }
}

/** Picks random blocks, at least one with each kind of event (some leave no trace later), and those of `swaps`. */
function listBlocks(events: readonly MarketEvent[]): number[] {
  // Before staking was activated, not all contracts were deployed.
  const whole = events.slice(events.findIndex(({ kind }) => kind === 'stakingVault.StakingActivated'))
  const blocks = new Set(swaps.map(([first, second]) => lastPair(events, first, second)[0].block.number))
  for (const same of Map.groupBy(whole, ({ kind }) => kind).values())
    if (!same.some(({ block }) => blocks.has(block.number))) blocks.add(chance.pick(same).block.number)
  return [...blocks]
}
