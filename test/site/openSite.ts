import type { Browser } from 'playwright-core'
import { launchBrowser } from '../harness/browser.ts'
import type { WorldOptions } from '../harness/indexed.ts'
import { type SiteStack, startSite } from '../harness/site.ts'

/** The whole market behind one address, and a browser to look at it. */
export interface OpenSite {
  stack: SiteStack
  browser: Browser
  close: () => Promise<void>
}

/** Starts both. */
export async function openSite(options: WorldOptions = {}): Promise<OpenSite> {
  const [stack, browser] = await Promise.all([startSite(options), launchBrowser()])
  return {
    stack,
    browser,
    async close() {
      await browser.close()
      await stack.stop()
    },
  }
}
