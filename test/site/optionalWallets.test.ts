import { accounts } from '@svc/devnet'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SiteStack, serveSiteBuild } from '../harness/site.ts'
import { type OpenSite, openSite } from './openSite.ts'
import { createPerson, listWalletCalls } from './person.ts'

const paymasterUrl = 'https://paymaster.example/v1'

let site: OpenSite
let browser: Browser
/** As built by default. */
let plain: SiteStack
/** The same market with all that an operator can turn on. */
let optional: Awaited<ReturnType<typeof serveSiteBuild>>
beforeAll(async () => {
  site = await openSite()
  ;({ stack: plain, browser } = site)
  optional = await serveSiteBuild(plain.world, {
    SVC_SITE_BASE_ACCOUNT: '0',
    SVC_SITE_CARD_URL: 'https://cards.example/buy?to={address}&usdc={usdc}',
    SVC_SITE_FAUCET_URL: 'https://faucet.example/',
    SVC_SITE_WALLETCONNECT_PROJECT_ID: '0123456789abcdef0123456789abcdef',
    SVC_SITE_PAYMASTER_URL: paymasterUrl,
  })
})
afterAll(async () => {
  await optional?.stop()
  await site?.close()
})

const { emeka, newcomer } = accounts
const openWallets = (page: Page) =>
  page.getByRole('banner').getByRole('button', { name: 'Sign in', exact: true }).click()
const findWalletConnect = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Another wallet' })

test.each([
  ['a passkey and no other wallet, as built by default', () => plain.url, ['Continue with a passkey']],
  ['another wallet and no passkey, as this operator wants', () => optional.url, ['Another wallet']],
])('without a wallet in the browser, the choice is %s', async (_, readUrl, offered) => {
  const { page, open } = await createPerson(browser, { url: readUrl(), world: plain.world }, emeka.address, {
    kind: 'none',
  })
  await open('/tasks')
  await openWallets(page)
  const names = await page
    .getByRole('dialog')
    .getByRole('button', { name: /passkey|wallet/ })
    .locator('strong, span:not(:has(*))')
    .allInnerTexts()
  expect(names.filter((each) => !each.startsWith('Opens'))).toEqual(offered)
})

test('the ways to money are those that the operator named, with test money only on test chains', async () => {
  const { page, open, connect } = await createPerson(browser, { ...optional, world: plain.world }, newcomer.address)
  await open('/wallet')
  await connect()
  await page.getByRole('button', { name: 'Add money' }).click()
  const ways = page.getByRole('dialog', { name: 'Add money' }).getByRole('link')
  await ways.first().waitFor()
  expect(await ways.evaluateAll((all) => all.map((each) => each.getAttribute('href')))).toEqual([
    `https://cards.example/buy?to=${newcomer.address}&usdc=25`,
  ])
})

test('WalletConnect is contacted once it is chosen, through its own servers only, and can be cancelled', async () => {
  const { world } = plain
  const { page, context, faults, open } = await createPerson(browser, { ...optional, world }, emeka.address, {
    kind: 'none',
  })
  const contacted: string[] = []
  await context.routeWebSocket(/./, (socket) => {
    contacted.push(new URL(socket.url()).origin)
    // A relay that agrees to everything.
    socket.onMessage((message) => {
      const { id } = JSON.parse(String(message))
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: true }))
    })
  })
  await context.route(/^https:/, (route) => {
    contacted.push(new URL(route.request().url()).origin)
    return route.fulfill({ contentType: 'text/html', body: '' })
  })
  const loaded: string[] = []
  page.on('response', (response) => loaded.push(response.url()))

  await open('/tasks')
  await openWallets(page)
  await findWalletConnect(page).waitFor()
  await page.waitForLoadState('networkidle')
  expect(contacted).toEqual([])
  expect(faults).toEqual([])
  expect(loaded.filter((each) => /walletConnect|PairingCode/.test(each))).toEqual([])

  await findWalletConnect(page).click()
  await page.getByRole('img', { name: 'Code that connects your wallet' }).waitFor()
  const link = page.getByRole('link', { name: 'Open a wallet on this device' })
  await expect.poll(() => link.getAttribute('href')).toMatch(/^wc:[0-9a-f]{64}@2\?/)
  expect(new Set(contacted)).toEqual(new Set(['wss://relay.walletconnect.org', 'https://verify.walletconnect.org']))
  expect(faults.filter((fault) => !fault.startsWith('left the origin: https://verify.walletconnect.org/'))).toEqual([])

  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('You closed it before you were signed in').waitFor()
  await expect.poll(() => findWalletConnect(page).isEnabled()).toBe(true)
})

/** Tops up and returns what the wallet was asked to send, with what the receipt said about the network fee. */
async function topUp(url: string, amountUsdc: string, canSponsor: boolean) {
  const person = await createPerson(browser, { url, world: plain.world }, newcomer.address, {
    kind: 'eip5792',
    sponsors: canSponsor,
  })
  const { page } = person
  await person.open('/do/top-up')
  await person.connect()
  await person.fill({ amountUsdc })
  await person.review()
  // Only then has the wallet said what it supports.
  await page.getByText('asks you once').waitFor()
  const fee = await page.locator('.receipt p').filter({ hasText: 'Network fee' }).textContent()
  await person.sign()
  const sent = await listWalletCalls(page, 'wallet_sendCalls', 'eth_sendTransaction')
  expect(person.faults).toEqual([])
  await person.context.close()
  return { fee, sent }
}

test('a wallet that supports it is told which paymaster pays the network fee, and the receipt says so', async () => {
  const { fee, sent } = await topUp(optional.url, '25', true)
  expect(fee).toContain('Network fee: paid by this site.')
  expect(sent).toMatchObject([
    {
      method: 'wallet_sendCalls',
      params: [{ calls: [{}, {}], capabilities: { paymasterService: { url: paymasterUrl } } }],
    },
  ])
})

test.each([
  ['the operator has no paymaster', () => plain.url, true],
  ['the wallet does not support one', () => optional.url, false],
])('no paymaster is named if %s', async (_, readUrl, canSponsor) => {
  const { fee, sent } = await topUp(readUrl(), '26', canSponsor)
  expect(fee).toContain('Network fee: in ETH, shown by your wallet.')
  expect(sent.map(({ method }) => method)).toEqual(['wallet_sendCalls'])
  expect(sent[0]?.params[0]).not.toHaveProperty('capabilities')
})
