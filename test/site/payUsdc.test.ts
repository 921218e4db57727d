// With a pool, USDC is enough: to claim, and to take the pay out.
import {
  accounts,
  advanceTimeTo,
  createScene,
  deployPool,
  refreshPrice,
  type Scene,
  sendActivation,
  sendDelivery,
  sendPost,
  sendRelease,
  sendTokens,
  setUpMarkets,
  startDevnet,
  worldSpan,
} from '@svc/devnet'
import type { Page } from 'playwright-core'
import { type Address, erc20Abi, parseEther, parseUnits } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { startFakeBaseAccount } from '../harness/fakeBaseAccount.ts'
import { startFakeWalletConnect } from '../harness/fakeWalletConnect.ts'
import { serveSiteBuild } from '../harness/site.ts'
import { startForTests } from '../harness/startForTests.ts'
import { openSite } from './openSite.ts'
import { createPerson, findSign, startCounting } from './person.ts'

const usd = (amount: number) => parseUnits(String(amount), 6)
const tok = (amount: number) => parseUnits(String(amount), 18)
const day = 86_400

const site = startForTests(() => openSite({ start: startWithPool, onStalled: () => {} }), 'close')

async function startWithPool() {
  const now = Math.floor(Date.now() / 1_000)
  const devnet = await startDevnet({ genesisTime: now - worldSpan })
  const { client } = devnet
  await setUpMarkets(client, devnet.deployments)
  const deployments = { ...devnet.deployments, swapPool: await deployPool(client, devnet.deployments) }
  await advanceTimeTo(client, now)
  await refreshPrice(client, accounts.keeper)
  return { devnet: { ...devnet, deployments }, tasks: [], bundles: [] }
}

const openScene = (): Scene => {
  const { client, deployments } = site.stack.world.devnet
  return createScene(client, deployments, 'standard')
}
const post = (title: string) =>
  sendPost(openScene(), {
    poster: accounts.bruno,
    text: `${title}\n\nWell.`,
    amounts: [tok(40_000)],
    duration: 2 * day,
  })

/** A wallet that has never been here, with these dollars and a little ETH. */
async function createWallet(dollars: number): Promise<PrivateKeyAccount> {
  const { client, deployments } = site.stack.world.devnet
  const account = privateKeyToAccount(generatePrivateKey())
  const { address } = account
  await client.setBalance({ address, value: parseEther('1') })
  await client.impersonateAccount({ address })
  await sendTokens(client, deployments, address, { tok: 0n, usdc: usd(dollars) })
  return account
}

const readUsdc = (address: Address) => {
  const { client, deployments } = site.stack.world.devnet
  const { usdc } = deployments.shared
  return client.readContract({ address: usdc, abi: erc20Abi, functionName: 'balanceOf', args: [address] })
}

/** Goes from the first page to a task. */
async function chooseTask(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('main').getByRole('link', { name: 'Find work' }).first().click()
  await page.getByRole('link', { name }).first().click()
}

