import {
  createProviders,
  createRpc,
  createViemChain,
  type MarketReader,
  type PageQuery,
  type TaskList,
} from '@svc/chain'
import { accounts, createScene, multicall3, sendPost } from '@svc/devnet'
import { createConnector, getSchemaName } from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import { taskScopeRegistryAbi } from '@svc/protocol/abis'
import { listTasksAsText } from '@svc/reads'
import { encodeFunctionData, keccak256, toHex, zeroAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { compareSample } from '../../apps/indexer/src/differential.ts'
import { build, startIndexedWorld } from '../harness/indexed.ts'
import { startForTests } from '../harness/startForTests.ts'

const world = startForTests(startIndexedWorld, 'stop')

describe.each(markets)('the index of the %s market', (market) => {
  test('returns the same as the chain reader', async () => {
    await same(market)
  })
})

test('a new task appears, and disappears when its block is reorganised away', async () => {
  const { devnet, indexed, reachedHead } = world
  const snapshot = await devnet.client.snapshot()
  const scene = createScene(devnet.client, devnet.deployments, 'micro')
  const job = await sendPost(scene, {
    poster: accounts.bruno,
    text: 'Now\n\nSoon gone.',
    amounts: [10n ** 18n],
    duration: 3600,
  })
  await reachedHead()
  expect((await indexed.getTask('micro', job.id)).detail?.task.state).toBe('POSTED')
  await same('micro')
  await devnet.client.revert({ id: snapshot })
  await devnet.client.mine({ blocks: 3 })
  await reachedHead()
  expect((await indexed.getTask('micro', job.id)).detail).toBeNull()
  await same('micro')
})

test('the comparison with contract storage finds no difference, and detects a changed row', async () => {
  const { devnet, database } = world
  const [provider] = createProviders(
    [createRpc({ name: 'anvil', url: devnet.rpcUrl })],
    createViemChain(8453, multicall3),
  ).all
  if (!provider) throw new Error('no provider')
  const connection = createConnector(database.url)(getSchemaName(build))
  const { chainId, shared, markets } = devnet.deployments
  const of = { market: 'standard', contracts: markets.standard, chainId, asset: shared.tokToken } as const
  const compare = () => compareSample(connection, of, provider, { size: 400 })
  const sound = await compare()
  expect(sound?.compared).toBeGreaterThan(20)
  expect(sound?.differences).toEqual([])
  const change = (from: string, to: string) => connection`
    update task set state = jsonb_set(state::jsonb, '{milestones,0,state}', ${to}::text::jsonb)
    where market = 0 and key = 1 and state::jsonb #>> '{milestones,0,state}' = ${from}`
  const [{ was } = { was: '' }] = await connection<{ was: string }[]>`
    select state::jsonb #>> '{milestones,0,state}' as was from task where market = 0 and key = 1`
  await change(was, '"SPLIT"')
  // The sample is random, so it is repeated until it contains that task.
  let found = await compare()
  for (let tries = 0; tries < 50 && !found?.differences.length; tries++) found = await compare()
  expect(found?.differences.map(({ key }) => key)).toEqual(['task:1'])
  await change('SPLIT', JSON.stringify(was))
  await connection.end()
})

test('a private task never shows a text, even if one is published for it', async () => {
  const { devnet, indexed, direct, reachedHead } = world
  const { client, deployments } = devnet
  const { taskRegistry, taskScopeRegistry } = deployments.markets.micro
  const { tasks } = await indexed.listRecent('micro', { limit: 100 })
  const secret = tasks.find(({ scope }) => scope === 'PRIVATE')?.number ?? 0n
  const snapshot = await client.snapshot()
  // The contracts never do this: only the registry can publish, and only for open tasks.
  await client.impersonateAccount({ address: taskRegistry })
  await client.setBalance({ address: taskRegistry, value: 10n ** 18n })
  const text = 'Secret\n\nWords.'
  const args = [secret, keccak256(toHex(text)), text] as const
  const data = encodeFunctionData({ abi: taskScopeRegistryAbi, functionName: 'publish', args })
  await client.sendTransactionSync({ account: taskRegistry, to: taskScopeRegistry, data })
  await reachedHead()
  for (const reader of [indexed, direct]) {
    expect((await reader.getTexts('micro', [secret])).texts.size).toBe(0)
    const { detail } = await reader.getTask('micro', secret)
    expect(detail?.timeline.map(({ name }) => name)).toContain('TaskTextPublished')
    expect(detail?.text).toBeNull()
  }
  await client.revert({ id: snapshot })
  await client.mine({ blocks: 3 })
  await reachedHead()
})

async function same(market: Market): Promise<void> {
  const { demoTasks, indexed, direct } = world
  const query = { limit: 100 }
  const { taskRegistry } = world.devnet.deployments.markets[market]
  const asText = (reader: MarketReader, list: TaskList, page: PageQuery) =>
    listTasksAsText(reader, market, list, page, taskRegistry)
  const wallets = Object.values(accounts).map(({ address }) => address)
  const reads: ((reader: MarketReader) => Promise<unknown>)[] = [
    (reader) => reader.head(),
    (reader) => reader.listOpen(market, query),
    (reader) => reader.listRecent(market, query),
    (reader) => reader.listRecent(market, { limit: 7, before: 12n }),
    (reader) => asText(reader, { of: 'open' }, query),
    (reader) => asText(reader, { of: 'recent' }, query),
    (reader) => asText(reader, { of: 'recent' }, { limit: 7, before: 12n }),
    (reader) => asText(reader, { of: 'recent' }, { limit: 25 }),
    (reader) => asText(reader, { of: 'recent' }, { limit: 7, before: 1n }),
    (reader) => reader.getEntries(market),
    (reader) => reader.listWithTexts(market, { of: 'open' }, query),
    (reader) => reader.listWithTexts(market, { of: 'recent' }, { limit: 7, before: 12n }),
    (reader) => reader.getUnion(market),
    (reader) => reader.listEvents(market, { limit: 100 }),
    (reader) => reader.listEvents(market, { limit: 7, after: { block: 60n, logIndex: 1 } }),
    (reader) => reader.listEvents(market, { limit: 7, after: { block: 10n ** 9n, logIndex: 0 } }),
    (reader) => reader.listAgents(market, 100),
    (reader) => reader.getAgents(market, [...wallets, zeroAddress]),
    (reader) => reader.listArbitrators(market, 100),
    ...wallets.flatMap((wallet) => [
      (reader: MarketReader) => reader.listByPoster(market, wallet, query),
      (reader: MarketReader) => reader.listByWorker(market, wallet, { limit: 3 }),
      (reader: MarketReader) => asText(reader, { of: 'poster', wallet }, query),
      (reader: MarketReader) => asText(reader, { of: 'worker', wallet }, { limit: 3 }),
      (reader: MarketReader) => reader.listWithTexts(market, { of: 'poster', wallet }, { limit: 5 }),
      (reader: MarketReader) => reader.getLedger(market, wallet),
      (reader: MarketReader) => reader.getAgent(market, wallet),
      (reader: MarketReader) => reader.listInbox(market, wallet, false),
      (reader: MarketReader) => reader.getTrackRecord(market, wallet),
    ]),
    ...demoTasks
      .filter((task) => task.market === market)
      .map(
        ({ taskId }) =>
          (reader: MarketReader) =>
            reader.getTask(market, taskId),
      ),
    (reader) => reader.getTask(market, 9_999n),
    (reader) => reader.listInbox(market, world.devnet.deployments.shared.finalCourt, true),
  ]
  for (const read of reads) expect(withoutValidity(await read(indexed))).toEqual(withoutValidity(await read(direct)))
}

/** Only the index looks at the task after a page, which can end the page's validity earlier. */
const withoutValidity = (answer: unknown) => ({ ...(answer as { validUntil?: unknown }), validUntil: undefined })
