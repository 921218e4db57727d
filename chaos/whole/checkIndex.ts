import { createIndexReader, getSchemaName, listGenerations } from '@svc/index'
import { formatLedger, formatTask, formatTaskDetail } from '@svc/operations'
import { type Market, markets } from '@svc/protocol'
import type { TaskSnapshot } from '@svc/protocol/internal/records'
import { findInconsistency, waitForIndexHead } from '../shared/indexChecks.ts'
import { describeIndex, findServingBuild } from './describeIndex.ts'
import { expectSame, type FinalState } from './finalState.ts'

/** Checks that the index, and the API that reads it, agree with the chain about everything. */
export async function checkIndex(final: FinalState): Promise<void> {
  const { chain, sql, services, tally } = final
  const { indexer } = services
  const build = await findServingBuild(sql)
  const schema = getSchemaName(build)
  try {
    await waitForIndexHead(sql, schema, chain.head(), 60_000)
    const builds = await listGenerations(sql, indexer.build)
    if (builds.length > 1) throw new Error('The indexer filled a new build: the first one was wrong.')
  } catch (error) {
    tally.fail(`${(error as Error).message}\n    ${await describeIndex(sql, indexer)}`)
  }
  const inconsistency = await findInconsistency(sql, schema)
  if (inconsistency) tally.fail(inconsistency)
  for (const market of markets) await checkMarket(final, market)
}

async function checkMarket(final: FinalState, market: Market): Promise<void> {
  const { chain, sql, direct, wallets, http, services, tally } = final
  const { hash, number, timestamp } = chain.head()
  const { shared, markets: own } = chain.deployments
  const contracts = { ...shared, ...own[market] }
  const { taskRegistry } = contracts
  const index = createIndexReader(sql, direct)
  // A replica may not know the last block yet.
  const read = async (path: string) => {
    const urls = services.apiUrls.map(
      (url) => `${url}${path}${path.includes('?') ? '&' : '?'}market=${market}&minBlock=${number}`,
    )
    const fromIndex = (got: { status: number; headers: Headers; body: { meta?: { block: { hash: string } } } }) =>
      got.status === 200 && got.headers.get('x-read-path') === 'index' && got.body.meta?.block.hash === hash
    return (await http.requestUntil('api', urls, {}, fromIndex)).body
  }
  const tasks: TaskSnapshot[] = []
  for (let before: bigint | undefined; ; ) {
    const page = await direct.listRecent(market, { limit: 100, before })
    tasks.push(...page.tasks)
    if (page.next === null) break
    before = page.next
  }
  for (const { number: task } of tasks) {
    const { detail } = await direct.getTask(market, task)
    if (!detail) throw new Error(`Task ${task} went away.`)
    const { task: actual } = await read(`/api/market/task?id=v2:${market}:${task}`)
    expectSame(final, `task of v2:${market}:${task}`, actual, formatTaskDetail(detail, market, contracts, timestamp))
    tally.count('states', detail.task.state)
  }
  const checkList = async (path: string, expected: readonly TaskSnapshot[]) => {
    const listed = []
    for (let cursor = ''; ; ) {
      const page = await read(`${path}limit=100${cursor}`)
      listed.push(...page.tasks)
      if (!page.meta.nextCursor) break
      cursor = `&cursor=${page.meta.nextCursor}`
    }
    expectSame(
      final,
      `the list of ${market} ${path}`,
      listed,
      expected.map((task) => formatTask(task, market, taskRegistry, timestamp)),
    )
  }
  await checkList('/api/market/recent?', tasks)
  await checkList(
    '/api/market/open?',
    tasks.filter(({ claimableUntil }) => claimableUntil > 0),
  )
  for (const { address } of wallets) {
    for (const side of ['poster', 'worker'] as const) {
      await checkList(
        `/api/${side}/tasks?address=${address}&`,
        tasks.filter((task) => task[side] === address),
      )
    }
    const { buyer, worker } = await read(`/api/get-market-ledger?address=${address}`)
    expectSame(
      final,
      `the ledger of ${address}`,
      { buyer, worker },
      formatLedger((await direct.getLedger(market, address)).ledger),
    )
    expectSame(
      final,
      `the agent of ${address}`,
      (await index.getAgent(market, address)).agent,
      (await direct.getAgent(market, address)).agent,
    )
  }
  expectSame(
    final,
    `the union of ${market}`,
    (await index.getUnion(market)).union,
    (await direct.getUnion(market)).union,
  )
  expectSame(
    final,
    `the agents of ${market}`,
    (await index.listAgents(market, 100)).agents,
    (await direct.listAgents(market, 100)).agents,
  )
  expectSame(
    final,
    `the arbitrators of ${market}`,
    (await index.listArbitrators(market, 100)).arbitrators,
    (await direct.listArbitrators(market, 100)).arbitrators,
  )
}
