import type { Market } from '@svc/protocol'
import { ledgerOf } from '@svc/protocol/records'
import { getAddress, type Hex } from 'viem'
import { atBlock } from './atBlock.ts'
import { atHead, headOf } from './atHead.ts'
import type { MarketAddresses, MarketPlaces } from './market.ts'
import type { Provider, Providers } from './providers.ts'
import type { At, BlockRef, MarketReader, PageQuery, TaskList, TaskPage } from './reader.ts'
import { getAgent, listAgents, listArbitrators } from './reads/agents.ts'
import { getPlanQuote } from './reads/getPlanQuote.ts'
import { getTask } from './reads/getTask.ts'
import { getUnion } from './reads/getUnion.ts'
import { listEvents } from './reads/listEvents.ts'
import { listOpen, listRecent, readTasks } from './reads/listTasks.ts'
import { listByPoster, listByWorker, tasksOf } from './reads/listTasksOf.ts'
import { readTexts } from './reads/readTexts.ts'
import { pageTextOf } from './taskText.ts'

export interface ChainReaderOptions {
  /** The hash of the one block that everything is read at; without it, the newest. */
  at?: Hex
}

/** Reads the markets straight from the chain, with no database at all. */
export function createChainReader(
  providers: Providers,
  { markets, startBlock }: MarketPlaces,
  { at }: ChainReaderOptions = {},
): MarketReader {
  const here = <T extends object>(read: (provider: Provider, block: BlockRef) => Promise<T>): Promise<At<T>> =>
    at === undefined ? atHead(providers, read) : atBlock(providers, at, read)

  const on = <T extends object>(
    market: Market,
    read: (provider: Provider, contracts: MarketAddresses, block: BlockRef) => Promise<T>,
  ) => here((provider, block) => read(provider, markets[market], block))

  const reader: MarketReader = {
    head: () => (at === undefined ? providers.read(headOf) : here(async () => ({})).then(({ block }) => block)),
    getTask: (market, number) =>
      on(market, (provider, contracts, block) => getTask(provider, contracts, number, block)),
    listOpen: (market, query) =>
      on(market, (provider, contracts, block) => listOpen(provider, contracts, query, block)),
    listRecent: (market, query) =>
      on(market, (provider, contracts, block) => listRecent(provider, contracts, query, block)),
    listByPoster: (market, poster, query) =>
      on(market, (provider, contracts, block) =>
        listByPoster(provider, contracts, getAddress(poster), query, block, startBlock),
      ),
    listByWorker: (market, worker, query) =>
      on(market, (provider, contracts, block) =>
        listByWorker(provider, contracts, getAddress(worker), query, block, startBlock),
      ),
    async listAsText(market, list, query) {
      const { block, ...page } = await pageOf(market, list, query)
      return { ...pageTextOf(page, market, markets[market].taskRegistry), block }
    },
    getTexts: (market, numbers) =>
      on(market, async (provider, contracts, block) => {
        const tasks = await readTasks(provider, contracts, numbers, block)
        return { texts: await readTexts(provider, contracts, tasks) }
      }),
    listEvents: (market, query) =>
      on(market, (provider, contracts, block) => listEvents(provider, contracts, query, block, startBlock)),
    getLedger: (market, wallet) =>
      on(market, async (provider, contracts, block) => {
        const tasks = await tasksOf(provider, contracts, getAddress(wallet), block, startBlock)
        return { ledger: ledgerOf(getAddress(wallet), tasks) }
      }),
    getUnion: (market) => on(market, getUnion),
    getAgent: (market, wallet) =>
      on(market, (provider, contracts, block) => getAgent(provider, contracts, getAddress(wallet), block)),
    listAgents: (market, limit) =>
      on(market, (provider, contracts, block) => listAgents(provider, contracts, limit, block, startBlock)),
    listArbitrators: (market, limit) =>
      on(market, (provider, contracts, block) => listArbitrators(provider, contracts, limit, block)),
    getPlanQuote: (market, plan, payWith) =>
      on(market, (provider, contracts, block) => getPlanQuote(provider, contracts, plan, payWith, block)),
  }
  return reader

  function pageOf(market: Market, list: TaskList, query: PageQuery): Promise<At<TaskPage>> {
    switch (list.of) {
      case 'open':
        return reader.listOpen(market, query)
      case 'recent':
        return reader.listRecent(market, query)
      case 'poster':
        return reader.listByPoster(market, list.wallet, query)
      case 'worker':
        return reader.listByWorker(market, list.wallet, query)
    }
  }
}
