import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { Address } from 'viem'
import { expect } from 'vitest'
import { createWatchedContext } from '../harness/browser.ts'
import { type FakeWallet, installWallet } from '../harness/fakeWallet.ts'
import type { SiteStack } from '../harness/site.ts'

/** Somebody with a wallet and a browser. */
export interface Person {
  page: Page
  context: BrowserContext
  /** Requests that left the origin, and breaches of the page's policy. */
  faults: string[]
  open: (path: string) => Promise<void>
  connect: () => Promise<void>
  disconnect: () => Promise<void>
  /** Opens an action on the page of a task by the start of its label. */
  choose: (words: string | RegExp) => Promise<void>
  fill: (fields: Readonly<Record<string, string>>) => Promise<void>
  /** Submits the form, if there is anything to type, and so opens the receipt. */
  review: () => Promise<void>
  /** Opens the receipt, signs, and waits until it is in a block. */
  sign: () => Promise<void>
}

/** A person with a wallet of this account. */
export async function createPerson(
  browser: Browser,
  { url, world }: Pick<SiteStack, 'url' | 'world'>,
  account: Address,
  wallet: Partial<FakeWallet> = {},
  options: BrowserContextOptions = {},
): Promise<Person> {
  const { context, faults } = await createWatchedContext(browser, url, options)
  await installWallet(context, { kind: 'eip6963', account, rpcUrl: world.devnet.rpcUrl, ...wallet })
  const page = await context.newPage()
  const person: Person = {
    page,
    context,
    faults,
    open: async (path) => {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
    connect: async () => {
      // An authorized wallet connects automatically.
      const connected = page.getByRole('button', { name: 'Your menu' })
      const offered = page.getByRole('banner').getByRole('button', { name: 'Sign in', exact: true })
      await connected.or(offered).first().waitFor()
      if (await connected.isVisible()) return
      await offered.click()
      await page.getByRole('dialog').getByRole('listitem').getByRole('button').first().click()
      await connected.waitFor()
    },
    disconnect: async () => {
      await page.getByRole('button', { name: 'Your menu' }).click()
      await page.getByRole('button', { name: 'Sign out' }).click()
    },
    choose: (words) => page.getByRole('button', { name: words }).click(),
    fill: async (fields) => {
      for (const [name, value] of Object.entries(fields)) {
        const field = page.locator(`form [name="${name}"]`)
        // Whoever decides picks one of two cards on the task's page, the poster's first.
        if (name === 'forWorker') {
          const cards = page.getByRole('tabpanel').getByRole('radio', { name: /number\s*\d+%.* gets .* gets back / })
          const card = cards.nth(value === 'yes' ? 1 : 0)
          await field.or(card).waitFor()
          if (await card.isVisible()) {
            await card.check()
            continue
          }
        }
        await field.waitFor()
        if ((await field.evaluate((each) => each.nodeName)) === 'SELECT') await field.selectOption(value)
        else await field.fill(value)
      }
    },
    review: async () => {
      const form = page.locator('form.action-form')
      const receipt = page.getByRole('region', { name: 'What you sign' })
      await form.or(receipt).first().waitFor()
      if (await form.isVisible()) await form.locator('button[type="submit"]').click()
    },
    sign: async () => {
      await person.review()
      const button = findSign(page)
      await button.click().catch(async (error: Error) => {
        throw new Error(`It cannot be signed: ${await page.locator('main').textContent()}`, { cause: error })
      })
      const ended = page.locator('main .timeline .steps:not([data-stage="signing"], [data-stage="sent"])')
      await ended.waitFor()
      expect(await ended.getAttribute('data-stage')).toMatch(/in block|safe/)
    },
  }
  return person
}

/** The button of the receipt that is open. Its words say what is signed. */
export const findSign = (page: Page) => page.locator('.receipt-buttons .button.primary')

/** Lists what the page asked the wallet, of these methods. */
export async function listWalletCalls(page: Page, ...methods: string[]) {
  const asked = await page.evaluate(() => {
    return (globalThis as unknown as { walletCalls: { method: string; params: unknown[] }[] }).walletCalls
  })
  return asked.filter(({ method }) => methods.includes(method))
}

/** Counts what a visitor does from now on: clicks, transactions, and prompts of the wallet. */
export async function startCounting(page: Page) {
  await page.evaluate(() => {
    const counted = globalThis as unknown as { clicks: number; walletCalls: unknown[] } & EventTarget
    counted.clicks = 0
    counted.walletCalls.length = 0
    counted.addEventListener('click', () => counted.clicks++, { capture: true })
  })
  return async () => {
    const clicks = await page.evaluate(() => (globalThis as unknown as { clicks: number }).clicks)
    const countCalls = async (...methods: string[]) => (await listWalletCalls(page, ...methods)).length
    const sent = await countCalls('eth_sendTransaction', 'wallet_sendCalls')
    const others = await countCalls('eth_signTypedData_v4', 'personal_sign', 'wallet_switchEthereumChain')
    const connects = (await countCalls('wallet_requestPermissions', 'eth_requestAccounts')) > 0 ? 1 : 0
    return { clicks, sent, prompts: sent + others + connects }
  }
}
