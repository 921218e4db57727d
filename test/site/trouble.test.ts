import { accounts, createScene, sendPost as postTask, type Scene, sendCall, sendClaim } from '@svc/devnet'
import { taskRegistryAbi } from '@svc/protocol/abis'
import type { Browser, Page, Route } from 'playwright-core'
import { type Address, erc20Abi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SiteStack } from '../harness/site.ts'
import { type OpenSite, openSite } from './openSite.ts'
import { createPerson, findSign, listWalletCalls, type Person } from './person.ts'

let site: OpenSite
let stack: SiteStack
let browser: Browser
let scene: Scene
beforeAll(async () => {
  site = await openSite()
  ;({ stack, browser } = site)
  const { client, deployments } = stack.world.devnet
  scene = createScene(client, deployments, 'standard')
})
afterAll(() => site?.close())

const { chiara, emeka, keeper, bruno, newcomer } = accounts
const topUp = '/do/top-up'

/** One trouble: who meets it, where, what is done, and the sentence that must be on the page in the end. */
interface Trouble {
  says: RegExp
  /** The button or field that solves it. Without it, only the message is expected. */
  wayOut?: RegExp
  by?: Address
  wallet?: Parameters<typeof createPerson>[3]
  /** The page; `null`: `meet` opens it. */
  at?: string | null
  connected?: boolean
  before?: (person: Person) => Promise<unknown>
  meet?: (person: Person) => Promise<unknown>
  /** Proves that the solution works. */
  after?: (person: Person) => Promise<unknown>
}

const press = (page: Page) => findSign(page).click()
const prepare = async ({ fill, review }: Person, amountUsdc = '25') => {
  await fill({ amountUsdc })
  await review()
}
const sign = async (person: Person, amountUsdc?: string) => {
  await prepare(person, amountUsdc)
  await press(person.page)
}
const openTray = (page: Page) => page.getByRole('button', { name: /^Your transactions/ }).click()
const setFaults = (page: Page, faults: Record<string, { code: number; message: string } | null>) =>
  page.evaluate((given) => {
    Object.assign(globalThis as object, { walletFaults: given })
  }, faults)
/** Signs with a wallet that answers so. */
const signWith = (fault: { code: number; message: string }) => async (person: Person) => {
  await setFaults(person.page, { eth_sendTransaction: fault })
  await sign(person)
}
/** Connects a wallet that answers so. */
const connectWith = async ({ page, disconnect }: Person, fault: { code: number; message: string }) => {
  await disconnect()
  await setFaults(page, { wallet_requestPermissions: fault, eth_requestAccounts: fault })
  await openWallets(page)
  await page.getByRole('button', { name: 'Fake wallet' }).click()
}
const openWallets = (page: Page) =>
  page.getByRole('banner').getByRole('button', { name: 'Sign in', exact: true }).click()
