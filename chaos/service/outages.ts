import type { Fixture } from '../shared/fixture.ts'
import { type ClientAnswer, fetchClientAnswer, type Replica, startReplica, waitUntil } from '../shared/replica.ts'
import type { ScenarioResult } from '../shared/suite.ts'
import { createSwitchableProxy } from '../shared/switchableProxy.ts'

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

const askAll = ({ url }: Replica) => Promise.all(reads.map((path) => fetchClientAnswer(url + path)))
const isFrom = (path: string) => (seen: readonly ClientAnswer[]) =>
  seen.every((each) => each.status === 200 && each.path === path)

/** The index dies: reads continue from the chain, say so, and return to the index when it is back. */
export async function killIndex(fixture: Fixture): Promise<ScenarioResult> {
  const indexer = await fixture.startIndexer()
  const replica = await startReplica(fixture)
  await waitUntil('reads come from the index', maxBackMs, async () => isFrom('index')(await askAll(replica)))
  await indexer.kill('SIGKILL')
  fixture.chain.simulation.mine(100)
  const head = fixture.chain.simulation.chain.head().number
  const failed: number[] = []
  const away = await waitUntil('reads come from the chain', maxBackMs, async () => {
    const seen = await askAll(replica)
    failed.push(...seen.map(({ status }) => status).filter((status) => status !== 200))
    return isFrom('chain')(seen) && seen.every(({ body }) => body.meta.block.number >= head)
  })
  const { body } = await fetchClientAnswer(`${replica.url}/readyz`)
  await fixture.startIndexer()
  const back = await waitUntil('reads come from the index', maxBackMs, async () =>
    isFrom('index')(await askAll(replica)),
  )
  const isReported = body.ready === true && body.behind.join() === 'index'
  return {
    what: 'index killed: reads continue from the chain and say so',
    figures: `from the chain after ${away} ms, from the index ${back} ms after it caught up`,
    fault: failed.length > 0 ? `Answered ${failed}` : isReported ? null : `readyz returned ${JSON.stringify(body)}`,
  }
}

/** The connection to the database is cut and restored. */
export async function cutDatabase(fixture: Fixture): Promise<ScenarioResult> {
  const proxy = await createSwitchableProxy(fixture.url)
  await proxy.open()
  const result = await loseDatabase(fixture, {
    what: 'cut off',
    url: proxy.url,
    lose: proxy.close,
    restore: proxy.open,
  })
  await proxy.close()
  return result
}

/** The database is killed and restarted. Nothing it had written may be lost. */
export async function killDatabase(fixture: Fixture): Promise<ScenarioResult> {
  const countEvents = async () => {
    const [row] = await fixture.sql<{ events: string }[]>`select count(*) as events from market.event`
    return Number(row?.events)
  }
  const before = await countEvents()
  const { kill, start } = fixture.cluster
  const result = await loseDatabase(fixture, { what: 'killed', url: fixture.url, lose: kill, restore: start })
  const after = await countEvents()
  return { ...result, fault: result.fault ?? (after < before ? `Only ${after} of ${before} events are left.` : null) }
}

interface Loss {
  what: string
  url: string
  lose: () => Promise<void>
  restore: () => Promise<void>
}

/** Without the database, reads come from the chain, and what needs it answers 503 with Retry-After. All recovers soon after. */
async function loseDatabase(fixture: Fixture, { what, url, lose, restore }: Loss): Promise<ScenarioResult> {
  const replica = await startReplica(fixture, 0, { SVC_DATABASE_URL: url })
  const isHealthy = async () =>
    isFrom('index')(await askAll(replica)) && (await fetchClientAnswer(replica.url + quota)).status === 200
  await waitUntil('all reads come from the index and the quota answers', maxBackMs, isHealthy)
  await lose()
  const bad: string[] = []
  const away = await waitUntil('reads come from the chain', maxBackMs, async () => {
    const seen = await askAll(replica)
    bad.push(...seen.filter(({ status }) => status !== 200).map(({ status }) => `read ${status}`))
    return isFrom('chain')(seen)
  })
  const times: number[] = []
  for (let round = 0; round < 20; round++) {
    const began = Date.now()
    const [refused, ...seen] = await Promise.all([
      fetchClientAnswer(replica.url + quota),
      fetchClientAnswer(`${replica.url}/api/market/open`),
    ])
    times.push(Date.now() - began)
    if (refused?.status !== 503 || !refused.retryAfter) bad.push(`quota ${refused?.status} ${refused?.retryAfter}`)
    if (!isFrom('chain')(seen)) bad.push(`read ${seen[0]?.status} ${seen[0]?.path}`)
  }
  const { body } = await fetchClientAnswer(`${replica.url}/readyz`)
  if (!body.ready || !body.behind.includes('database')) bad.push(`readyz ${JSON.stringify(body)}`)
  await restore()
  const back = await waitUntil('all reads come from the index and the quota answers again', maxBackMs, isHealthy)
  return {
    what: `database ${what}: reads from the chain, quota 503 with Retry-After, recovered within 5 s`,
    figures: `from the chain after ${away} ms, slowest answer meanwhile ${Math.max(...times)} ms, recovered after ${back} ms`,
    fault: bad.length > 0 ? bad.join(', ') : null,
  }
}

/** Without the chain, the last good block is served and marked as stale. */
export async function cutChain(fixture: Fixture): Promise<ScenarioResult> {
  const proxies = await Promise.all(fixture.chain.urls.split(',').map(createSwitchableProxy))
  await Promise.all(proxies.map(({ open }) => open()))
  const CHAIN_RPC_URL = proxies.map(({ url }) => url).join(',')
  await fixture.startIndexer({ CHAIN_RPC_URL })
  const replica = await startReplica(fixture, 0, { CHAIN_RPC_URL })
  await waitUntil('reads come from the index', maxBackMs, async () => isFrom('index')(await askAll(replica)))
  await Promise.all(proxies.map(({ close }) => close()))
  const failed: string[] = []
  const isStale = ({ status, body, warning }: ClientAnswer) =>
    status === 200 && body.meta.stale === true && warning?.startsWith('110') === true
  const marked = await waitUntil('every read is marked stale', 15_000, async () => {
    const seen = await askAll(replica)
    for (const [index, { status }] of seen.entries()) if (status !== 200) failed.push(`${reads[index]} ${status}`)
    return seen.every(isStale)
  })
  const [first, later] = [await askAll(replica), await askAll(replica)]
  const same = first.every(({ body }, index) => body.meta.block.hash === later[index]?.body.meta.block.hash)
  const { body } = await fetchClientAnswer(`${replica.url}/readyz`)
  if (!body.ready || !body.behind.includes('chain')) failed.push(`readyz ${JSON.stringify(body)}`)
  await Promise.all(proxies.map(({ open }) => open()))
  const back = await waitUntil('nothing is stale', maxBackMs, async () => !(await askAll(replica)).some(isStale))
  await Promise.all(proxies.map(({ close }) => close()))
  return {
    what: 'chain unreachable: the last good block is served, marked stale',
    figures: `marked after ${marked} ms, fresh again after ${back} ms`,
    fault:
      failed.length > 0
        ? failed.slice(0, 10).join(', ')
        : same
          ? null
          : 'The block changed although the chain was unreachable.',
  }
}
