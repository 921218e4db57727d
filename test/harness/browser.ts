import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Starts the Chromium of this machine. `foreignHost` resolves to this machine too, as a rebound name does. */
export async function launchBrowser(foreignHost = 'rebound.example'): Promise<Browser> {
  const executablePath = places.find((path) => existsSync(path))
  if (!executablePath) throw new Error(`Chromium is needed at one of ${places.join(', ')}.`)
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
      '--disable-dev-shm-usage',
      '--disable-lcd-text',
      // Not every browser keeps pages of elsewhere from this machine: our servers must refuse them themselves.
      '--disable-features=LocalNetworkAccessChecks',
      `--host-resolver-rules=MAP ${foreignHost} 127.0.0.1`,
    ],
  })
}

/** A context in which every request to another origin than `origin` and every breach of the page's policy is noted. */
export async function watchedContext(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; faults: string[] }> {
  const context = await browser.newContext({ baseURL: origin, ...options })
  // Machines may be busy: this only ends what never comes.
  context.setDefaultTimeout(60_000)
  const faults: string[] = []
  context.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !url.startsWith('blob:')) faults.push(`left the origin: ${url}`)
  })
  context.on('console', (message) => {
    if (/Content Security Policy|Refused to/.test(message.text())) faults.push(message.text())
  })
  context.on('weberror', (error) => faults.push(String(error.error())))
  return { context, faults }
}
