import type { Market } from '@svc/protocol'
import { computeLedger } from '@svc/protocol/internal/money'
import { getAddress, type Hex } from 'viem'
import type { MarketAddresses, MarketDeployment } from './market.ts'
import type { Provider, Providers } from './providers.ts'
import { readAtBlock } from './readAtBlock.ts'
import { getHead, readAtHead } from './readAtHead.ts'
import { type At, type BlockRef, listTasks, type MarketReader } from './reader.ts'
import { getAgent, listAgents, listArbitrators, readAgents } from './reads/agents.ts'
import { getEntries } from './reads/getEntries.ts'
import { getPlanQuote } from './reads/getPlanQuote.ts'
import { getTokPrice } from './reads/getTokPrice.ts'
import { getTrackRecord } from './reads/getTrackRecord.ts'
import { getUnion } from './reads/getUnion.ts'
import { listEvents } from './reads/listEvents.ts'
import { listInbox } from './reads/listInbox.ts'
import { listOpen, listRecent, readTasks } from './reads/listTasks.ts'
import { listByPoster, listByWorker, readWalletTasks } from './reads/listWalletTasks.ts'
import { readTaskDetail, readTaskSummary } from './reads/readTaskDetail.ts'
import { readTexts } from './reads/readTexts.ts'
import type { FindTimeline } from './reads/timeline.ts'

export interface ChainReaderOptions {
  /** Hash of the block that all reads use. Default: the newest block of each read. */
  at?: Hex
  /** Says where a task has events. Without it, the timeline of a task that is too old for the providers cannot be read. */
  findTimeline?: FindTimeline | undefined
}

/** Creates a reader that reads the markets directly from the chain, without a database. */
export function createChainReader(
  providers: Providers,
  { markets, startBlock }: MarketDeployment,
  { at, findTimeline }: ChainReaderOptions = {},
): MarketReader {
  const readHere = <T extends object>(read: (provider: Provider, block: BlockRef) => Promise<T>): Promise<At<T>> =>
    at === undefined ? readAtHead(providers, read) : readAtBlock(providers, at, read)

  const readMarket = <T extends object>(
    market: Market,
    read: (provider: Provider, contracts: MarketAddresses, block: BlockRef) => Promise<T>,
  ) => readHere((provider, block) => read(provider, markets[market], block))

  const reader: MarketReader = {
    head: () => (at === undefined ? providers.read(getHead) : readHere(async () => ({})).then(({ block }) => block)),
    async getTask(market, number) {
      const hint = (await findTimeline?.(market, number).catch(() => null)) ?? null
      return readMarket(market, (provider, contracts, block) =>
        readTaskDetail(provider, market, contracts, number, block, hint),
      )
    },
    getTaskSummary: (market, number) =>
      readMarket(market, (provider, contracts, block) => readTaskSummary(provider, market, contracts, number, block)),
    listOpen: (market, query) =>
      readMarket(market, (provider, contracts, block) => listOpen(provider, market, contracts, query, block)),
    listRecent: (market, query) =>
      readMarket(market, (provider, contracts, block) => listRecent(provider, market, contracts, query, block)),
    listByPoster: (market, poster, query) =>
      readMarket(market, (provider, contracts, block) =>
        listByPoster(provider, market, contracts, getAddress(poster), query, block, startBlock),
      ),
    listByWorker: (market, worker, query) =>
      readMarket(market, (provider, contracts, block) =>
        listByWorker(provider, market, contracts, getAddress(worker), query, block, startBlock),
      ),
    async listWithTexts(market, list, query) {
      const page = await listTasks(reader, market, list, query)
      const texts = await providers.read((provider) => readTexts(provider, markets[market], page.tasks))
      return { ...page, texts }
    },
    listInbox: (market, wallet, isCourt) =>
      readMarket(market, (provider, contracts, block) =>
        listInbox(provider, market, contracts, getAddress(wallet), isCourt, block, startBlock),
      ),
    getTexts: (market, numbers) =>
      readMarket(market, async (provider, contracts, block) => {
        const tasks = await readTasks(provider, contracts, numbers, block)
        return { texts: await readTexts(provider, contracts, tasks) }
      }),
    listEvents: (market, query) =>
      readMarket(market, (provider, contracts, block) => listEvents(provider, contracts, query, block, startBlock)),
    getLedger: (market, wallet) =>
      readMarket(market, async (provider, contracts, block) => {
        const tasks = await readWalletTasks(provider, contracts, getAddress(wallet), block, startBlock)
        return { ledger: computeLedger(getAddress(wallet), tasks) }
      }),
    getTrackRecord: (market, wallet) =>
      readMarket(market, (provider, contracts, block) =>
        getTrackRecord(provider, contracts, getAddress(wallet), block, startBlock),
      ),
    getEntries: (market) => readMarket(market, getEntries),
    getUnion: (market) => readMarket(market, getUnion),
    getAgent: (market, wallet) =>
      readMarket(market, (provider, contracts, block) => getAgent(provider, contracts, getAddress(wallet), block)),
    getAgents: (market, wallets) =>
      readMarket(market, async (provider, contracts, block) => ({
        agents: await readAgents(
          provider,
          contracts,
          wallets.map((wallet) => getAddress(wallet)),
          block,
        ),
      })),
    listAgents: (market, limit) =>
      readMarket(market, (provider, contracts, block) => listAgents(provider, contracts, limit, block, startBlock)),
    listArbitrators: (market, limit) =>
      readMarket(market, (provider, contracts, block) => listArbitrators(provider, contracts, limit, block)),
    getTokPrice: (market) => readMarket(market, getTokPrice),
    getPlanQuote: (market, plan, payWith) =>
      readMarket(market, (provider, contracts, block) => getPlanQuote(provider, contracts, plan, payWith, block)),
  }
  return reader
}
