import type { Browser, BrowserContext, Page } from 'playwright-core'
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
  /** Opens an action on the page of a task by the start of its label. */
  choose: (words: string | RegExp) => Promise<void>
  fill: (fields: Readonly<Record<string, string>>) => Promise<void>
  /** Prepares, looks at the preview, signs, and waits until it is in a block. */
  sign: () => Promise<void>
}

/** A person with a wallet of this account. */
export async function createPerson(
  browser: Browser,
  { url, world }: Pick<SiteStack, 'url' | 'world'>,
  account: Address,
  wallet: Partial<FakeWallet> = {},
): Promise<Person> {
  const { context, faults } = await createWatchedContext(browser, url)
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
      const connected = page.getByRole('button', { name: 'Disconnect' })
      const offered = page.getByRole('button', { name: 'Connect a wallet' })
      await connected.or(offered).waitFor()
      if (await connected.isVisible()) return
      await offered.click()
      await page.getByRole('dialog').getByRole('listitem').getByRole('button').first().click()
      await connected.waitFor()
    },
    choose: (words) => page.getByRole('button', { name: words }).click(),
    fill: async (fields) => {
      for (const [name, value] of Object.entries(fields)) {
        const field = page.locator(`form [name="${name}"]`)
        if ((await field.evaluate((each) => each.nodeName)) === 'SELECT') await field.selectOption(value)
        else await field.fill(value)
      }
    },
    sign: async () => {
      await page.getByRole('button', { name: 'See what you would sign' }).click()
      const button = page.getByRole('button', { name: /^Sign in / })
      await button.click().catch(async (error: Error) => {
        throw new Error(`It cannot be signed: ${await page.locator('main').textContent()}`, { cause: error })
      })
      const ended = page.locator('.timeline .steps:not([data-stage="signing"], [data-stage="sent"])')
      await ended.waitFor()
      expect(await ended.getAttribute('data-stage')).toMatch(/in block|safe/)
    },
  }
  return person
}
