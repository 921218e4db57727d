import { accounts } from '@svc/devnet'
import { markets } from '@svc/protocol'
import { describe, expect, test } from 'vitest'
import { startServedWorld } from '../harness/served.ts'
import { startForTests } from '../harness/startForTests.ts'
import { getChecked } from './getChecked.ts'

const served = startForTests(startServedWorld, 'stop')

const get = (url: string, headers?: Record<string, string>) => getChecked(served.service, url, headers)

describe.each(markets)('in the %s market', (market) => {
  test('GET /api/market/open 200', async () => {
    const { status, body, headers } = await get(`/api/market/open?market=${market}`)
    expect(status).toBe(200)
    expect(body.tasks.length).toBeGreaterThan(0)
    for (const task of body.tasks) expect(task).toMatchObject({ state: 'POSTED', phase: 'OPEN_FOR_CLAIM', market })
    expect(body.meta).toMatchObject({ protocolVersion: 'v2', asset: 'TOK', market, source: 'chain-rpc', path: 'index' })
    expect(headers.get('x-read-path')).toBe('index')
    expect(headers.get('x-block-number')).toBe(String(body.meta.block.number))
  })

  test('every task can be shown, with the work that its hashes stand for', async () => {
    const kinds = new Set<string>()
    const { finalCourt } = served.world.devnet.deployments.shared
    for (const { taskId } of served.world.demoTasks.filter((task) => task.market === market)) {
      const { status, body } = await get(`/api/market/task?id=v2:${market}:${taskId}`)
      expect({ status, body }).toMatchObject({ status: 200 })
      const { bundles, timeline, dispute, terms } = body.task
      const inTimeline = timeline.flatMap(({ bundle }: { bundle: unknown }) => (bundle ? [bundle] : []))
      expect(bundles).toEqual(inTimeline)
      for (const { kind, store, author } of bundles) {
        kinds.add(kind)
        expect(store).toBe(terms.store)
        expect([body.task.poster, body.task.worker, dispute?.judge, finalCourt]).toContain(author)
      }
      expect(bundles).toEqual(expect.arrayContaining(dispute?.bundles ?? []))
    }
    expect([...kinds].sort()).toEqual(['delivery', 'evidence', 'revision', 'ruling'])
  })
})

test('pages of a list are the list', async () => {
  const { body: whole } = await get('/api/market/recent?market=micro')
  const ids: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body } = await get(`/api/market/recent?market=micro&limit=3${cursor && `&cursor=${cursor}`}`)
    ids.push(...body.tasks.map(({ id }: { id: string }) => id))
    cursor = body.meta.nextCursor
  }
  expect(ids).toEqual(whole.tasks.map(({ id }: { id: string }) => id))
})

test('an answer that has not changed is 304', async () => {
  const url = `/api/poster/tasks?address=${accounts.bruno.address.toLowerCase()}`
  const { headers } = await get(url)
  await served.world.devnet.client.mine({ blocks: 1 })
  await served.service.caughtUp()
  const again = await get(url, { 'if-none-match': headers.get('etag') ?? '' })
  expect(again.status).toBe(304)
  expect(Number(again.headers.get('x-block-number'))).toBe(Number(headers.get('x-block-number')) + 1)
})

test('S7: path=chain reads the chain itself, says so, and is cached apart from the index', async () => {
  for (const path of [
    '/api/union/overview?market=micro',
    '/api/market/recent?limit=5',
    `/api/poster/tasks?address=${accounts.bruno.address}`,
  ]) {
    const indexed = await get(path)
    const direct = await get(`${path}&path=chain`)
    expect(direct.headers.get('x-read-path')).toBe('chain')
    expect(direct.body).toEqual({ ...indexed.body, meta: { ...indexed.body.meta, path: 'chain' } })
    expect((await get(path)).body.meta.path).toBe('index')
  }
  expect(await get('/api/market/open?path=index')).toMatchObject({
    status: 400,
    body: { error: 'path must be chain.' },
  })
})

test('S6: only a task with a worker has a settlement digest; a claim needs the claimDigest of its step', async () => {
  const { body: recent } = await get('/api/market/recent?market=micro')
  for (const task of recent.tasks) expect('settlementDigest' in task, task.id).toBe('worker' in task)
  const { body: open } = await get('/api/market/open?market=micro')
  const { id } = open.tasks.find(({ claimPolicy }: { claimPolicy: string }) => claimPolicy === 'ANYONE')
  const { body: detail } = await get(`/api/market/task?id=${id}`)
  expect(detail.task.settlementDigest).toBeUndefined()
  const from = accounts.emeka.address
  const { body } = await get(`/api/actions/steps?id=${id}&address=${from}`)
  const step = body.steps.find(({ action }: { action: string }) => action === 'claim-task')
  const prepare = async (settlementDigest: string) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const input = { taskId: id, settlementDigest }
    const request = { ...init, body: JSON.stringify({ action: 'claim-task', input, from }) }
    return (await served.service.app.request('/api/actions/prepare', request)).json()
  }
  const wrong = { simulation: { status: 'refused' }, claimDigest: step.claimDigest }
  expect(await prepare(`0x${'1'.repeat(64)}`)).toMatchObject(wrong)
  expect(await prepare(step.claimDigest)).toMatchObject({ simulation: { status: 'succeeds' } })
})

test.each([
  ['/api/market/open?market=big', 400, 'INVALID_MARKET'],
  ['/api/market/open?limit=0', 400, 'INVALID_LIMIT'],
  ['/api/market/open?limit=101', 400, 'INVALID_LIMIT'],
  ['/api/market/open?limit=1&limit=2', 400, 'INVALID_REQUEST'],
  ['/api/market/task', 400, 'INVALID_TASK_ID'],
  ['/api/market/task?id=7', 400, 'INVALID_TASK_ID'],
  ['/api/market/task?id=v2:micro:1&market=standard', 400, 'INVALID_MARKET'],
  ['/api/market/task?id=v2:micro:99999', 404, 'TASK_NOT_FOUND'],
  ['/api/poster/tasks', 400, 'INVALID_ADDRESS'],
  ['/api/nothing', 404, 'NOT_FOUND'],
  ['/api/market/open?minBlock=99999999', 503, 'BLOCK_NOT_REACHED'],
  ['/api/market/open?q=birds', 400, 'INVALID_REQUEST'],
  ['/api/site-config?address=0x', 400, 'INVALID_REQUEST'],
  ['/api/wallet?minBlock=1', 400, 'INVALID_REQUEST'],
  ['/api/market/task?id=v2:micro:1&taskId=v2:micro:2', 400, 'INVALID_TASK_ID'],
])('GET %s %i', async (url, status, code) => {
  expect(await get(url)).toMatchObject({ status, body: { code, error: expect.any(String) } })
})
