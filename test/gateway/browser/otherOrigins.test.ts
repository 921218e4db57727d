import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { accounts, getChainTime, hashUtf8, sendCall } from '@svc/devnet'
import type { RequestJson } from '@svc/operations'
import { formatTaskId } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { parseUnits, zeroAddress } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWatchedContext } from '../../harness/browser.ts'
import { installWallet } from '../../harness/fakeWallet.ts'
import { postCountingTask, prepareClaim } from './claims.ts'
import { type BrowserFixture, openBrowserFixture } from './fixture.ts'

const markup = '<img src=x onerror="globalThis.owned=1"><script>globalThis.owned=1</script>'

let fixture: BrowserFixture
let request: RequestJson

beforeAll(async () => {
  fixture = await openBrowserFixture('people')
  const { gateway, scene } = fixture
  const job = await postCountingTask(scene, `${markup} & 'quotes' "double"\n\n${markup}`)
  request = await prepareClaim(gateway.url, scene, job, accounts.hana.address)
})

afterAll(() => fixture?.close())

/** Serves a page of an attacker, on another port of this machine. */
async function openForeign(html: string) {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(html))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}

const statusNow = async () => ((await (await fetch(request.statusUrl)).json()) as RequestJson).status

test('a rebound host name gets neither pages nor answers nor claims', async () => {
  const context = await fixture.browser.newContext()
  const page = await context.newPage()
  const { port } = new URL(fixture.gateway.url)
  const rebound = `http://rebound.example:${port}`
  const answer = await page.goto(`${rebound}/`)
  expect(answer?.status()).toBe(421)
  expect(await page.content()).not.toContain('Task Market')
  // The attacker's page was loaded from the same name and port before the name was rebound: for the browser it is one origin.
  await page.route('**/attack', (route) => route.fulfill({ contentType: 'text/html', body: 'attack' }))
  await page.goto(`${rebound}/attack`)
  const read = (path: string, method: string) =>
    page.evaluate(`fetch('${path}', { method: '${method}' }).then(({ status }) => status)`)
  expect(await read('/v1/market/open', 'GET')).toBe(421)
  expect(await read(`/v1/requests/${request.requestId}`, 'GET')).toBe(421)
  expect(await read(`/v1/requests/${request.requestId}/reject`, 'POST')).toBe(421)
  expect(await statusNow()).toBe('pending')
  await context.close()
})

test('a page of another origin can neither post nor read a request nor frame its approval', async () => {
  const { requestId, approvalUrl } = request
  const foreign = await openForeign(`<!doctype html><iframe src="${approvalUrl}"></iframe>`)
  const context = await fixture.browser.newContext()
  const page = await context.newPage()
  await page.goto(foreign.url)
  const path = `${fixture.gateway.url}/v1/requests/${requestId}`
  const tries = [
    `fetch('${path}/reject', { method: 'POST', mode: 'no-cors', body: '{}' })`,
    `fetch('${path}/reject', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })`,
    `fetch('${path}').then((response) => response.text())`,
  ]
  const [blind, asked, readable] = await Promise.all(
    tries.map((each) => page.evaluate(`${each}.then(() => 'went through', (error) => error.name)`)),
  )
  // The browser sends a request whose answer the page cannot read, and the gateway refuses it.
  expect([blind, asked]).toEqual(['went through', 'TypeError'])
  expect(readable).toBe('TypeError')
  const frame = page.frames().find((each) => each !== page.mainFrame())
  expect(await frame?.locator('#confirm').count()).toBe(0)
  expect(await statusNow()).toBe('pending')
  await context.close()
  foreign.close()
})

test('markup in a task, a query or a wallet’s name is text, and does nothing', async () => {
  const { context, faults } = await createWatchedContext(fixture.browser, fixture.gateway.url)
  await installWallet(context, {
    kind: 'eip6963',
    account: accounts.hana.address,
    rpcUrl: fixture.devnet.rpcUrl,
    name: '<img src=x onerror=owned=1>',
  })
  const page = await context.newPage()
  for (const path of [
    '/market.html',
    `/market.html?q=${encodeURIComponent(markup.slice(0, 90))}`,
    request.approvalUrl,
  ]) {
    await page.goto(path)
    await page.locator('h1').waitFor()
    expect(await page.evaluate('globalThis.owned')).toBeUndefined()
    expect(await page.locator('img[src="x"]').count()).toBe(0)
  }
  await page.getByText('<img src=x onerror=owned=1>').waitFor()
  await page.goto('/market.html')
  await expect.poll(() => page.locator('.task h2').first().textContent()).toBe(`${markup} & 'quotes' "double"`)
  await page.goto(`/market.html?market=${encodeURIComponent('<b>x')}`)
  expect(await page.locator('b').count()).toBe(0)
  expect(faults).toEqual([])
  await context.close()
})

test('an injected script does not run, and contacts no host', async () => {
  const { context } = await createWatchedContext(fixture.browser, fixture.gateway.url)
  const page = await context.newPage()
  const foreign = await openForeign('here')
  await page.goto('/market.html')
  await page.evaluate(`
    const script = document.createElement('script')
    script.textContent = 'globalThis.owned = 1'
    document.body.append(script)
    document.body.insertAdjacentHTML('beforeend', '<img src=y onerror="globalThis.owned = 2">')`)
  const reached = await page.evaluate(
    `fetch('${foreign.url}', { mode: 'no-cors' }).then(() => 'reached', () => 'refused')`,
  )
  expect(reached).toBe('refused')
  expect(await page.evaluate('globalThis.owned')).toBeUndefined()
  await context.close()
  foreign.close()
})

test('hidden, bidi and control characters are removed from shown text, with a mark in their place', async () => {
  const { scene, devnet, gateway } = fixture
  const text = 'Pay \u202e000,1\u202c TOK\u0007 to\u200b \u{e0041}me\u0000 قط\r\nsecond line'
  const terms = {
    poster: accounts.ada.address,
    amounts: [parseUnits('900', 18)],
    durations: [86_400n],
    reviewWindow: 259_200n,
    maxRevisions: 1,
    arbitrator: zeroAddress,
    store: zeroAddress,
    criteriaHash: hashUtf8(text),
    scope: 0,
    claimPolicy: 0,
    claimDeadline: BigInt((await getChainTime(devnet.client)) + 7 * 86_400),
    nonce: 7n,
  }
  const address = scene.contracts.taskRegistry
  await sendCall(devnet.client, accounts.ada, {
    address,
    abi: taskRegistryAbi,
    functionName: 'post',
    args: [terms, text, 0n],
  })
  const { context, faults } = await createWatchedContext(fixture.browser, gateway.url)
  const page = await context.newPage()
  await page.goto('/market.html')
  const title = await page.locator('.task h2').first().textContent()
  expect(title).toBe('Pay \ufffd000,1\ufffd TOK\ufffd to\ufffd \ufffdme\ufffd قط')
  const whole = await page.locator('.task').first().textContent()
  for (const hidden of ['\u202e', '\u202c', '\u0007', '\u0000', '\u200b', '\u{e0041}'])
    expect(whole).not.toContain(hidden)
  await expect
    .poll(() => page.locator('.task').first().getByRole('link').first().textContent())
    .toBe(formatTaskId({ market: 'standard', number: 2n }))
  expect(faults).toEqual([])
  await context.close()
})
