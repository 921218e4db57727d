import {
  type ChainReadError,
  createChainReader,
  createProviders,
  createViemChain,
  type FindTimeline,
  getMarketDeployment,
  getTaskContext,
  type MarketReader,
  readAtHead,
} from '@svc/chain'
import { buildDeployments, createNode, createSimulation, type RpcNode, simRpc } from '@svc/simulation/chain'
import { expect, test } from 'vitest'
import { readRecord } from '../../apps/gateway/src/pages/leaderboard/readRecord.ts'
import { readHoldings } from '../../apps/gateway/src/reads/readHoldings.ts'
import { capRange } from './faults.ts'
import { insertEmptyBlocks } from './longChain.ts'

const simulation = createSimulation({ seed: 41, lags: { safe: 5, finalized: 40 } })
simulation.mine(300)
const head = simulation.chain.head().number
const [market, wallet] = ['micro', simulation.wallets[0]?.address ?? '0x'] as const
const { tasks, disputes } = simulation.oracle.allAt(head)[market]
const disputed = disputes.at(-1)?.number ?? 0n
const deployment = getMarketDeployment(buildDeployments(simulation.places, Number(simulation.startBlock)))

/** A market on a chain of a million blocks, at a provider that returns logs of at most 2,000 per call. Counts the calls. */
function openLongChain(findTimeline?: FindTimeline) {
  const calls = new Map<string, number>()
  const long = capRange(2_000)(insertEmptyBlocks(head - 2, 1_000_000)(createNode(simulation)))
  const counted: RpcNode = {
    answer(method, params) {
      calls.set(method, (calls.get(method) ?? 0) + 1)
      return long.answer(method, params)
    },
  }
  const providers = createProviders([simRpc(counted, { name: 'provider 1' })], createViemChain(8453), {
    sleep: async () => {},
  })
  return { calls, providers, reader: createChainReader(providers, deployment, { findTimeline }) }
}

interface Row {
  read: (open: ReturnType<typeof openLongChain>) => Promise<unknown>
  /** The most calls on first contact, when the provider's limit is not known yet. */
  calls: number
  /** What it says if it cannot be read in so many calls. */
  refuses?: RegExp
}

/** Every direct read. A new one does not compile without a row. */
const rows: Record<
  Exclude<keyof MarketReader, 'listAsText' | 'search'> | 'getTaskContext' | 'readHoldings' | 'readRecord',
  Row
> = {
  head: { read: ({ reader }) => reader.head(), calls: 1 },
  getTask: { read: ({ reader }) => reader.getTask(market, disputed), calls: 12, refuses: /Use the index/ },
  getTaskSummary: { read: ({ reader }) => reader.getTaskSummary(market, disputed), calls: 5 },
  listOpen: { read: ({ reader }) => reader.listOpen(market, { limit: 100 }), calls: 4 },
  listRecent: { read: ({ reader }) => reader.listRecent(market, { limit: 100 }), calls: 5 },
  listByPoster: { read: ({ reader }) => reader.listByPoster(market, wallet, { limit: 100 }), calls: 12 },
  listByWorker: { read: ({ reader }) => reader.listByWorker(market, wallet, { limit: 100 }), calls: 12 },
  listWithTexts: { read: ({ reader }) => reader.listWithTexts(market, { of: 'recent' }, { limit: 3 }), calls: 8 },
  listInbox: { read: ({ reader }) => reader.listInbox(market, wallet, true), calls: 34 },
  getTexts: { read: ({ reader }) => reader.getTexts(market, [1n, 2n, 3n]), calls: 6 },
  listEvents: {
    read: ({ reader }) => reader.listEvents(market, { limit: 100, after: { block: 1n, logIndex: 0 } }),
    calls: 3,
  },
  getLedger: { read: ({ reader }) => reader.getLedger(market, wallet), calls: 12 },
  getTrackRecord: { read: ({ reader }) => reader.getTrackRecord(market, wallet), calls: 12, refuses: /Use the index/ },
  getEntries: { read: ({ reader }) => reader.getEntries(market), calls: 3 },
  getUnion: { read: ({ reader }) => reader.getUnion(market), calls: 3 },
  getAgent: { read: ({ reader }) => reader.getAgent(market, wallet), calls: 3 },
  getAgents: { read: ({ reader }) => reader.getAgents(market, [wallet]), calls: 3 },
  listAgents: { read: ({ reader }) => reader.listAgents(market, 10), calls: 9, refuses: /Use the index/ },
  listArbitrators: { read: ({ reader }) => reader.listArbitrators(market, 10), calls: 4 },
  getTokPrice: { read: ({ reader }) => reader.getTokPrice(market), calls: 3, refuses: /revert/ },
  getPlanQuote: { read: ({ reader }) => reader.getPlanQuote(market, 'pro', 'usdc'), calls: 3, refuses: /revert/ },
  getTaskContext: {
    read: ({ providers }) =>
      readAtHead(providers, async (provider, block) => ({
        context: await getTaskContext(
          provider,
          deployment.markets[market],
          { market, number: disputed },
          [wallet],
          block,
        ),
      })),
    calls: 12,
    // The simulated token has no balances.
    refuses: /revert/,
  },
  // The treasury and the records of the gateway.
  readHoldings: {
    read: ({ providers }) =>
      readAtHead(providers, (provider, block) =>
        readHoldings(provider, deployment.markets[market], block, deployment.startBlock),
      ),
    calls: 12,
    refuses: /Use the index/,
  },
  readRecord: {
    read: ({ providers }) => readRecord(providers, deployment, market, wallet, 'completed'),
    calls: 12,
    refuses: /Use the index/,
  },
}

