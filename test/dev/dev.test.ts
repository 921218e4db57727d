import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadDeployments } from '@svc/chain'
import { accounts, createDevnetClient, createScene, sendPost } from '@svc/devnet'
import { formatTaskId } from '@svc/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWatchedContext, launchBrowser } from '../harness/browser.ts'
import { type DevProcess, type Stack, startDev } from '../harness/devStack.ts'
import { dropDatabase, postgresServer } from '../harness/postgres.ts'
import { findProcesses } from './findProcesses.ts'

/** Three runs in one folder, in the order of the tests: a new world, the same one again, and a fresh one over an existing server. */
let dir: string
let dev: DevProcess
let stack: Stack
let posted: string
const title = 'Name the clouds over Lisbon'

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'dev-test-'))
  // Root runs Postgres as another user, who needs access.
  await chmod(dir, 0o755)
  dev = startDev(dir, ['--no-watch'], null)
  stack = await dev.ready()
})
afterAll(async () => {
  await dev.interrupt()
  if (stack.databaseUrl.startsWith(postgresServer)) await dropDatabase(stack.databaseUrl)
  await rm(dir, { recursive: true, force: true })
})

test('prints how long it took and all URLs on one screen', () => {
  const output = dev.output()
  expect(output).toMatch(/Ready in [\d.]+ s/)
  for (const url of [stack.rpcUrl, stack.apiUrl, stack.gatewayUrl]) expect(output).toContain(url)
  expect(output.split('\n').length).toBeLessThan(44)
})

test('the site shows the tasks of the demo world, and one that is posted meanwhile', async () => {
  const browser = await launchBrowser()
  try {
    const { context, faults } = await createWatchedContext(browser, stack.apiUrl)
    const page = await context.newPage()
    await page.goto('/tasks')
    await page.locator('a[href*="/tasks/v2"]').first().waitFor()
    posted = await postTask(stack)
    await page.getByText(title).first().waitFor()
    expect(faults).toEqual([])
  } finally {
    await browser.close()
  }
})

test('the gateway shows the same task, and so does the API', async () => {
  const page = await fetch(`${stack.gatewayUrl}/market.html`)
  expect(await page.text()).toContain(title)
  expect(await openTasks(stack)).toMatchObject({ path: 'index', text: expect.stringContaining(posted) })
})

test('the chain keeps mining, so the index stays ready', async () => {
  const client = createDevnetClient(stack.rpcUrl)
  const { number } = await client.getBlock()
  const next = new Promise<bigint>((done, fail) => {
    const unwatch = client.watchBlockNumber({
      onBlockNumber: (found) => {
        if (found <= number) return
        unwatch()
        done(found)
      },
      onError: fail,
    })
  })
  expect(await next).toBeGreaterThan(number)
})

test('a second run in the same folder or on a taken port is refused, and changes nothing', async () => {
  const second = startDev(dir, [], null)
  expect(await second.ended).toBe(1)
  expect(second.output()).toContain(`already, as process ${dev.pid}`)

  const elsewhere = join(dir, 'elsewhere')
  const { port } = new URL(stack.apiUrl)
  const third = startDev(elsewhere, ['--api-port', port], null)
  expect(await third.ended).toBe(1)
  expect(third.output()).toContain(`Port ${port} is taken`)
  expect(third.output()).toContain('--api-port')
  await rm(elsewhere, { recursive: true })
  expect((await fetch(`${stack.apiUrl}/readyz`)).status).toBe(200)
})

test('Ctrl-C stops it with code 0 and leaves no process, no port and no stack.json', async () => {
  expect((await findProcesses(dir)).length).toBeGreaterThan(5)
  expect(await dev.interrupt()).toBe(0)
  expect(dev.output()).toContain('continues from here')
  expect(await findProcesses(dir)).toEqual([])
  for (const url of [stack.rpcUrl, stack.apiUrl, stack.gatewayUrl]) await expect(fetch(url)).rejects.toThrow()
  expect(existsSync(join(dir, 'stack.json'))).toBe(false)
})

test('the next run continues: the task is still there, in the index too, and more can be posted', async () => {
  dev = startDev(dir, ['--no-watch'], null)
  stack = await dev.ready()
  expect(dev.output()).toContain('Continuing from the last run')
  expect(await openTasks(stack)).toMatchObject({ path: 'index', text: expect.stringContaining(posted) })
  const next = await postTask(stack)
  await expect.poll(async () => (await openTasks(stack)).text).toContain(next)
})

test('after a killed run, --fresh ends its processes and drops its tasks; DATABASE_URL names the server', async () => {
  const left = await findProcesses(dir)
  expect(left.length).toBeGreaterThan(5)
  dev.kill('SIGKILL')
  await dev.ended
  dev = startDev(dir, ['--fresh'])
  stack = await dev.ready()
  const now = new Set((await findProcesses(dir)).map(({ pid }) => pid))
  expect(left.filter(({ pid }) => now.has(pid))).toEqual([])
  expect(stack.databaseUrl).toContain(`${postgresServer}/svc_dev_`)
  const { text } = await openTasks(stack)
  expect(text).toContain('v2:standard:')
  expect(text).not.toContain(posted)
})

test('a saved source file restarts its service, and the site is also served from its sources', async () => {
  const gateway = new URL('../../apps/gateway/src/main.ts', import.meta.url)
  const now = new Date()
  await utimes(gateway, now, now)
  await expect.poll(() => dev.output()).toContain('main.ts changed: restarting gateway.')
  // A start takes seconds alone; other tests may run at the same time.
  await expect.poll(() => dev.output(), { timeout: 120_000 }).toMatch(/restarting gateway\.\n.*the local gateway/)
  expect((await fetch(`${stack.gatewayUrl}/market.html`)).status).toBe(200)

  const [, hot = ''] = /(http:\S+) +from its sources/.exec(dev.output()) ?? []
  expect(await (await fetch(hot)).text()).toContain('/@vite/client')
  expect((await fetch(`${hot}/api/market/open?market=standard`)).status).toBe(200)
})

test('when a part dies, everything stops with code 1 and prints the end of its log', async () => {
  const index = (await findProcesses(dir)).find(({ command }) => command.includes('indexer'))
  process.kill(index?.pid ?? 0, 'SIGKILL')
  expect(await dev.ended).toBe(1)
  expect(dev.output()).toContain('The part "index" (the index in Postgres) ended: SIGKILL.')
  expect(dev.output()).toContain(`The end of ${join(dir, 'log', 'index.log')}`)
  expect(await findProcesses(dir)).toEqual([])
})

async function openTasks({ apiUrl }: Stack): Promise<{ path: string | null; text: string }> {
  const response = await fetch(`${apiUrl}/api/market/open?market=standard`)
  return { path: response.headers.get('x-read-path'), text: await response.text() }
}

async function postTask({ rpcUrl, deploymentsFile }: Stack): Promise<string> {
  const deployments = await loadDeployments(deploymentsFile)
  const scene = createScene(createDevnetClient(rpcUrl), deployments, 'standard')
  const offer = { poster: accounts.ada, text: `${title}\n\nAll of them.`, amounts: [10n ** 18n], duration: 86_400 }
  return formatTaskId({ market: 'standard', number: (await sendPost(scene, offer)).id })
}
