import { accounts, createScene, sendPost as postTask, type Scene, sendClaim } from '@svc/devnet'
import type { Browser, Page, Route } from 'playwright-core'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SiteStack } from '../harness/site.ts'
import { type OpenSite, openSite } from './openSite.ts'
import { createPerson, type Person } from './person.ts'

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

const see = (page: Page) => page.getByRole('button', { name: 'See what you would sign' }).click()
const press = (page: Page) => page.getByRole('button', { name: /^Sign in / }).click()
const prepare = async ({ fill, page }: Person, amountUsdc = '25') => {
  await fill({ amountUsdc })
  await see(page)
}
const sign = async (person: Person) => {
  await prepare(person)
  await press(person.page)
}
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
const connectWith = async (page: Page, fault: { code: number; message: string }) => {
  await page.getByRole('button', { name: 'Disconnect' }).click()
  await setFaults(page, { wallet_requestPermissions: fault, eth_requestAccounts: fault })
  await page.getByRole('button', { name: 'Connect a wallet' }).click()
  await page.getByRole('button', { name: 'Fake wallet' }).click()
}
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

const troubles: Readonly<Record<string, Trouble>> = {
  'no wallet in the browser': {
    wallet: { kind: 'none' },
    connected: false,
    meet: ({ page }) => page.getByRole('button', { name: 'Connect a wallet' }).click(),
    says: /No wallet was found/,
    wayOut: /Close/,
  },
  'two wallets: both are offered': {
    connected: false,
    before: ({ context }) => context.addInitScript(secondWallet),
    meet: async ({ page }) => {
      await page.getByRole('button', { name: 'Disconnect' }).click()
      await page.getByRole('button', { name: 'Connect a wallet' }).click()
      await page.getByRole('button', { name: 'Second wallet' }).waitFor()
    },
    says: /Fake wallet/,
  },
  'the wallet refuses to connect': {
    connected: false,
    meet: ({ page }) => connectWith(page, { code: 4001, message: 'User rejected' }),
    says: /said no/,
    wayOut: /Fake wallet/,
  },
  'the wallet is locked': {
    connected: false,
    meet: ({ page }) => connectWith(page, { code: -32002, message: 'locked' }),
    says: /Unlock it/,
    wayOut: /Fake wallet/,
  },
  'the wallet is on another chain': {
    wallet: { chainId: '0x1' },
    meet: prepare,
    says: /Wrong chain/,
    wayOut: /Switch Fake wallet to this chain/,
    after: async ({ page }) => {
      await page.getByRole('button', { name: 'Switch Fake wallet to this chain' }).click()
      await page.getByRole('button', { name: 'Sign in Fake wallet' }).waitFor()
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
    meet: sign,
    says: /You declined the request in your wallet/,
    wayOut: /Back to the action/,
  },
  'said no to the second of two': {
    by: newcomer.address,
    wallet: { rejectsAfter: 1 },
    meet: sign,
    says: /You declined the request in your wallet/,
    wayOut: /Back to the action/,
  },
  'said no to both at once': {
    wallet: { kind: 'eip5792', rejectsAfter: 0 },
    meet: sign,
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
    meet: (person) => prepare(person, '30'),
    says: /exactly 30\.00 USDC/,
  },
  'not enough USDC': {
    by: keeper.address,
    meet: prepare,
    says: /contract would refuse/,
    wayOut: /Back/,
  },
  'not enough stake to take out': {
    at: '/do/unstake',
    meet: async ({ fill, page }) => {
      await fill({ amountTokWei: '1,000,000' })
      await see(page)
    },
    says: /contract would refuse/,
    wayOut: /Back/,
  },
  'a wallet without a deposit looks at an open task': {
    by: keeper.address,
    at: null,
    meet: async ({ open }) => open(`/task/v2:standard:${(await openTask('Weed the garden')).id}`),
    says: /your deposit or balance does not reach/,
  },
  'somebody else was quicker: the claim reverts': {
    by: emeka.address,
    at: null,
    meet: async (person) => {
      const job = await openTask('Wash the cups')
      await person.open(`/task/v2:standard:${job.id}`)
      await person.connect()
      await person.choose(/^Claim task/)
      await see(person.page)
      await person.page.getByRole('button', { name: /^Sign in / }).waitFor()
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
        await person.page.waitForTimeout(1_500)
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
      await person.page.waitForTimeout(1_200)
      await setFaults(person.page, {})
      await person.page
        .getByRole('button', { name: /^Sign in / })
        .or(person.page.locator('.timeline'))
        .waitFor()
    },
    says: /In a block \d+|Sign in the wallet \(2 of 2\)/,
  },
  'the page is loaded again while a transaction is on its way': {
    meet: async (person) => {
      await withoutBlocks(async () => {
        await sign(person)
        await sentHash(person)
        await person.page.reload()
      })
      await person.page.getByText(/^Your transactions/).click()
    },
    says: /Top up your deposit|Topped up the deposit/,
  },
  'the list is behind what was just sent: it stands before the list': {
    meet: async (person) => {
      await withoutBlocks(async () => {
        await sign(person)
        await sentHash(person)
        await person.open('/')
        await person.page.getByRole('list', { name: 'On their way' }).waitFor()
      })
    },
    says: /Block \d+/,
  },
  'the page is loaded again while the wallet asks': {
    meet: async (person) => {
      await setFaults(person.page, { eth_sendTransaction: null })
      await sign(person)
      await person.page.locator('.timeline').waitFor()
      await person.page.reload()
      await person.page.getByText(/^Your transactions/).click()
    },
    says: /closed before your wallet responded/,
  },
  'a draft survives a reload': {
    at: '/post',
    meet: async ({ page }) => {
      await page.getByLabel(/^What must be true/).fill('Every shelf dusted.')
      await page.reload()
    },
    says: /Every shelf dusted/,
  },
  'the wallet went to another account in between': {
    meet: async (person) => {
      await prepare(person)
      await person.page.getByRole('button', { name: /^Sign in / }).waitFor()
      await person.page.evaluate((address) => {
        Object.assign(globalThis as object, { walletAccount: address })
        const { walletEmit } = globalThis as unknown as { walletEmit: (name: string, value: unknown) => void }
        walletEmit('accountsChanged', [address])
      }, bruno.address)
    },
    says: /on another account now/,
    wayOut: /Back/,
  },
  'an amount that is none': { meet: (person) => prepare(person, 'ten'), says: /Not an amount of USDC/ },
  'an amount too precise': { meet: (person) => prepare(person, '1.2345678'), says: /at most 6 decimals/ },
  'a negative amount': { meet: (person) => prepare(person, '-5'), says: /Not an amount of USDC/ },
  'an address with a wrong checksum': {
    at: '/do/emergency-top-up',
    meet: async ({ fill, page }) => {
      await fill({ agent: bruno.address.replace(/[a-f]/, (digit) => digit.toUpperCase()), amountUsdc: '8' })
      await see(page)
    },
    says: /Not a valid address/,
  },
  'evidence without a word': {
    at: '/do/submit-evidence?taskId=v2:standard:10',
    meet: ({ page }) => see(page),
    says: /Enter some text/,
  },
  'JSON that is none': {
    at: '/do/mutual-cancel?taskId=v2:standard:10',
    meet: async ({ fill, page }) => {
      await fill({ workerBps: '50', posterSignature: 'x', workerSignature: '{}' })
      await see(page)
    },
    says: /Not valid JSON/,
  },
  'a post without a title': {
    at: '/post',
    meet: ({ page }) => page.getByRole('button', { name: 'See the terms and what they cost' }).click(),
    says: /.{10,}/,
    wayOut: /See the terms/,
  },
  'a post with more time to claim than the market gives': {
    at: '/post',
    meet: async ({ page }) => {
      await page.getByLabel('Title').fill('A title')
      await page.getByLabel(/^What must be true/).fill('Words.')
      await page.getByLabel('What is delivered').fill('It')
      await page.getByLabel('Pays, in TOK').fill('5')
      await page.getByLabel(/^Days to do it/).fill('2')
      await page.getByLabel(/^Days in which/).fill('400')
      await page.getByLabel(/^Hours you take/).fill('24')
      await page.getByRole('button', { name: 'See the terms and what they cost' }).click()
    },
    says: /claim/i,
    wayOut: /See the terms/,
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
    says: /not found/,
  },
  'a task id of the old kind': { at: null, meet: ({ open }) => open('/task/7'), says: /v2:standard:7/ },
  'a page that is not there': {
    at: '/nowhere',
    connected: false,
    says: /There is nothing here/,
    wayOut: /Go to the market/,
  },
  'an action that is not there': { at: '/do/fly', says: /What can be done here/ },
  'the API is down, then comes back': {
    at: null,
    meet: async ({ page, open }) => {
      await page.route('**/api/market/**', (route) => route.abort())
      await open('/')
      await page.getByText(/The server cannot be reached/).waitFor()
      await page.unroute('**/api/market/**')
      await page.getByRole('button', { name: 'Try again' }).click()
    },
    says: /Block \d+/,
  },
  'the API has a fault': {
    at: null,
    meet: async ({ page, open }) => {
      await page.route('**/api/market/open*', json(500, { error: 'Internal error', code: 'INTERNAL' }))
      await open('/')
    },
    says: /Internal error/,
    wayOut: /Try again/,
  },
  'too many requests': {
    at: null,
    meet: async ({ page, open }) => {
      await page.route(
        '**/api/market/open*',
        json(429, { error: 'Too many requests from this address.', code: 'RATE_LIMITED' }, { 'retry-after': '1' }),
      )
      await open('/')
    },
    says: /Too many requests/,
    wayOut: /Try again/,
  },
  'the chain is gone: the last block is shown as such': {
    at: null,
    meet: async ({ page, open }) => {
      await page.route('**/api/market/open*', async (route) => {
        const response = await route.fetch()
        const body = await response.json()
        body.meta.stale = true
        await route.fulfill({ response, json: body })
      })
      await open('/')
    },
    says: /The chain cannot be reached now/,
  },
  'the stream of events is cut': {
    at: null,
    meet: async ({ page, open }) => {
      await page.route('**/api/market/events*', (route) => route.abort())
      await open('/')
    },
    says: /every 15 s/,
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
    after: async ({ page }) =>
      expect(await page.getByRole('button', { name: 'See what you would sign' }).isDisabled()).toBe(true),
  },
  'the server prepares calls to somebody else': {
    before: ({ page }) =>
      page.route('**/api/actions/prepare', async (route) => {
        const response = await route.fetch()
        const body = await response.json()
        body.calls.at(-1).to = keeper.address
        await route.fulfill({ response, json: body })
      }),
    meet: prepare,
    says: /something else than you asked for/,
    after: async ({ page }) => expect(await page.getByRole('button', { name: /^Sign in / }).isDisabled()).toBe(true),
  },
  'the server prepares another amount': {
    before: ({ page }) =>
      page.route('**/api/actions/prepare', (route) => {
        const asked = route.request().postDataJSON()
        return route.continue({ postData: { ...asked, input: { ...asked.input, amountUsdc: '99000000' } } })
      }),
    meet: prepare,
    says: /something else than you asked for/,
  },
  'the server prepares another action': {
    before: ({ page }) =>
      page.route('**/api/actions/prepare', (route) => {
        const { from } = route.request().postDataJSON()
        const input = { market: 'standard', amountTokWei: '1000000000000000000' }
        return route.continue({ postData: { action: 'approve-tok-router', input, from } })
      }),
    meet: prepare,
    says: /something else than you asked for/,
  },
  'a browser that stores nothing': {
    before: ({ context }) =>
      context.addInitScript(() => {
        Storage.prototype.setItem = () => {
          throw new Error('no storage')
        }
      }),
    meet: sign,
    says: /In a block|Sign in the wallet/,
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