test('the fixture has an old task with a dispute, and the blocks in between are many', async () => {
  expect(disputed).toBeGreaterThan(0n)
  const { reader } = openLongChain()
  expect((await reader.head()).number).toBe(BigInt(head + 1_000_000))
})

test.each(Object.entries(rows))('%s is bounded on a chain of a million blocks', async (_, { read, calls, refuses }) => {
  const open = openLongChain()
  const count = () => [...open.calls.values()].reduce((sum, each) => sum + each, 0)
  const error = await read(open).then(
    () => null,
    (cause: ChainReadError) => cause.message,
  )
  const made = count()
  if (refuses) expect(error).toMatch(refuses)
  else expect(error).toBeNull()
  expect(made).toBeLessThanOrEqual(calls)
})

test('lists of a wallet are complete without logs', async () => {
  const { reader } = openLongChain()
  const own = tasks.toReversed().filter(({ poster }) => poster === wallet)
  expect(own.length).toBeGreaterThan(2)
  const { tasks: found, next } = await reader.listByPoster(market, wallet, { limit: 100 })
  expect(found.map(({ number }) => number)).toEqual(own.map(({ number }) => number))
  expect(next).toBeNull()
  const page = await reader.listByPoster(market, wallet, { limit: 1, before: own[0]?.number })
  expect(page.tasks.map(({ number }) => number)).toEqual([own[1]?.number])
  expect(page.next).toBe(own[1]?.number)
  const summary = await reader.getTaskSummary(market, disputed)
  const { terms, text } = simulation.oracle.entriesAt(head, market).task(disputed) ?? {}
  expect(summary.detail).toMatchObject({ terms, text })
})

/** The same chain without the empty blocks, at a provider without a limit. */
const near = createProviders([simRpc(createNode(simulation), { name: 'provider 1' })], createViemChain(8453))
const nearReader = createChainReader(near, deployment)

/** The disputed task that the most blocks have events of. An index knows these blocks, with the numbers of the long chain. */
async function findOldTask(): Promise<{ number: bigint; blocks: bigint[]; names: string[] }> {
  const found = await Promise.all(
    disputes.map(async ({ number }) => {
      const timeline = (await nearReader.getTask(market, number)).detail?.timeline ?? []
      const move = (block: bigint) => (block > BigInt(head - 2) ? block + 1_000_000n : block)
      const blocks = [...new Set(timeline.map(({ blockNumber }) => move(blockNumber)))]
      return { number, blocks, names: timeline.map(({ name }) => name) }
    }),
  )
  const [longest] = found.toSorted((a, b) => b.blocks.length - a.blocks.length)
  if (!longest) throw new Error('The fixture has no dispute.')
  return longest
}

/** How far the index has read: the newest blocks are searched on the chain. */
const upTo = BigInt(head + 1_000_000 - 1)

test('where an index says that events are, the timeline of an old task is read from the chain in a few calls', async () => {
  const { number, blocks, names } = await findOldTask()
  expect(blocks.length).toBeGreaterThan(3)
  const { reader, calls } = openLongChain(async () => ({ blocks: blocks.filter((block) => block <= upTo), upTo }))
  const { detail } = await reader.getTask(market, number)
  expect(detail?.timeline.map(({ name }) => name)).toEqual(names)
  expect([...calls.values()].reduce((sum, each) => sum + each, 0)).toBeLessThan(20)
})

test('an index that hides a change of state, or makes up blocks, is not believed', async () => {
  const { number, blocks } = await findOldTask()
  const madeUp = Array.from({ length: 999 }, (_, index) => BigInt(head + index * 1_000))
  for (const hint of [...blocks.slice(1).map((hidden) => blocks.filter((block) => block < hidden)), [], madeUp]) {
    // The chain itself is asked, and its provider cannot read so far back.
    const { reader } = openLongChain(async () => ({ blocks: hint, upTo }))
    await expect(reader.getTask(market, number)).rejects.toThrow(/Use the index/)
  }
})

test('without an answer of the index, or with an old one, the chain is read', async () => {
  const { number, blocks } = await findOldTask()
  const plain = await nearReader.getTask(market, number)
  const isDown = async () => {
    throw new TypeError('The API is down.')
  }
  const isBehind = async () => ({ blocks: blocks.slice(0, 2), upTo: blocks[1] ?? 0n })
  for (const findTimeline of [isDown, isBehind]) {
    expect(await createChainReader(near, deployment, { findTimeline }).getTask(market, number)).toEqual(plain)
  }
})
