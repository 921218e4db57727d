import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'

/** The headless shell first: it has no windows to draw, and takes a quarter less CPU. */
const executablePaths = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
)

const disabledFeatures = [
  // Not every browser keeps other sites from reaching local servers, so ours must refuse them.
  'LocalNetworkAccessChecks',
  // Every new window would load two pages for suggestions below an address bar that nobody sees.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
]

/** Finds the installed Chromium. */
export function findChromium(): string {
  const found = executablePaths.find((path) => existsSync(path))
  if (!found) throw new Error(`Chromium is needed at one of ${executablePaths.join(', ')}.`)
  return found
}

/** Starts the installed Chromium. `foreignHost` resolves to this machine too, as in a DNS rebinding attack. */
export async function launchBrowser(foreignHost = 'rebound.example'): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
      '--disable-dev-shm-usage',
      '--disable-lcd-text',
      `--disable-features=${disabledFeatures.join()}`,
      `--host-resolver-rules=MAP ${foreignHost} 127.0.0.1`,
    ],
  })
}

/** Creates a context that records every request to another origin and every violation of the page's policy. */
export async function createWatchedContext(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; faults: string[] }> {
  // What moves without end is drawn again and again, and a click waits until its target stands still.
  const context = await browser.newContext({ baseURL: origin, reducedMotion: 'reduce', ...options })
  // Generous, because the machine may be busy.
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
