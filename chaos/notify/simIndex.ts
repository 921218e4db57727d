import type { RawLog } from '@svc/chain'
import {
  appendBatch,
  type Cursor,
  createBuild,
  createConnector,
  createRowCache,
  getSchemaName,
  loadCursor,
  loadOrCreateCursor,
  marketNumber,
  type RowCache,
  rollback,
  serveBuild,
} from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import { type ContractName, marketAbis } from '@svc/protocol/fold'
import type { SimBlock, Simulation } from '@svc/simulation/chain'
import postgres from 'postgres'

/** The index of a simulated chain, written straight from its blocks. */
export interface SimIndex {
  /** Brings a market to a block of the canonical chain; rolls back first where the chain was reorganised. */
  moveTo: (market: Market, number: number) => Promise<void>
  /** The last block of a market that is still canonical. */
  findAncestor: (market: Market) => number
  /** Reads from the database how far it got: after an error, a commit may have succeeded or not. */
  reload: (market: Market) => Promise<void>
  stop: () => Promise<void>
}

/** Creates the index in an empty database, at the first block of the chain. */
export async function createSimIndex(url: string, { chain, places }: Simulation): Promise<SimIndex> {
  const admin = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} })
  await createBuild(admin, 'a')
  await serveBuild(admin, 'a')
  await admin.end()
  const sql = createConnector(url)(getSchemaName('a'))
  const contracts = Object.keys(marketAbis) as ContractName[]
  const states = new Map<Market, { cursor: Cursor; cache: RowCache; path: SimBlock[] }>()
  for (const market of markets) {
    const first = chain.blocks[0] as SimBlock
    const cursor = await loadOrCreateCursor(sql, marketNumber(market), async () => toHeader(first))
    states.set(market, { cursor, cache: createRowCache(), path: [first] })
  }
  const getState = (market: Market) => {
    const state = states.get(market)
    if (!state) throw new Error(`There is no market ${market}.`)
    return state
  }

  const findAncestor = (market: Market) =>
    getState(market).path.findLast(({ number, hash }) => chain.blockAt(number)?.hash === hash)?.number ?? 0

  return {
    findAncestor,
    async moveTo(market, number) {
      const state = getState(market)
      const { taskRegistry } = places.markets[market]
      const ancestor = findAncestor(market)
      if (Number(state.cursor.number) > ancestor) {
        const to = BigInt(ancestor)
        state.cursor = await rollback(sql, marketNumber(market), state.cursor, to, state.cache, taskRegistry)
        state.path = state.path.filter((block) => block.number <= ancestor)
      }
      const blocks = chain.blocks.slice(ancestor + 1, number + 1)
      if (blocks.length === 0) return
      const contractAt = new Map(contracts.map((name) => [places.markets[market][name].toLowerCase(), name]))
      state.cursor = await appendBatch(
        sql,
        marketNumber(market),
        state.cursor,
        {
          headers: blocks.map(toHeader),
          logs: blocks.flatMap((block) => block.logs.filter(isOf(contractAt)).map((log) => toRawLog(block, log))),
          finalized: 0n,
          settled: 0n,
          more: false,
          contractAt,
          registry: taskRegistry,
        },
        state.cache,
      )
      state.path.push(...blocks)
    },
    async reload(market) {
      const state = getState(market)
      const cursor = await loadCursor(sql, marketNumber(market))
      if (!cursor) throw new Error(`Market ${market} has no cursor.`)
      const last = state.path.at(-1)?.number ?? 0
      state.path.push(...chain.blocks.slice(last + 1, Number(cursor.number) + 1))
      state.path = state.path.filter(({ number }) => number <= Number(cursor.number))
      state.cursor = cursor
      state.cache = createRowCache()
    },
    stop: () => sql.end({ timeout: 5 }),
  }
}

const toHeader = ({ number, hash, timestamp }: SimBlock) => ({ number: BigInt(number), hash, timestamp })

const isOf =
  (contractAt: ReadonlyMap<string, ContractName>) =>
  ({ address }: SimBlock['logs'][number]) =>
    contractAt.has(address.toLowerCase())

/** A log of a simulated block as a provider gives it. */
const toRawLog = (block: SimBlock, log: SimBlock['logs'][number]): RawLog => ({
  ...log,
  topics: [...log.topics],
  blockNumber: BigInt(block.number),
  blockHash: block.hash,
  blockTimestamp: block.timestamp,
})