test('from the first page to a claim with 60 USDC and nothing else, in at most 5 clicks; then the pay becomes USDC', async () => {
  const job = await post('Count the bees')
  await site.stack.service.caughtUp()
  const wallet = await createWallet(60)
  const person = await createPerson(site.browser, site.stack, wallet.address, { kind: 'eip5792' })
  await person.context.addInitScript(() => localStorage.setItem('wagmi.example.fake.disconnected', 'true'))
  const { page } = person
  await person.open('/')
  const count = await startCounting(page)
  await chooseTask(page, /Count the bees/)
  await page.getByRole('main').getByRole('button', { name: 'Claim this task' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Fake wallet' }).click()
  // The receipt opens by itself: this is what the visitor wanted.
  const receipt = page.getByRole('region', { name: 'What you sign' })
  await expect
    .poll(async () => (await receipt.locator('.receipt-lines').allInnerTexts()).join())
    .toMatch(
      /^Leaves your wallet now\s+\$30\.\d\d\s+30\.\d\d USDC, and nothing else\. You have 60\.00 USDC\.\s+Comes back\s+\$27\.50\s[^$]*You get\s+\$100\s/,
    )
  expect((await receipt.allInnerTexts()).join()).toMatch(/you never pay more than 30\.\d\d USDC\./)
  expect(await receipt.getByRole('button', { name: 'Pay with USDC' }).getAttribute('aria-pressed')).toBe('true')
  await receipt.getByRole('button', { name: /^Claim · 30\.\d\d USDC now$/ }).click()
  await page.getByRole('heading', { name: 'It’s yours' }).waitFor()
  const { clicks, prompts } = await count()
  const spent = usd(60) - (await readUsdc(wallet.address))
  console.log(`from the first page to a claim with USDC: ${clicks} clicks, ${prompts} prompts, ${spent} USDC units`)
  expect(clicks).toBeLessThanOrEqual(5)
  expect(Number(spent)).toBeLessThan(30_100_000)

  const paid = { ...job, worker: wallet }
  await sendActivation(openScene(), paid)
  await sendDelivery(openScene(), paid, 'forty bees')
  await sendRelease(openScene(), paid)
  await person.open(`/tasks/v2:standard:${job.id}`)
  await person.connect()
  const before = await readUsdc(wallet.address)
  await page.getByRole('button', { name: 'Turn into USDC' }).click()
  await findSign(page).waitFor()
  await page.getByRole('button', { name: /^Turn into USDC · 9\d\.\d\d USDC$/ }).click()
  await page.getByRole('heading', { name: 'USDC is in your wallet' }).waitFor()
  expect(Number((await readUsdc(wallet.address)) - before)).toBeGreaterThan(99_000_000)
  expect(person.faults).toEqual([])
})

test('a newcomer without any wallet claims with a passkey, and adds the money on the way, in at most 5 clicks', async () => {
  await post('Count the ants')
  await site.stack.service.caughtUp()
  const wallet = await createWallet(0)
  const { world } = site.stack
  const fake = await startFakeBaseAccount(wallet.address, world.devnet.rpcUrl)
  const served = await serveSiteBuild(world, { SVC_SITE_BASE_ACCOUNT_URL: fake.url })
  const person = await createPerson(site.browser, { ...served, world }, wallet.address, { kind: 'none' })
  await fake.attach(person.context)
  const { page } = person
  await person.open('/')
  const count = await startCounting(page)
  await chooseTask(page, /Count the ants/)
  await page.getByRole('main').getByRole('button', { name: 'Claim this task' }).click()
  const passkey = page.getByRole('button', { name: 'Continue with a passkey' })
  await passkey.waitFor()
  await page.waitForLoadState('networkidle')
  // Nobody else has heard of the visitor until this choice.
  expect(person.faults).toEqual([])
  const confirm = async (press: () => Promise<void>) => {
    const [popup] = await Promise.all([page.waitForEvent('popup'), press()])
    await fake.confirm(popup)
  }
  await confirm(() => passkey.click())
  // Without money, the ways to it are what comes next, and then the receipt.
  const ways = page.getByRole('dialog', { name: /^Add \$31 to start$/ })
  await ways.getByText(wallet.address).waitFor()
  await ways.getByText('This market names no shop for USDC.').waitFor()
  const { client, deployments } = world.devnet
  await sendTokens(client, deployments, wallet.address, { tok: 0n, usdc: usd(31) })
  const sign = page.getByRole('button', { name: /^Claim · 30\.\d\d USDC now$/ })
  await sign.waitFor()
  await confirm(() => sign.click())
  await page.getByRole('heading', { name: 'It’s yours' }).waitFor()
  const { clicks } = await count()
  console.log(`a newcomer with a passkey: ${clicks} clicks, ${fake.prompts()} prompts`)
  expect(clicks).toBeLessThanOrEqual(5)
  expect(fake.prompts()).toBe(2)
  const contacted = new Set(person.faults.map((fault) => /https?:\/\/[^/:]+/.exec(fault)?.[0]))
  expect([...contacted].sort()).toEqual(['http://localhost', 'https://chain-proxy.wallet.coinbase.com'])
  await person.context.close()
  await served.stop()
  await fake.close()
})

test('a newcomer with a wallet on a phone scans the code and claims, in at most 5 clicks', async () => {
  await post('Count the moths')
  await site.stack.service.caughtUp()
  const wallet = await createWallet(60)
  const { world } = site.stack
  const fake = await startFakeWalletConnect(wallet.address, world.devnet.rpcUrl)
  const served = await serveSiteBuild(world, {
    SVC_SITE_BASE_ACCOUNT: '0',
    SVC_SITE_WALLETCONNECT_PROJECT_ID: '0'.repeat(32),
    SVC_SITE_WALLETCONNECT_RELAY_URL: fake.relayUrl,
  })
  const person = await createPerson(site.browser, { ...served, world }, wallet.address, { kind: 'none' })
  const { page } = person
  const contacted = new Set<string>()
  page.on('websocket', (socket) => contacted.add(new URL(socket.url()).origin))
  await person.context.route('https://verify.walletconnect.org/**', (route) => route.fulfill({ body: '' }))
  await person.context.route('https://rpc.walletconnect.org/**', async (route) => {
    const { id, method, params } = route.request().postDataJSON()
    const result = await fake.request(method, params)
    await route.fulfill({
      json: { jsonrpc: '2.0', id, result },
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' },
    })
  })
  await person.open('/')
  const count = await startCounting(page)
  await chooseTask(page, /Count the moths/)
  await page.getByRole('main').getByRole('button', { name: 'Claim this task' }).click()
  const other = page.getByRole('dialog').getByRole('button', { name: 'Another wallet' })
  await other.waitFor()
  await page.waitForLoadState('networkidle')
  // Nobody else has heard of the visitor until this choice.
  expect([...contacted, ...person.faults]).toEqual([])
  await other.click()
  await fake.scan(page)
  const sign = page.getByRole('button', { name: /^Claim · 30\.\d\d USDC now$/ })
  await sign.click()
  await page.getByRole('heading', { name: 'It’s yours' }).waitFor()
  const { clicks } = await count()
  console.log(`a newcomer with a wallet on a phone: ${clicks} clicks, prompts ${fake.prompts.join(', ')}`)
  expect(clicks).toBeLessThanOrEqual(5)
  expect(fake.prompts).toEqual(['session', 'wallet_sendCalls'])
  for (const fault of person.faults) contacted.add(/\w+:\/\/[^/]+/.exec(fault)?.[0] ?? fault)
  expect([...contacted].sort()).toEqual([
    'https://rpc.walletconnect.org',
    'https://verify.walletconnect.org',
    fake.relayUrl,
  ])
  await person.context.close()
  await served.stop()
  await fake.close()
})

test('a wallet without batches learns at each of its 7 stops what it has sent and what it holds', async () => {
  const job = await post('Count the birds')
  await site.stack.service.caughtUp()
  const wallets: PrivateKeyAccount[] = []
  while (wallets.length < 7) wallets.push(await createWallet(60))
  const told = await Promise.all(
    wallets.map(async (wallet, rejectsAfter) => {
      const person = await createPerson(site.browser, site.stack, wallet.address, {
        rejectsAfter,
        signsTypedData: false,
      })
      await person.open(`/tasks/v2:standard:${job.id}`)
      await person.connect()
      await person.choose('Claim this task')
      await findSign(person.page).click()
      const note = person.page.locator('.timeline .note')
      await note.first().waitFor()
      const text = (await note.first().allInnerTexts()).join().replaceAll(/\b5\.\d+ USDC/g, '5.x USDC')
      await person.context.close()
      return text
    }),
  )
  expect(told).toMatchInlineSnapshot(`
    [
      "You declined the request in your wallet. Nothing was sent, and you can start again.",
      "The approval of 5.x USDC was sent and stands. You declined the rest in your wallet. The purchase of TOK, the return of the rest of the approval, the approval of 25.00 USDC, the deposit, the approval of 2,000 TOK, and the claim were not sent.",
      "The approval of 5.x USDC and the purchase of TOK were sent and stand. You now hold 2,000 TOK. You declined the rest in your wallet. The return of the rest of the approval, the approval of 25.00 USDC, the deposit, the approval of 2,000 TOK, and the claim were not sent.",
      "The approval of 5.x USDC, the purchase of TOK, and the return of the rest of the approval were sent and stand. You now hold 2,000 TOK. You declined the rest in your wallet. The approval of 25.00 USDC, the deposit, the approval of 2,000 TOK, and the claim were not sent.",
      "The approval of 5.x USDC, the purchase of TOK, the return of the rest of the approval, and the approval of 25.00 USDC were sent and stand. You now hold 2,000 TOK. You declined the rest in your wallet. The deposit, the approval of 2,000 TOK, and the claim were not sent.",
      "The approval of 5.x USDC, the purchase of TOK, the return of the rest of the approval, the approval of 25.00 USDC, and the deposit were sent and stand. You now hold 2,000 TOK and a deposit of 25.00 USDC. You declined the rest in your wallet. The approval of 2,000 TOK and the claim were not sent.",
      "The approval of 5.x USDC, the purchase of TOK, the return of the rest of the approval, the approval of 25.00 USDC, the deposit, and the approval of 2,000 TOK were sent and stand. You now hold 2,000 TOK and a deposit of 25.00 USDC. You declined the rest in your wallet. The claim was not sent.",
    ]
  `)
})
