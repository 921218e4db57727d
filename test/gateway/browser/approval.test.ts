import { accounts, type Job, sendCall } from '@svc/devnet'
import type { RequestJson } from '@svc/operations'
import { base } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { buildAddChainParameter } from '@svc/protocol/internal/base'
import type { Page } from 'playwright-core'
import { erc20Abi, isAddressEqual, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { readAssets } from '../../../apps/gateway/src/assets.ts'
import { createWatchedContext } from '../../harness/browser.ts'
import { type FakeWallet, installWallet, type WalletKind } from '../../harness/fakeWallet.ts'
import { startTestGateway } from '../../harness/gateway.ts'
import { claimFirst, postCountingTask, prepareClaim } from './claims.ts'
import { type BrowserFixture, openBrowserFixture } from './fixture.ts'

// Has no stake, so that no Action Credit pays for a claim.
const worker = accounts.goran.address

let fixture: BrowserFixture
let { devnet, scene, gateway, browser } = {} as BrowserFixture

beforeAll(async () => {
  fixture = await openBrowserFixture('people')
  ;({ devnet, scene, gateway, browser } = fixture)
  // Without an allowance every claim takes two calls.
  const { tokToken, paymentGateway } = scene.contracts
  const none = { address: tokToken, abi: erc20Abi, functionName: 'approve', args: [paymentGateway, 0n] } as const
  await sendCall(devnet.client, accounts.goran, none)
})

afterAll(() => fixture?.close())

/** A task, its prepared claim, and the approval page in a browser with a wallet. */
async function open(wallet: Partial<FakeWallet> = {}, url = gateway.url) {
  const job = await postCountingTask(scene)
  const request = await prepareClaim(url, scene, job, worker)
  const { context, faults } = await createWatchedContext(browser, url)
  await installWallet(context, { kind: 'eip5792', account: worker, rpcUrl: devnet.rpcUrl, ...wallet })
  const page = await context.newPage()
  await page.goto(request.approvalUrl)
  return { job, request, context, page, faults, close: () => context.close() }
}

const reaches = (page: Page, status: RequestJson['status']) => page.locator(`[data-status="${status}"]`).waitFor()
const confirm = (page: Page) => page.locator('#confirm:enabled:not([aria-disabled="true"])').click()

/** How many requests the wallet got. The page's policy forbids Playwright's own way to wait. */
async function askedFor(page: Page, method: string): Promise<number> {
  const asked = (await page.evaluate('walletCalls')) as { method: string }[]
  return asked.filter((each) => each.method === method).length
}

async function readWorker({ id }: Job) {
  const address = scene.contracts.taskRegistry
  return (await devnet.client.readContract({ address, abi: taskRegistryAbi, functionName: 'taskOf', args: [id] }))
    .worker
}

async function readStatus({ statusUrl }: RequestJson, query = ''): Promise<RequestJson> {
  return (await (await fetch(`${statusUrl}${query}`)).json()) as RequestJson
}

test.each(['eip5792', 'eip6963', 'ethereum'] as const)(
  'a claim goes from 402 over a receipt and one confirmation in a wallet of kind %s to the chain',
  async (kind: WalletKind) => {
    const { job, request, page, faults, close } = await open({ kind })
    await confirm(page)
    await reaches(page, 'confirmed')
    expect(isAddressEqual(await readWorker(job), worker)).toBe(true)
    expect(request.calls).toHaveLength(2)
    const { transactionHashes } = await readStatus(request)
    expect(transactionHashes).not.toEqual([])
    for (const hash of transactionHashes) await page.getByText(hash).waitFor()
    const asked = (await page.evaluate('walletCalls')) as { method: string; params: unknown[] }[]
    const sent = asked.filter(({ method }) => /^(wallet_sendCalls|eth_sendTransaction)$/.test(method))
    const { version, from, chainId, atomicRequired, calls } = request
    if (kind === 'eip5792') {
      expect(sent.map(({ params }) => params)).toEqual([[{ version, from, chainId, atomicRequired, calls }]])
    } else {
      expect(sent.map(({ params }) => params)).toEqual(calls.map((call) => [{ from, ...call }]))
    }
    expect(faults).toEqual([])
    await close()
  },
)

describe('what is refused', () => {
  test('a rejection in the wallet rejects the request at the gateway, and nothing is sent', async () => {
    const { job, request, page, close } = await open({ rejectsAfter: 0 })
    await confirm(page)
    await reaches(page, 'rejected')
    expect(await readStatus(request)).toMatchObject({ status: 'rejected', settled: true, transactionHashes: [] })
    expect(isAddressEqual(await readWorker(job), zeroAddress)).toBe(true)
    expect(await page.locator('#signing').count()).toBe(0)
    await close()
  })

  test('a wallet that refuses to connect does not reject the request, which can be rejected on the page', async () => {
    const { request, page, close } = await open()
    await page.evaluate('walletFaults.eth_requestAccounts = { code: 4001, message: "not now" }')
    await confirm(page)
    await page.getByText('did not connect: not now').waitFor()
    expect((await readStatus(request)).status).toBe('pending')
    // The wallet never answers this request.
    await page.evaluate('walletFaults.eth_requestAccounts = null')
    await confirm(page)
    await page.locator('#reject').click()
    await reaches(page, 'rejected')
    await close()
  })

  test('a rejection on the page never reaches the wallet', async () => {
    const { request, page, close } = await open()
    await page.locator('#reject').click()
    await reaches(page, 'rejected')
    expect((await readStatus(request)).status).toBe('rejected')
    expect(await page.evaluate('walletCalls')).toEqual([])
    await close()
  })

  test('refusing the second confirmation keeps the first, and the page continues from there', async () => {
    const { request, page, close } = await open({ kind: 'eip6963', rejectsAfter: 1 })
    await confirm(page)
    await page.getByText('You stopped after 1 of 2.').waitFor()
    await expect.poll(async () => (await readStatus(request)).status).toBe('submitted')
    await page.evaluate('acceptAll()')
    await confirm(page)
    await reaches(page, 'confirmed')
    await close()
  })

  test('a revert is shown with its reason', async () => {
    const { job, request, page, close } = await open({ kind: 'eip6963' })
    await claimFirst(scene, job)
    await confirm(page)
    await reaches(page, 'reverted')
    expect((await readStatus(request)).statusCode).toBe(500)
    await expect
      .poll(() => page.locator('[data-live="outcome"]').textContent())
      .toMatch(/is CLAIMED, which does not allow this/)
    await close()
  })

  test('another account or chain is not asked to sign; after the switch it is', async () => {
    const other = await open({ account: accounts.farah.address })
    await confirm(other.page)
    await other.page.getByText(`Choose ${worker} there`).waitFor()
    await other.close()
    const { page, close } = await open({ chainId: '0x1', knowsOnlyItsChain: true })
    await confirm(page)
    await page.locator('#switch').click()
    await page.getByText(`On ${base.name} now.`).waitFor()
    expect(
      await page.evaluate('walletCalls.find(({ method }) => method === "wallet_addEthereumChain").params'),
    ).toEqual([buildAddChainParameter(base)])
    await confirm(page)
    await reaches(page, 'confirmed')
    await close()
  })
})

test('of several wallets only the chosen one is asked', async () => {
  const { context, page, close } = await open()
  await context.addInitScript(secondWallet)
  await page.reload()
  await page.getByLabel('Second wallet').check()
  await confirm(page)
  await page.getByText('Second wallet did not connect: not today').waitFor()
  expect(await page.evaluate('walletCalls')).toEqual([])
  await page.getByLabel('Fake wallet').check()
  await confirm(page)
  await reaches(page, 'confirmed')
  await close()
})

/** Announces itself and refuses everything. */
const secondWallet = `
  const provider = { request: async () => { throw Object.assign(new Error('not today'), { code: 4001 }) } }
  const detail = { info: { uuid: 'second', name: 'Second wallet' }, provider }
  const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  addEventListener('eip6963:requestProvider', announce)`

test('the page says which program asks, as it calls itself, and a name that hides something is refused', async () => {
  const ask = (asker: string) => {
    const body = { action: 'top-up', input: { market: scene.market, amountUsdc: '1000000' }, from: worker, asker }
    const headers = { 'content-type': 'application/json' }
    return fetch(`${gateway.url}/v1/requests`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const { approvalUrl } = z.object({ approvalUrl: z.string() }).parse(await (await ask('Claude <b>Code</b>')).json())
  const page = await (await fetch(approvalUrl)).text()
  expect(page).toContain('<bdi>Claude &lt;b&gt;Code&lt;/b&gt;</bdi>, a program on this computer, asks')
  expect((await ask('Claude \u202eedoC')).status).toBe(400)
})

test('without a wallet the page says so, and still shows what would be signed', async () => {
  const request = await prepareClaim(gateway.url, scene, await postCountingTask(scene), worker)
  const { context, faults } = await createWatchedContext(browser, gateway.url)
  const page = await context.newPage()
  await page.goto(request.approvalUrl)
  await page.getByText('No wallet in this browser.').waitFor()
  await expect.poll(() => page.locator('#confirm').isDisabled()).toBe(true)
  // Title and pay of the task, whose it is, who asks, and what leaves the wallet.
  expect((await page.locator('main').allInnerTexts()).join()).toMatch(
    /A program on this computer asks.*Count the swifts over the old town\s+Poster 0x.*\$3\.00\s+1,200 TOK\s+Leaves your wallet now\s+\$5\.00\s.*Comes back\s+\$2\.50\s.*You get\s+\$3\.00/s,
  )
  await page.getByText('What exactly you sign').click()
  for (const { label, to } of request.decoded) {
    await page.getByText(label).first().waitFor()
    await page.getByText(to).first().waitFor()
  }
  await page.getByRole('row', { name: 'Exit deposits of the task +1,000 TOK' }).waitFor()
  expect(faults).toEqual([])
  await context.close()
})

test('closing the tab after signing changes nothing: the chain settles the request', async () => {
  const { job, request, context, page, close } = await open()
  // Nothing reports the hash: the gateway must find it by itself.
  await context.route('**/submitted', (route) => route.abort())
  await confirm(page)
  // The wallet sends one call after another. If the tab closed in between, the claim would never be sent.
  await expect.poll(() => readWorker(job)).not.toBe(zeroAddress)
  await close()
  await expect.poll(async () => (await readStatus(request, '?wait=25')).status).toBe('confirmed')
  expect(isAddressEqual(await readWorker(job), worker)).toBe(true)
})

test('a gateway that is killed and restarted finds what was signed meanwhile, and the page recovers by itself', async () => {
  const { request, page, close } = await open({ kind: 'eip6963' })
  await page.locator('#confirm:enabled').waitFor()
  await gateway.kill()
  await page.getByText('The gateway does not answer.').waitFor()
  await confirm(page)
  await expect.poll(() => askedFor(page, 'eth_sendTransaction')).toBe(2)
  await gateway.start()
  await reaches(page, 'confirmed')
  await page.locator('#stale').waitFor({ state: 'hidden' })
  expect((await readStatus(request)).status).toBe('confirmed')
  await close()
})

test('a request that nobody signs expires on the open page', async () => {
  let ahead = 0
  const clocked = await startTestGateway(devnet, {
    assets: await readAssets(new URL('../../../apps/gateway/pages/', import.meta.url)),
    now: () => Date.now() + ahead,
  })
  const { page, request, close } = await open({}, clocked.url)
  await page.locator('#confirm:enabled').waitFor()
  ahead = 16 * 60_000
  await reaches(page, 'expired')
  expect(await page.locator('#signing').count()).toBe(0)
  expect((await readStatus(request)).status).toBe('expired')
  await close()
  await clocked.stop()
})

test('a claim is signed with the keyboard alone, and the outcome is where the focus goes', async () => {
  const { page, close } = await open({ kind: 'eip6963' })
  await page.locator('#confirm:enabled').waitFor()
  const focused = () => page.evaluate('document.activeElement.id') as Promise<string>
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.className')).toBe('skip')
  await page.keyboard.press('Enter')
  for (let presses = 0; presses < 40 && (await focused()) !== 'confirm'; presses++) await page.keyboard.press('Tab')
  expect(await focused()).toBe('confirm')
  const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
  expect(outline).toBe('solid')
  await page.keyboard.press('Enter')
  await reaches(page, 'confirmed')
  await expect.poll(focused).toBe('outcome')
  await close()
})
