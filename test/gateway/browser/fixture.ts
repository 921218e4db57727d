import { createScene, type Devnet, type Scene } from '@svc/devnet'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../../harness/browser.ts'
import { startDemoWorld } from '../../harness/demoWorld.ts'
import { startFundedDevnet } from '../../harness/gateway.ts'
import { type GatewayProcess, startGatewayProcess } from '../../harness/gatewayProcess.ts'

/** A local chain, the real gateway over it, and a browser. */
export interface BrowserFixture {
  devnet: Devnet
  /** The standard market. */
  scene: Scene
  gateway: GatewayProcess
  browser: Browser
  close: () => Promise<void>
}

/** Starts everything: with funded accounts only, or with the demo world, which has a task in every state. */
export async function openBrowserFixture(fill: 'people' | 'world'): Promise<BrowserFixture> {
  const devnet = fill === 'world' ? (await startDemoWorld()).devnet : await startFundedDevnet()
  const scene = createScene(devnet.client, devnet.deployments, 'standard')
  const [gateway, browser] = await Promise.all([startGatewayProcess(devnet), launchBrowser()])
  return {
    devnet,
    scene,
    gateway,
    browser,
    async close() {
      await browser.close()
      await gateway.remove()
      await devnet.stop()
    },
  }
}