/** What happens while no block is mined. */
const withoutBlocks = async (happen: () => Promise<unknown>) => {
  await scene.client.setAutomine(false)
  try {
    await happen()
  } finally {
    await scene.client.setAutomine(true)
    await scene.client.mine({ blocks: 1 })
  }
}
const json =
  (status: number, body: object, headers: Record<string, string> = {}) =>
  (route: Route) =>
    route.fulfill({ status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
const openTask = async (text: string, fund?: bigint) =>
  postTask(scene, { poster: bruno, text: `${text}\n\nWell.`, amounts: [10n ** 20n], duration: 172_800 }, fund)

const setEntries = (functionName: 'pauseEntries' | 'unpauseEntries') =>
  sendCall(scene.client, accounts.guardian, {
    address: scene.contracts.taskRegistry,
    abi: taskRegistryAbi,
    functionName,
    args: [],
  })

const troubles: Readonly<Record<string, Trouble>> = {
  'new tasks are paused': {
    at: '/tasks',
    before: () => setEntries('pauseEntries'),
    says: /New tasks are paused\. Running tasks go on/,
    after: () => setEntries('unpauseEntries'),
  },
  'a market takes new tasks only until a day': {
    at: '/post',
    before: ({ page }) =>
      page.route('**/api/market/status?*', (route) =>
        route.fulfill({ json: { newTasks: 'open', endsAt: 1_899_979_200 } }),
      ),
    says: /takes new tasks until March 17, 2030/,
  },
  'no wallet in the browser': {
    wallet: { kind: 'none' },
    connected: false,
    meet: ({ page }) => openWallets(page),
    says: /No e-mail, no password/,
    wayOut: /Continue with a passkey/,
  },
  'two wallets: both are offered': {
    connected: false,
    before: ({ context }) => context.addInitScript(secondWallet),
    meet: async ({ page, disconnect }) => {
      await disconnect()
      await openWallets(page)
      await page.getByRole('button', { name: 'Second wallet' }).waitFor()
    },
    says: /Fake wallet/,
  },
  'the wallet refuses to connect': {
    connected: false,
    meet: (person) => connectWith(person, { code: 4001, message: 'User rejected' }),
    says: /closed it before you were signed in/,
    wayOut: /Fake wallet/,
  },
  'the wallet is locked': {
    connected: false,
    meet: (person) => connectWith(person, { code: -32002, message: 'locked' }),
    says: /Unlock it/,
    wayOut: /Fake wallet/,
  },
  'the wallet is on another chain': {
    wallet: { chainId: '0x1' },
    meet: (person) => prepare(person),
    says: /Wrong chain/,
    wayOut: /Switch Fake wallet to this chain/,
    after: async ({ page }) => {
      await page.getByRole('button', { name: 'Switch Fake wallet to this chain' }).click()
      await findSign(page).waitFor()
    },
  },
  'the wallet will not switch its chain': {
    wallet: { chainId: '0x1' },
    meet: async (person) => {
      await prepare(person)
      await setFaults(person.page, { wallet_switchEthereumChain: { code: 4001, message: 'User rejected' } })
      await person.page.getByRole('button', { name: 'Switch Fake wallet to this chain' }).click()
    },
    says: /Wrong chain/,
    wayOut: /Switch Fake wallet to this chain/,
  },
  'said no in the wallet': {
    wallet: { rejectsAfter: 0 },
    meet: (person) => sign(person),
    says: /You declined the request in your wallet/,
    wayOut: /Back to the action/,
  },
  'said no to the second of two: says what stands, and the rest can be sent': {
    by: newcomer.address,
    wallet: { rejectsAfter: 1, signsTypedData: false },
    meet: (person) => sign(person),
    says: /^The approval of 25\.00 USDC was sent and stands\. You declined the rest in your wallet\. The deposit was not sent\.$/,
    wayOut: /Continue/,
    after: async ({ page }) => {
      expect(await page.locator('body').textContent()).not.toContain('Nothing was sent')
      await acceptAll(page)
      await page.getByRole('button', { name: 'Continue' }).click()
      await press(page)
      await page.getByRole('heading', { name: 'Added to your deposit' }).waitFor()
      expect(await countSent(page)).toBe(3)
    },
  },
  'said no to the second of two, then takes the approval back after a reload': {
    by: newcomer.address,
    wallet: { rejectsAfter: 1, signsTypedData: false },
    meet: async (person) => {
      await sign(person, '26')
      await person.page.getByRole('button', { name: 'Continue' }).waitFor()
      await person.page.reload()
      await person.connect()
      await openTray(person.page)
    },
    says: /The approval of 26\.00 USDC was sent and stands/,
    wayOut: /Undo the approval/,
    after: async ({ page }) => {
      await acceptAll(page)
      await page.getByRole('button', { name: 'Undo the approval' }).click()
      await press(page)
      await page.getByRole('heading', { name: 'Allowed', exact: true }).waitFor()
      expect(await readAllowance(newcomer.address)).toBe(0n)
    },
  },
  'the page is loaded again between two signatures': {
    by: newcomer.address,
    wallet: { signsTypedData: false },
    meet: async (person) => {
      await withoutBlocks(async () => {
        await sign(person, '27')
        await sentHash(person)
        await person.page.reload()
      })
      await openTray(person.page)
    },
    says: /was sent and stands\. The page was closed before the rest was signed\. The deposit was not sent/,
    wayOut: /Continue/,
  },
  'the wallet goes to another account between two signatures': {
    by: newcomer.address,
    wallet: { signsTypedData: false },
    meet: async (person) => {
      await withoutBlocks(async () => {
        await sign(person, '28')
        await sentHash(person)
        // Without the event, as if the page had not heard of it yet.
        await setWallet(person.page, { walletAccount: bruno.address })
      })
    },
    says: /approval of 28\.00 USDC was sent and stands\. Your wallet switched to another account/,
    wayOut: /Continue/,
    after: async ({ page }) => expect(await countSent(page)).toBe(1),
  },
  'the wallet goes to another chain before the signature': {
    meet: async (person) => {
      await prepare(person)
      await setWallet(person.page, { walletChain: '0x1' })
      await press(person.page)
    },
    says: /Your wallet switched to another chain/,
    wayOut: /Back to the action/,
    after: async ({ page }) => expect(await countSent(page)).toBe(0),
  },
  'the same request in two tabs is signed once': {
    meet: async (person) => {
      const { page, context } = person
      await setFaults(page, { eth_sendTransaction: null })
      await sign(person)
      await page.locator('.timeline').waitFor()
      const second = await context.newPage()
      await second.goto(topUp)
      await second.locator('form [name="amountUsdc"]').fill('25')
      await second.locator('form.action-form button[type="submit"]').click()
      await second.getByText('You have already sent this. It is on its way.').waitFor()
      expect(await findSign(second).count()).toBe(0)
      expect(await countSent(second)).toBe(0)
    },
    says: /Confirm in your wallet/,
  },
  'a price changes while the receipt is open: it is prepared again before it is signed': {
    before: ({ page }) => page.clock.install(),
    meet: async (person) => {
      await prepare(person)
      await findSign(person.page).waitFor()
      await person.page.route('**/api/actions/prepare', async (route) => {
        const response = await route.fetch()
        const body = await response.json()
        body.costs[0].amount = '26.00 USDC'
        await route.fulfill({ response, json: body })
      })
      await person.page.clock.fastForward(60_000)
      await press(person.page)
    },
    says: /Something changed since you opened this/,
    wayOut: /^Add to deposit · \$26$/,
    after: async ({ page }) => expect(await countSent(page)).toBe(0),
  },
  'what was typed survives a reload': {
    meet: async ({ page, fill }) => {
      await fill({ amountUsdc: '31.5' })
      await page.reload()
      await expect.poll(() => page.locator('form [name="amountUsdc"]').inputValue()).toBe('31.5')
    },
    says: /^Review$/,
    after: async (person) => {
      await person.sign()
      await person.open(topUp)
      await expect.poll(() => person.page.locator('form [name="amountUsdc"]').inputValue()).toBe('')
    },
  },
  'said no to both at once': {
    wallet: { kind: 'eip5792', rejectsAfter: 0 },
    meet: (person) => sign(person),
    says: /You declined the request in your wallet/,
    wayOut: /Back to the action/,
  },
  'no ETH for the network': {
    meet: signWith({ code: -32003, message: 'insufficient funds for gas' }),
    says: /not have enough ETH/,
    wayOut: /Back to the action/,
  },
  'the wallet lost its connection': {
    meet: signWith({ code: 4900, message: 'disconnected' }),
    says: /not connected to this chain/,
    wayOut: /Back to the action/,
  },
  'the wallet fails without a reason': {
    meet: signWith({ code: -32603, message: 'Internal JSON-RPC error.' }),
    says: /Your wallet rejected the request/,
    wayOut: /Back to the action/,
  },
  'an allowance is missing: it is part of what is signed': {
    by: newcomer.address,
    meet: async (person) => {
      await prepare(person, '30')
      await person.page.getByText('What exactly you sign').click()
    },
    says: /exactly 30\.00 USDC/,
  },
  'not enough USDC': {
    by: keeper.address,
    meet: (person) => prepare(person),
    says: /25\.00 USDC/,
    wayOut: /Add money/,
    after: async ({ page }) => {
      const refusal = page.getByRole('alert').filter({ hasText: 'would be refused' })
      expect(await refusal.textContent()).not.toContain('TOK')
      await expect.poll(() => findSign(page).isDisabled()).toBe(true)
    },
  },
  'not enough stake to take out': {
    at: '/do/unstake',
    meet: async ({ fill, review }) => {
      await fill({ amountTokWei: '1,000,000' })
      await review()
    },
    says: /would be refused/,
    wayOut: /Edit/,
  },
  'a wallet without a deposit looks at an open task': {
    by: keeper.address,
    at: null,
    meet: async ({ open }) => open(`/task/v2:standard:${(await openTask('Weed the garden')).id}`),
    says: /You need .* and 25 USDC to start\./,
  },
  'somebody else was quicker: the claim reverts': {
    by: emeka.address,
    at: null,
    meet: async (person) => {
      const job = await openTask('Wash the cups')
      await person.open(`/task/v2:standard:${job.id}`)
      await person.connect()
      await person.choose(/^Claim this task/)
      await findSign(person.page).waitFor()
      await sendClaim(scene, job, accounts.farah)
      await press(person.page)
    },
    says: /something changed after you signed|Your wallet rejected the request/,
    wayOut: /Back to the action/,
  },
  'another transaction takes its place': {
    meet: async (person) => {
      await withoutBlocks(async () => {
        await sign(person)
        const hash = await sentHash(person)
        const { nonce } = await scene.client.getTransaction({ hash })
        // The page remembers the nonce from the first answer.
        await waitForCalls(person.page, 'eth_getTransactionByHash', 2)
        await scene.client.dropTransaction({ hash })
        await scene.client.impersonateAccount({ address: chiara.address })
        await scene.client.sendUnsignedTransaction({
          from: chiara.address,
          to: chiara.address,
          nonce: BigInt(nonce),
        } as never)
      })
    },
    says: /Another transaction of your wallet replaced it/,
    wayOut: /Back to the action/,
  },
  'no node knows the transaction any more': {
    before: ({ page }) => page.clock.install(),
    meet: async (person) => {
      await withoutBlocks(async () => {
        await sign(person)
        await scene.client.dropTransaction({ hash: await sentHash(person) })
        // The page waits a minute, and asks the chain between its seconds.
        const ended = person.page.locator('.timeline .steps[data-stage="dropped"]')
        for (let seconds = 0; seconds < 600 && !(await ended.isVisible()); seconds++) {
          await person.page.clock.runFor(1_000)
        }
      })
    },
    says: /The network dropped this transaction/,
    wayOut: /Back to the action/,
  },
  'the wallet cannot be asked what became of it, then it can': {
    meet: async (person) => {
      await setFaults(person.page, { eth_getTransactionReceipt: { code: -32000, message: 'down' } })
      await sign(person)
      await person.page.locator('.timeline .steps[data-stage="sent"]').waitFor()
      await waitForCalls(person.page, 'eth_getTransactionReceipt', 2)
      await setFaults(person.page, {})
    },
    says: /In a block \d+|Confirm in your wallet \(2 of 2\)/,
  },
  'the page is loaded again while a transaction is on its way': {
    meet: async (person) => {
      await withoutBlocks(async () => {
        await sign(person)
        await sentHash(person)
        await person.page.reload()
      })
      await openTray(person.page)
    },
    says: /Add to your deposit|Added to the deposit/,
  },
  'the list is behind what was just sent: it stands before the list': {
    meet: async (person) => {
      await withoutBlocks(async () => {
        await sign(person)
        await sentHash(person)
        await person.open('/tasks')
        await person.page.getByRole('list', { name: 'On their way' }).waitFor()
      })
    },
    says: /\d+ tasks/,
  },
  'the page is loaded again while the wallet asks': {
    meet: async (person) => {
      await setFaults(person.page, { eth_sendTransaction: null })
      await sign(person)
      await person.page.locator('.timeline').waitFor()
      await person.page.reload()
      await openTray(person.page)
    },
    says: /closed before your wallet responded/,
  },
  'a draft survives a reload': {
    at: '/post',
    meet: async ({ page }) => {
      await page.getByLabel('What should be done').fill('Every shelf dusted.')
      await page.reload()
    },
    says: /Every shelf dusted/,
  },
  'the wallet went to another account in between': {
    meet: async (person) => {
      await prepare(person)
      await findSign(person.page).waitFor()
      await person.page.evaluate((address) => {
        Object.assign(globalThis as object, { walletAccount: address })
        const { walletEmit } = globalThis as unknown as { walletEmit: (name: string, value: unknown) => void }
        walletEmit('accountsChanged', [address])
      }, bruno.address)
    },
    says: /on another account now/,
    wayOut: /Use this account/,
  },
  'an amount that is none': { meet: (person) => prepare(person, 'ten'), says: /Not an amount of USDC/ },
  'an amount too precise': { meet: (person) => prepare(person, '1.2345678'), says: /at most 6 decimals/ },
  'a negative amount': { meet: (person) => prepare(person, '-5'), says: /Not an amount of USDC/ },
  'an address with a wrong checksum': {
    at: '/do/emergency-top-up',
    meet: async ({ fill, review }) => {
      await fill({ agent: bruno.address.replace(/[a-f]/, (digit) => digit.toUpperCase()), amountUsdc: '8' })
      await review()
    },
    says: /Not a valid address/,
  },
  'evidence without a word': {
    at: '/do/submit-evidence?taskId=v2:standard:10',
    meet: ({ review }) => review(),
    says: /Enter some text/,
  },
  'JSON that is none': {
    at: '/do/mutual-cancel?taskId=v2:standard:10',
    meet: async ({ fill, review }) => {
      await fill({ workerBps: '50', posterSignature: 'x', workerSignature: '{}' })
      await review()
    },
    says: /Not valid JSON/,
  },
  'a post without a title': {
    at: '/post',
    meet: ({ page }) => page.getByRole('button', { name: 'Continue' }).click(),
    says: /title/i,
    after: ({ page }) => expect.poll(() => page.getByLabel('Title').getAttribute('aria-invalid')).toBe('true'),
  },
  'a post with more time to claim than the market gives': {
    at: '/post',
    meet: async ({ page }) => {
      const next = () => page.getByRole('button', { name: 'Continue' }).click()
      await page.getByLabel('Title').fill('A title')
      await page.getByLabel('What should be done').fill('Words.')
      await next()
      await page.getByLabel('What is delivered').fill('It')
      await page.getByLabel('Pays').fill('5')
      await page.getByLabel('Days to do it').fill('2')
      await next()
      await page.getByLabel('Days in which it can be claimed').fill('400')
      await next()
    },
    says: /claim/i,
    wayOut: /Continue/,
  },
  'the day’s posts are used up': {
    at: '/post',
    before: ({ page }) =>
      page.route('**/api/posting/quota*', (route) => json(200, buildQuota(chiara.address, false))(route)),
    says: /3 of 3 posts used today/,
  },
  'a task that is not there': {
    at: null,
    meet: ({ open }) => open('/task/v2:standard:99999'),
    says: /Task not found/,
  },
  'a task id of the old kind': { at: null, meet: ({ open }) => open('/task/7'), says: /Task not found/ },
  'a page that is not there': {
    at: '/nowhere',
    connected: false,
    says: /This page does not exist/,
    wayOut: /Explore tasks/,
  },
  'an action that is not there': { at: '/do/fly', says: /This page does not exist/ },
  'the API is down, then comes back': {
    at: null,
    meet: async ({ page, open }) => {
      await page.route('**/api/market/**', (route) => route.abort())
      await open('/tasks')
      await page.getByText(/The server cannot be reached/).waitFor()
      await page.unroute('**/api/market/**')
      await page.getByRole('button', { name: 'Try again' }).click()
    },
    says: /\d+ tasks/,
  },
  'the API has a fault': {
    at: null,
    meet: async ({ page, open }) => {
      await page.route('**/api/market/search*', json(500, { error: 'Internal error', code: 'INTERNAL' }))
      await open('/tasks')
    },
    says: /Internal error/,
    wayOut: /Try again/,
  },
  'too many requests': {
    at: null,
    meet: async ({ page, open }) => {
      await page.route(
        '**/api/market/search*',
        json(429, { error: 'Too many requests from this address.', code: 'RATE_LIMITED' }, { 'retry-after': '1' }),
      )
      await open('/tasks')
    },
    says: /Too many requests/,
    wayOut: /Try again/,
  },
  'the chain is gone: the last block is shown as such': {
    at: null,
    meet: async ({ page, open }) => {
      await page.route('**/api/market/search*', async (route) => {
        const response = await route.fetch()
        const body = await response.json()
        body.meta.stale = true
        await route.fulfill({ response, json: body })
      })
      await open('/tasks')
    },
    says: /The chain cannot be reached right now/,
  },
  'the stream of events is cut: the list is read all the same': {
    at: null,
    meet: async ({ page, open }) => {
      await page.route('**/api/market/events*', (route) => route.abort())
      await open('/tasks')
    },
    says: /\d+ tasks/,
  },
  'a file of the page is gone after an update: it reloads once, then says so': {
    at: null,
    meet: async ({ page }) => {
      let loads = 0
      page.on('request', (request) => {
        if (request.isNavigationRequest()) loads++
      })
      await page.route('**/assets/explore-*.js', (route) => route.abort())
      await page.goto('/tasks')
      await page.getByRole('heading', { name: 'This page stopped working' }).waitFor()
      await expect.poll(() => loads).toBe(2)
      await page.unroute('**/assets/explore-*.js')
    },
    says: /The site was updated while you had it open/,
    wayOut: /Reload the page/,
    after: async ({ page }) => {
      await page.getByRole('button', { name: 'Reload the page' }).click()
      await page
        .getByText(/\d+ tasks/)
        .first()
        .waitFor()
    },
  },
  'the app itself does not load: the words of the HTML stay, with a way to try again': {
    at: null,
    meet: async ({ page }) => {
      await page.route('**/assets/start-*.js', (route) => route.abort())
      await page.goto('/tasks')
      await page.getByRole('heading', { name: 'Open tasks' }).waitFor()
    },
    says: /The rest of this page did not load/,
    wayOut: /Reload/,
    after: async ({ page }) => {
      await page.unroute('**/assets/start-*.js')
      await page.getByRole('link', { name: 'Reload' }).click()
      await page
        .getByText(/\d+ tasks/)
        .first()
        .waitFor()
    },
  },
  'an address with a broken escape': {
    at: null,
    meet: ({ page }) => page.goto('/task/%E0%A4%A'),
    says: /This page does not exist/,
    wayOut: /Explore tasks/,
  },
  'the connection is lost': {
    at: null,
    meet: async ({ page, context, open }) => {
      await open('/tasks')
      await page
        .getByText(/\d+ tasks/)
        .first()
        .waitFor()
      await context.setOffline(true)
    },
    says: /You are offline/,
    after: async ({ page, context }) => {
      await context.setOffline(false)
      await page.getByText(/You are offline/).waitFor({ state: 'detached' })
    },
  },
  'a slow server: a skeleton, a word after five seconds, then the answer': {
    at: null,
    before: ({ page }) => page.clock.install(),
    meet: async ({ page, open }) => {
      const answer = Promise.withResolvers<void>()
      await page.route('**/api/market/search*', async (route) => {
        await answer.promise
        await route.continue()
      })
      await open('/tasks')
      await page.locator('.skeleton').first().waitFor()
      await page.clock.runFor(5_500)
      await page.getByText('This takes longer than usual').waitFor()
      answer.resolve()
    },
    says: /\d+ tasks/,
  },
  'a clock that is two days fast: the time left is that of the chain': {
    at: null,
    before: ({ page }) => page.clock.install({ time: Date.now() + 2 * 86_400_000 }),
    meet: async (person) => {
      const path = `/tasks/v2:standard:${(await openTask('Air the cellar')).id}`
      const other = await createPerson(browser, stack, chiara.address)
      const readDays = async ({ page }: Person) =>
        /\d+/.exec((await page.locator('.clock strong').textContent()) ?? '')?.[0]
      await other.open(path)
      await expect.poll(() => readDays(other)).toMatch(/^\d+$/)
      const right = await readDays(other)
      await other.context.close()
      await person.open(path)
      await expect.poll(() => readDays(person)).toBe(right)
    },
    says: /Air the cellar/,
  },
  'the server names other contracts': {
    before: ({ page }) =>
      page.route('**/api/site-config*', async (route) => {
        const response = await route.fetch()
        const body = await response.json()
        body.contracts.taskRegistry = keeper.address
        await route.fulfill({ response, json: body })
      }),
    says: /names another taskRegistry/,
    after: ({ page }) => expect.poll(() => page.getByRole('button', { name: 'Review' }).isDisabled()).toBe(true),
  },
  'the server prepares calls to somebody else': {
    before: ({ page }) =>
      page.route('**/api/actions/prepare', async (route) => {
        const response = await route.fetch()
        const body = await response.json()
        body.calls.at(-1).to = keeper.address
        await route.fulfill({ response, json: body })
      }),
    meet: (person) => prepare(person),
    says: /something else than you asked for/,
    after: ({ page }) => expect.poll(() => findSign(page).isDisabled()).toBe(true),
  },
  'the server prepares another amount': {
    before: ({ page }) =>
      page.route('**/api/actions/prepare', (route) => {
        const asked = route.request().postDataJSON()
        return route.continue({ postData: { ...asked, input: { ...asked.input, amountUsdc: '99000000' } } })
      }),
    meet: (person) => prepare(person),
    says: /something else than you asked for/,
  },
  'the server prepares another action': {
    before: ({ page }) =>
      page.route('**/api/actions/prepare', (route) => {
        const { from } = route.request().postDataJSON()
        const input = { market: 'standard', amountTokWei: '1000000000000000000' }
        return route.continue({ postData: { action: 'approve-tok-router', input, from } })
      }),
    meet: (person) => prepare(person),
    says: /something else than you asked for/,
  },
  'a browser that stores nothing': {
    before: ({ context }) =>
      context.addInitScript(() => {
        Storage.prototype.setItem = () => {
          throw new Error('no storage')
        }
      }),
    meet: (person) => sign(person),
    says: /In a block|Confirm in your wallet/,
  },
}

test('there are at least forty cases', () => {
  expect(Object.keys(troubles).length).toBeGreaterThanOrEqual(40)
})

test.each(Object.entries(troubles))('%s: shows a message and what to do', async (_, trouble) => {
  const { at = topUp, by = chiara.address, connected = true } = trouble
  const person = await createPerson(browser, stack, by, trouble.wallet)
  try {
    await trouble.before?.(person)
    if (at !== null) {
      await person.open(at)
      if (connected) await person.connect()
    }
    await trouble.meet?.(person)
    const { page } = person
    const said = page
      .getByText(trouble.says)
      .or(page.getByRole('button', { name: trouble.says }))
      .or(page.locator('textarea').filter({ hasText: trouble.says }))
    await said.first().waitFor()
    if (trouble.wayOut)
      await page
        .getByRole('button', { name: trouble.wayOut })
        .or(page.getByRole('link', { name: trouble.wayOut }))
        .first()
        .waitFor()
    await trouble.after?.(person)
    expect(await page.locator('body').textContent()).not.toMatch(/\b0x[0-9a-f]{8}\b(?!…)|undefined|NaN|\[object/)
  } finally {
    await person.context.close()
  }
})

/** The hash of the transaction that the page sent last. */
async function sentHash({ page }: Person): Promise<`0x${string}`> {
  const hash = await page.waitForFunction(() => {
    const found = JSON.parse(localStorage.getItem('svc-transactions') ?? '[]')
    return found[0]?.hashes?.at(-1) as string | undefined
  })
  return (await hash.jsonValue()) as `0x${string}`
}

/** Settles when the page has asked the wallet this so often, and so has the answers of all but the last. */
const waitForCalls = (page: Page, method: string, count: number) =>
  expect.poll(async () => (await listWalletCalls(page, method)).length).toBeGreaterThanOrEqual(count)

/** Changes the wallet without telling the page. */
const setWallet = (page: Page, changes: { walletAccount?: string; walletChain?: string }) =>
  page.evaluate((given) => {
    Object.assign(globalThis as object, given)
  }, changes)

/** From now on, the wallet accepts everything. */
const acceptAll = (page: Page) => page.evaluate(() => (globalThis as unknown as { acceptAll: () => void }).acceptAll())

/** How often this page asked the wallet for a signature. */
const countSent = async (page: Page) => (await listWalletCalls(page, 'eth_sendTransaction', 'wallet_sendCalls')).length

const readAllowance = (owner: Address) =>
  scene.client.readContract({
    address: stack.world.devnet.deployments.shared.usdc,
    abi: erc20Abi,
    functionName: 'allowance',
    args: [owner, stack.world.devnet.deployments.markets.standard.depositVault],
  })

const buildQuota = (address: string, canPost: boolean) => ({
  tier: 'free',
  used: 3,
  limit: 3,
  canPost,
  market: 'standard',
  address,
  resetsAt: Math.floor(Date.now() / 1000) + 3_600,
})

/** Runs in the page: another wallet announces itself. */
function secondWallet() {
  const provider = { request: async () => [], on: () => {}, removeListener: () => {} }
  const info = { uuid: 'second', name: 'Second wallet', icon: '', rdns: 'example.second' }
  const page = globalThis as unknown as EventTarget
  const announce = () => page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info, provider } }))
  page.addEventListener('eip6963:requestProvider', announce)
  announce()
}
