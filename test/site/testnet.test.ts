import { accounts, advanceTimeTo, refreshPrice, setUpMarkets } from '@svc/devnet'
import { sitePaths } from '@svc/operations'
import { baseSepolia } from '@svc/protocol'
import { buildAddChainParameter } from '@svc/protocol/internal/base'
import { numberToHex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isFullRehearsal } from '../harness/env.ts'
import { draftPost } from './draftPost.ts'
import { type OpenSite, openSite } from './openSite.ts'
import { createPerson, findSign, listWalletCalls } from './person.ts'

const chainId = numberToHex(baseSepolia.id)

let site: OpenSite
beforeAll(async () => {
  site = await openSite({
    chainId: baseSepolia.id,
    async fill(client, deployments, present) {
      await setUpMarkets(client, deployments)
      await advanceTimeTo(client, present)
      await refreshPrice(client, accounts.keeper)
      return []
    },
  })
})
afterAll(() => site?.close())

// A second site is built for it, so only `pnpm rehearse` runs it.
test.runIf(isFullRehearsal())(
  'a task goes from a draft to its end on the testnet, and everything is signed for that chain',
  async () => {
    const { browser, stack } = site
    const poster = await createPerson(browser, stack, accounts.bruno.address, { chainId })
    // A wallet that was never on the testnet.
    const worker = await createPerson(browser, stack, accounts.newcomer.address, {
      chainId: '0x1',
      knowsOnlyItsChain: true,
    })

    await poster.open('/post?market=micro')
    await poster.page.getByText(baseSepolia.banner).waitFor()
    await poster.connect()
    const milestones = [['The map', '30']] as const
    await draftPost(poster.page, { title: 'Draw a map', criteria: 'Every pier.', milestones })
    await poster.page.locator('summary', { hasText: 'When the pay is locked' }).click()
    await poster.page.getByRole('radio', { name: /^When somebody claims it/ }).check()
    await findSign(poster.page).click()
    await poster.page.getByRole('link', { name: 'Open the task' }).click()
    await poster.page.waitForURL(/\/tasks\/v2:micro:1\//)
    const path = new URL(poster.page.url()).pathname

    await worker.open(path)
    await worker.connect()
    await worker.choose(/^Add .* and claim$/)
    await worker.page.getByRole('button', { name: 'Switch Fake wallet to this chain' }).click()
    await worker.sign()
    const [asked] = await listWalletCalls(worker.page, 'wallet_switchEthereumChain')
    expect(asked?.params).toEqual([{ chainId }])
    const [added] = await listWalletCalls(worker.page, 'wallet_addEthereumChain')
    expect(added?.params).toEqual([buildAddChainParameter(baseSepolia)])
    expect(buildAddChainParameter(baseSepolia)).toMatchObject({ chainId, rpcUrls: [baseSepolia.rpcUrl] })
    const permits = await listWalletCalls(worker.page, 'eth_signTypedData_v4')
    expect(permits.map(({ params }) => JSON.parse(String(params[1])).domain)).toEqual([
      { name: baseSepolia.usdcName, version: '2', chainId: baseSepolia.id, verifyingContract: baseSepolia.usdc },
    ])

    await poster.open(path)
    await poster.choose(/^Lock /)
    await poster.sign()
    await poster.open(path)
    await poster.choose(/^Start the work/)
    await poster.sign()
    // Without loading the page again: this wallet would forget the chain.
    await worker.page.getByRole('button', { name: 'Close' }).click()
    await worker.choose(/^Deliver (your work|version)/)
    await worker.fill({ proofHash: 'The map.' })
    await worker.sign()
    await poster.open(path)
    await poster.choose(/^Approve and pay/)
    await poster.sign()
    await poster.open(`${path}?tab=activity`)
    await poster.page.getByText(/^Done\. The worker has been paid/).waitFor()
    await poster.page.getByRole('tabpanel').getByRole('checkbox').check()
    const links = poster.page.getByRole('tabpanel').locator('a[target="_blank"]')
    const urls = await links.evaluateAll((all) => all.map((each) => String(each.getAttribute('href'))))
    expect(urls.length).toBeGreaterThan(4)
    for (const url of urls) expect(url).toMatch(new RegExp(`^${baseSepolia.explorerUrl}/tx/0x[0-9a-f]{64}$`))
    expect([...poster.faults, ...worker.faults]).toEqual([])
  },
)

test.runIf(isFullRehearsal())('every kind of page says that this is a test network', async () => {
  const context = await site.browser.newContext({ baseURL: site.stack.url })
  const values: Record<string, string> = { id: 'v2:micro:1', slug: 'a', address: accounts.ada.address, action: 'stake' }
  const paths = sitePaths.map((path) => path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? name))
  const page = await context.newPage()
  for (const path of ['/nowhere', ...paths]) {
    await page.goto(path, { waitUntil: 'commit' })
    await page.getByText(baseSepolia.banner).waitFor()
  }
  await context.close()
})
