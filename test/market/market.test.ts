import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveDeployments } from '@svc/chain'
import { accounts } from '@svc/devnet'
import { expect, test, vi } from 'vitest'
import { type AppProcess, startAppProcess } from '../../chaos/shared/appProcess.ts'
import { startDemoWorld } from '../harness/demoWorld.ts'
import { findFreePort } from '../harness/freePorts.ts'
import { createTestDatabase } from '../harness/postgres.ts'
import { startForTests } from '../harness/startForTests.ts'

/** A chain with the demo world, and what the operator of a small market has: a database, a folder and five settings. */
const place = startForTests(async () => {
  const [world, database, port] = [await startDemoWorld(), await createTestDatabase(), await findFreePort()]
  const folder = await mkdtemp(join(tmpdir(), 'market-'))
  await saveDeployments(join(folder, 'deployments.json'), world.devnet.deployments)
  const url = `http://127.0.0.1:${port}`
  let market: AppProcess | null = null
  return {
    url,
    data: join(folder, 'data'),
    mine: () => world.devnet.client.mine({ blocks: 1 }),
    start() {
      market = startAppProcess('market', {
        SVC_SITE_URL: url,
        SVC_DEPLOYMENTS: join(folder, 'deployments.json'),
        CHAIN_RPC_URL: world.devnet.rpcUrl,
        SVC_DATABASE_URL: database.url,
        SVC_DATA_DIR: join(folder, 'data'),
        SVC_SITE_PORT: String(port),
        // A variable of a part that is set wins.
        SVC_CLERK_POLL_MS: '500',
      })
      return market
    },
    async stop() {
      await market?.kill('SIGTERM')
      await Promise.all([world.devnet.stop(), database.drop(), rm(folder, { recursive: true, force: true })])
    },
  }
}, 'stop')

const get = async <T>(path: string) => {
  const response = await fetch(place.url + path)
  return { status: response.status, body: (await response.json()) as T }
}
const getReadiness = async () => (await get<{ ready: boolean; notReady: string[] }>('/readyz')).body
/** The parts that are not ready. An index without new blocks is not. */
const listNotReady = async () => {
  await place.mine()
  return (await getReadiness()).notReady
}
const listOpen = async () => (await get<{ tasks: object[]; meta: { path: string } }>('/api/market/open')).body
const readSigner = async () => (await get<{ address: string }>('/store/v1/store')).body.address

test('five settings open a market; a part that fails is started again while the others answer; a killed process is back with all it had', async () => {
  // Where the store's folder belongs is a file.
  await mkdir(place.data)
  await writeFile(join(place.data, 'work'), '')
  const market = place.start()
  await market.waitForLog('listening')
  await market.waitForLog('serving')
  await vi.waitFor(async () => expect(await listNotReady()).toEqual(['store', 'keeper', 'clerk']), {
    timeout: 60_000,
    interval: 500,
  })
  expect(await getReadiness()).toMatchObject({
    ready: true,
    parts: { store: { why: expect.stringContaining('it failed: EEXIST') }, keeper: { why: 'the wallet has no ether' } },
  })
  expect(await get('/store/v1/store')).toMatchObject({ status: 503, body: { code: 'BUSY' } })
  // An index that fell behind meanwhile leaves a read to the chain.
  const list = await vi.waitFor(
    async () => {
      await place.mine()
      const answer = await listOpen()
      expect(answer.meta.path).toBe('index')
      return answer
    },
    { timeout: 30_000, interval: 200 },
  )
  expect(list.tasks.length).toBeGreaterThan(5)
  const prepared = await fetch(`${place.url}/api/actions/prepare`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      action: 'top-up',
      input: { market: 'standard', amountUsdc: '25000000' },
      from: accounts.emeka.address,
    }),
  })
  expect(prepared.status).toBe(200)

  // The cause is gone: the store comes back by itself, and the clerk signs in there.
  await rm(join(place.data, 'work'))
  await vi.waitFor(async () => expect(await listNotReady()).toEqual(['keeper']), { timeout: 60_000, interval: 500 })
  const signer = await readSigner()
  const metrics = await (await fetch(`${place.url}/metrics`)).text()
  expect(Number(/svc_part_restarts_total\{part="store"\} (\d+)/.exec(metrics)?.[1])).toBeGreaterThan(0)
  for (const series of [
    'svc_build_info{',
    'svc_api_index_lag_seconds{',
    'svc_index_block{',
    'svc_store_bytes ',
    'svc_keeper_',
  ])
    expect(metrics.split(`\n${series}`).length).toBeGreaterThan(1)
  expect(metrics.match(/^svc_build_info/gm)).toHaveLength(1)

  // Only their owner can read the keys, and nobody can change them by mistake.
  const keys = join(place.data, 'keys')
  const modes = await Promise.all(
    [keys, ...(await readdir(keys)).map((name) => join(keys, name))].map((path) => stat(path)),
  )
  expect(modes.map(({ mode }) => mode & 0o777)).toEqual([0o700, 0o400, 0o400, 0o400, 0o400, 0o400])

  await market.kill('SIGKILL')
  const again = place.start()
  await again.waitForLog('listening')
  await vi.waitFor(async () => expect((await getReadiness()).ready).toBe(true), { timeout: 60_000, interval: 100 })
  expect((await listOpen()).tasks).toEqual(list.tasks)
  expect(await readSigner()).toBe(signer)
  await again.kill('SIGTERM')
  expect(again.exitStatus()).toEqual({ code: 0 })
}, 240_000)
