import { createIndexReader, schemaOf } from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import { ledgerJsonOf, taskDetailJsonOf, taskJsonOf } from '@svc/protocol/http'
import type { TaskRecord } from '@svc/protocol/records'
import { atHead, findTear } from '../process/whole.ts'
import { demandSame, type Final } from './verdict.ts'

/** Whether the index, and the API through it, says of everything what the chain says. */
export async function judgeIndex(final: Final): Promise<void> {
  const { chain, sql, tally } = final
  const schema = schemaOf('a')
  await atHead(sql, schema, chain.head(), 60_000)
  const tear = await findTear(sql, schema)
  if (tear) tally.fault(tear)
  for (const market of markets) await judgeMarket(final, market)
}

async function judgeMarket(final: Final, market: Market): Promise<void> {
  const { chain, sql, direct, wallets, call, crew, tally } = final
  const { hash, number, timestamp } = chain.head()
  const { taskRegistry } = chain.deployments.markets[market]
  const index = createIndexReader(sql, direct)
  // A replica may not have heard of the last block yet.
  const read = async (path: string) => {
    const urls = crew.apiUrls.map(
      (url) => `${url}${path}${path.includes('?') ? '&' : '?'}market=${market}&minBlock=${number}`,
    )
    const fromIndex = (got: { status: number; headers: Headers; body: { meta?: { block: { hash: string } } } }) =>
      got.status === 200 && got.headers.get('x-read-path') === 'index' && got.body.meta?.block.hash === hash
    return (await call.until('api', urls, {}, fromIndex)).body
  }
  const pages = { limit: 100 }
  const tasks: TaskRecord[] = []
  for (let before: bigint | undefined; ; ) {
    const page = await direct.listRecent(market, { ...pages, before })
    tasks.push(...page.tasks)
    if (page.next === null) break
    before = page.next
  }
  for (const { number: task } of tasks) {
    const { detail } = await direct.getTask(market, task)
    if (!detail) throw new Error(`Task ${task} went away.`)
    const { task: said } = await read(`/api/market/task?id=v2:${market}:${task}`)
    demandSame(final, `task of v2:${market}:${task}`, said, taskDetailJsonOf(detail, market, taskRegistry, timestamp))
    tally.count('states', detail.task.state)
  }
  const judgeList = async (path: string, truth: readonly TaskRecord[]) => {
    const listed = []
    for (let cursor = ''; ; ) {
      const page = await read(`${path}limit=100${cursor}`)
      listed.push(...page.tasks)
      if (!page.meta.nextCursor) break
      cursor = `&cursor=${page.meta.nextCursor}`
    }
    demandSame(
      final,
      `the list of ${market} ${path}`,
      listed,
      truth.map((task) => taskJsonOf(task, market, taskRegistry)),
    )
  }
  await judgeList('/api/market/recent?', tasks)
  await judgeList(
    '/api/market/open?',
    tasks.filter(({ state }) => state === 'POSTED'),
  )
  for (const { address } of wallets) {
    for (const side of ['poster', 'worker'] as const) {
      await judgeList(
        `/api/${side}/tasks?address=${address}&`,
        tasks.filter((task) => task[side] === address),
      )
    }
    const { buyer, worker } = await read(`/api/get-market-ledger?address=${address}`)
    demandSame(
      final,
      `the ledger of ${address}`,
      { buyer, worker },
      ledgerJsonOf((await direct.getLedger(market, address)).ledger),
    )
    demandSame(
      final,
      `the agent of ${address}`,
      (await index.getAgent(market, address)).agent,
      (await direct.getAgent(market, address)).agent,
    )
  }
  demandSame(
    final,
    `the union of ${market}`,
    (await index.getUnion(market)).union,
    (await direct.getUnion(market)).union,
  )
  demandSame(
    final,
    `the agents of ${market}`,
    (await index.listAgents(market, 100)).agents,
    (await direct.listAgents(market, 100)).agents,
  )
  demandSame(
    final,
    `the arbitrators of ${market}`,
    (await index.listArbitrators(market, 100)).arbitrators,
    (await direct.listArbitrators(market, 100)).arbitrators,
  )
}
