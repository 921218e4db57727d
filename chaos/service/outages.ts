import { createGate } from '../process/gate.ts'
import { both, type Indexer, startIndexer } from '../process/indexer.ts'
import type { Finding, Stage } from '../process/stage.ts'
import { ask, type Replica, type Seen, settled, startReplica } from './replica.ts'

const wallet = '0x00000000000000000000000000000000000000aA'
const reads = [
  '/api/market/open',
  '/api/market/recent?market=micro&limit=5',
  '/api/market/task?id=v2:standard:1',
  `/api/poster/tasks?address=${wallet}`,
  `/api/get-market-ledger?address=${wallet}`,
  '/api/union/overview',
  '/api/market/events?limit=5',
]
const quota = `/api/posting/quota?address=${wallet}`
const maxBackMs = 5_000

const askAll = ({ url }: Replica) => Promise.all(reads.map((path) => ask(url + path)))
const isFrom = (path: string) => (seen: readonly Seen[]) =>
  seen.every((each) => each.status === 200 && each.path === path)

/** The index dies: reads go on from the chain, say so, and come back to the index with it. */
export async function killIndex(stage: Stage): Promise<Finding> {
  let indexer: Indexer = startIndexer(stage.env('a'))
  await indexer.until('caught up', both('caught up'))
  const replica = await startReplica(stage)
  await settled('reads come from the index', maxBackMs, async () => isFrom('index')(await askAll(replica)))
  indexer.kill('SIGKILL')
  await indexer.gone
  stage.chain.simulation.mine(100)
  const head = stage.chain.simulation.chain.head().number
  const failed: number[] = []
  const away = await settled('reads come from the chain', maxBackMs, async () => {
    const seen = await askAll(replica)
    failed.push(...seen.map(({ status }) => status).filter((status) => status !== 200))
    return isFrom('direct')(seen) && seen.every(({ body }) => body.meta.block.number >= head)
  })
  const { body } = await ask(`${replica.url}/readyz`)
  indexer = startIndexer(stage.env('a'))
  await indexer.until('caught up', both('caught up'))
  const back = await settled('reads come from the index', maxBackMs, async () => isFrom('index')(await askAll(replica)))
  const isSaid = body.ready === true && body.behind.join() === 'index'
  return {
    what: 'index killed: reads go on from the chain and say so',
    figures: `from the chain after ${away} ms, from the index ${back} ms after it caught up`,
    fault: failed.length > 0 ? `Answered ${failed}` : isSaid ? null : `readyz said ${JSON.stringify(body)}`,
  }
}

/** The way to a database is closed and opened again. */
export async function cutDatabase(stage: Stage): Promise<Finding> {
  const gate = await createGate(stage.url)
  await gate.open()
  const finding = await loseDatabase(stage, { what: 'cut off', url: gate.url, lose: gate.close, restore: gate.open })
  await gate.close()
  return finding
}

/** The database itself is killed, as in a crash, and started again: also what it had written is all there. */
export async function killDatabase(stage: Stage): Promise<Finding> {
  const countEvents = async () => {
    const [row] = await stage.sql<{ events: string }[]>`select count(*) as events from market.event`
    return Number(row?.events)
  }
  const before = await countEvents()
  const { kill, start } = stage.cluster
  const finding = await loseDatabase(stage, { what: 'killed', url: stage.url, lose: kill, restore: start })
  const after = await countEvents()
  return { ...finding, fault: finding.fault ?? (after < before ? `Of ${before} events ${after} are left.` : null) }
}

interface Loss {
  what: string
  url: string
  lose: () => Promise<void>
  restore: () => Promise<void>
}

/** The database is gone: reads go on from the chain, what needs it says when to come again, and all is well soon after. */
async function loseDatabase(stage: Stage, { what, url, lose, restore }: Loss): Promise<Finding> {
  const replica = await startReplica(stage, 0, { SVC_DATABASE_URL: url })
  const allWell = async () => isFrom('index')(await askAll(replica)) && (await ask(replica.url + quota)).status === 200
  await settled('all is well', maxBackMs, allWell)
  await lose()
  const bad: string[] = []
  const away = await settled('reads come from the chain', maxBackMs, async () => {
    const seen = await askAll(replica)
    bad.push(...seen.filter(({ status }) => status !== 200).map(({ status }) => `read ${status}`))
    return isFrom('direct')(seen)
  })
  const times: number[] = []
  for (let round = 0; round < 20; round++) {
    const began = Date.now()
    const [refused, ...seen] = await Promise.all([ask(replica.url + quota), ask(`${replica.url}/api/market/open`)])
    times.push(Date.now() - began)
    if (refused?.status !== 503 || !refused.retryAfter) bad.push(`quota ${refused?.status} ${refused?.retryAfter}`)
    if (!isFrom('direct')(seen)) bad.push(`read ${seen[0]?.status} ${seen[0]?.path}`)
  }
  const { body } = await ask(`${replica.url}/readyz`)
  if (!body.ready || !body.behind.includes('database')) bad.push(`readyz ${JSON.stringify(body)}`)
  await restore()
  const back = await settled('all is well again', maxBackMs, allWell)
  return {
    what: `database ${what}: reads from the chain, quota 503 with Retry-After, well again in under 5 s`,
    figures: `from the chain after ${away} ms, slowest answer meanwhile ${Math.max(...times)} ms, well again after ${back} ms`,
    fault: bad.length > 0 ? bad.join(', ') : null,
  }
}

/** The chain cannot be reached: the last good block is served, marked stale. */
export async function loseChain(stage: Stage): Promise<Finding> {
  const gates = await Promise.all(stage.chain.urls.split(',').map(createGate))
  await Promise.all(gates.map(({ open }) => open()))
  const CHAIN_RPC_URL = gates.map(({ url }) => url).join(',')
  const indexer = startIndexer(stage.env('a', { CHAIN_RPC_URL }))
  await indexer.until('caught up', both('caught up'))
  const replica = await startReplica(stage, 0, { CHAIN_RPC_URL })
  await settled('reads come from the index', maxBackMs, async () => isFrom('index')(await askAll(replica)))
  await Promise.all(gates.map(({ close }) => close()))
  const failed: string[] = []
  const isStale = ({ status, body, warning }: Seen) =>
    status === 200 && body.meta.stale === true && warning?.startsWith('110') === true
  const marked = await settled('every read is marked stale', 15_000, async () => {
    const seen = await askAll(replica)
    for (const [index, { status }] of seen.entries()) if (status !== 200) failed.push(`${reads[index]} ${status}`)
    return seen.every(isStale)
  })
  const [first, later] = [await askAll(replica), await askAll(replica)]
  const same = first.every(({ body }, index) => body.meta.block.hash === later[index]?.body.meta.block.hash)
  const { body } = await ask(`${replica.url}/readyz`)
  if (!body.ready || !body.behind.includes('chain')) failed.push(`readyz ${JSON.stringify(body)}`)
  await Promise.all(gates.map(({ open }) => open()))
  const back = await settled('nothing is stale', maxBackMs, async () => !(await askAll(replica)).some(isStale))
  await Promise.all(gates.map(({ close }) => close()))
  return {
    what: 'chain gone: the last good block is served, marked stale',
    figures: `marked after ${marked} ms, fresh again after ${back} ms`,
    fault: failed.length > 0 ? failed.slice(0, 10).join(', ') : same ? null : 'The block moved without a chain.',
  }
}
